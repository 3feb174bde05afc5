/// Makes merge patches (RFC 7396). ``Json/merge(_:)`` applies a merge patch.
enum MergePatch {
    /// Returns the patch that changes `old` to `new`.
    /// - Throws: ``MappingError`` with the path of a `null` that a merge patch cannot set, or if the values are too
    ///   deep for the stack.
    static func change(from old: Json, to new: Json) throws -> Json {
        try difference(from: old, to: new, atLevel: 0) ?? (new.kind == .object ? [:] : new)
    }

    /// Returns the patch of a value, or `nil` if both values are equal.
    private static func difference(from old: Json?, to new: Json, atLevel level: Int) throws -> Json? {
        if new.kind != .object {
            // These are two statements, because in one expression with a `Json`, `nil` would be the JSON `null`.
            if old == new { return nil }
            return new
        }
        try StackSpace.check()
        // A merge replaces an old value that is not an object by an empty object first (RFC 7396 §2).
        let before = old?.kind == .object ? old : nil
        var patch: [(key: String, value: Json)] = []
        if let before {
            if before.isEqualAtCheckedLevel(to: new, level: level) { return nil }
            for (key, _) in before.effectiveMembers where new[key] == nil { patch.append((key, .null)) }
        }
        for (key, value) in new.effectiveMembers {
            let change = try locating(at: .key(key)) {
                try difference(from: before?[key], to: value, atLevel: level + 1).map(settable)
            }
            if let change { patch.append((key, change)) }
        }
        if before != nil, patch.isEmpty { return nil }
        return Json(members: patch)
    }

    private static func settable(_ value: Json) throws -> Json {
        guard value.isNull else { return value }
        let issue = MappingIssue(
            .invalidValue,
            expected: "a value that a merge patch can set (RFC 7396)",
            found: value.found
        )
        throw MappingError(issue)
    }
}
