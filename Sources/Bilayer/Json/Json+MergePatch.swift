extension Json {
    /// Applies a merge patch (RFC 7396). A member of `patch` sets the member with an equal key, or removes it if the
    /// value in the patch is `null`. Objects are merged recursively. A patch that is not an object replaces this value.
    /// - Parameter patch: The changes.
    public mutating func merge(_ patch: Json) {
        guard patch.kind == .object else {
            self = patch
            return
        }
        // Depth costs memory, not stack: a list holds the objects whose merge is not finished.
        var open = [ObjectMerge(of: patch, into: takeMembers())]
        while var innermost = open.popLast() {
            guard let (key, change) = innermost.nextChange() else {
                let merged = Json(.object(innermost.object))
                if open.isEmpty { self = merged } else { open[open.count - 1].object[innermost.key] = merged }
                continue
            }
            if change.kind == .object {
                var target = innermost.object.takeValue(of: key) ?? .null
                open.append(innermost)
                open.append(ObjectMerge(of: change, into: target.takeMembers(), for: key))
            } else {
                // The literal `nil` is not used here, because it would be a `Json`, the value `null`.
                innermost.object[key] = change.isNull ? .none : .some(change)
                open.append(innermost)
            }
        }
    }
}

/// An object whose merge is not finished.
private struct ObjectMerge {
    /// The key of this object in the enclosing object; empty for the root.
    let key: String
    var object: JsonObject
    private var changes: Json.Members.Iterator

    init(of patch: Json, into object: JsonObject, for key: String = "") {
        self.key = key
        self.object = object
        changes = Json(.object(patch.storedMembers)).members.makeIterator()
    }

    /// Returns the next member of the patch; nil after the last one.
    mutating func nextChange() -> Json.Members.Element? { changes.next() }
}
