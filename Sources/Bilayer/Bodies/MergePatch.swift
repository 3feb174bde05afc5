/// Merge patches (RFC 7396); ``Json/merge(_:)`` applies one.
enum MergePatch {
    /// The patch that makes `new` of `old`.
    /// - Throws: ``MappingError`` with the path of a `null` that a merge patch cannot set.
    static func change(from old: Json, to new: Json) throws -> Json {
        guard new.kind == .object else { return new }
        // Merging makes an empty object of any other value first.
        let isObject = old.kind == .object
        var patch: [(key: String, value: Json)] = []
        if isObject {
            for (key, _) in old.countingMembers where new[key] == nil { patch.append((key, .null)) }
        }
        try StackRoom.check()
        for (key, value) in new.countingMembers {
            let before = isObject ? old[key] : nil
            if before == value { continue }
            patch.append((key, try locating(at: .key(key)) { try settable(change(from: before ?? .null, to: value)) }))
        }
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
