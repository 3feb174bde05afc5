extension Json {
    /// Puts a value at a path. Objects that are missing on the way are made; an index must be that of an element or the one after the last.
    ///
    /// Only the containers on the way are copied, one level each; everything beside the path is shared.
    /// - Parameters:
    ///   - value: The new value.
    ///   - path: Where to put it; the root replaces everything.
    /// - Returns: Whether the value is there now; false if an index on the way is out of range or stands where no array is.
    @discardableResult
    public mutating func set(_ value: Json, at path: JsonPath) -> Bool {
        edit(at: path.components[...]) { $0 = value }
    }

    /// Removes the value at a path.
    /// - Parameter path: The place; the root becomes `null`.
    /// - Returns: What was removed; nil if nothing was there.
    @discardableResult
    public mutating func remove(at path: JsonPath) -> Json? {
        guard let removed = value(at: path) else { return nil }
        edit(at: path.components[...]) { $0 = nil }
        return removed
    }

    /// Applies a merge patch (RFC 7396): members of `patch` replace those with the same key, a `null` removes one, objects are merged
    /// in turn, and a patch that is no object takes the place of this value.
    /// - Parameter patch: What changes.
    public mutating func merge(_ patch: Json) {
        guard patch.kind == .object else {
            self = patch
            return
        }
        let changes = patch.storedMembers
        var object = takeMembers()
        // All at once: one by one, each removal would move the members behind it.
        object.removeAll { changes[$0]?.isNull == true }
        for (key, change) in changes.members.lazy.map({ ($0.key, $0.value) }) where !change.isNull {
            if change.kind == .object {
                var merged = object[key] ?? [:]
                merged.merge(change)
                object[key] = merged
            } else {
                object[key] = change
            }
        }
        storage = .object(object)
    }

    /// Changes the value at the end of a path, and with it each container on the way. Whether the path could be followed.
    @discardableResult
    private mutating func edit(at path: ArraySlice<JsonPath.Component>, _ change: (inout Json?) -> Void) -> Bool {
        guard let step = path.first else {
            var value: Json? = self
            change(&value)
            self = value ?? .null
            return true
        }
        var child = value(at: [step])
        if path.count == 1 {
            change(&child)
        } else {
            var inner = child ?? [:]
            guard inner.edit(at: path.dropFirst(), change) else { return false }
            child = inner
        }
        return replace(child, at: step)
    }

    private mutating func replace(_ child: Json?, at step: JsonPath.Component) -> Bool {
        switch step {
        case .key(let key):
            self[key] = child
        case .index(let index):
            guard kind == .array, index >= 0, index <= count else { return false }
            self[index] = child
        }
        return true
    }
}
