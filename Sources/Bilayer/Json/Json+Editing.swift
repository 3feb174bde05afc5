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
        edit(at: path.components) { $0 = value }
    }

    /// Removes the value at a path.
    /// - Parameter path: The place; the root becomes `null`.
    /// - Returns: What was removed; nil if nothing was there.
    @discardableResult
    public mutating func remove(at path: JsonPath) -> Json? {
        guard let removed = value(at: path) else { return nil }
        edit(at: path.components) { $0 = nil }
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
        // Depth costs memory, not stack: objects whose merge is not finished are on a list.
        var open = [ObjectMerge(of: patch, into: takeMembers())]
        while var innermost = open.popLast() {
            guard let (key, change) = innermost.nextChange() else {
                let merged = Json(.object(innermost.object))
                if open.isEmpty { self = merged } else { open[open.count - 1].object[innermost.key] = merged }
                continue
            }
            if change.kind == .object {
                let target = innermost.object[key]?.storedMembers ?? JsonObject()
                open.append(innermost)
                open.append(ObjectMerge(of: change, into: target, for: key))
            } else {
                innermost.object[key] = change
                open.append(innermost)
            }
        }
    }

    /// Changes the value at the end of a path, and with it each container on the way. Whether the path could be followed.
    @discardableResult
    private mutating func edit(at path: [JsonPath.Component], _ change: (inout Json?) -> Void) -> Bool {
        var containers: [Json] = []
        var value: Json? = self
        for step in path {
            containers.append(value ?? [:])
            value = value?.value(at: [step])
        }
        change(&value)
        // From here on the list alone holds the outermost container, so that it need not be copied.
        storage = .null
        for step in path.reversed() {
            var container = containers.removeLast()
            guard container.replace(value, at: step) else {
                self = containers.first ?? container
                return false
            }
            value = container
        }
        self = value ?? .null
        return true
    }

    private mutating func replace(_ child: Json?, at step: JsonPath.Component) -> Bool {
        switch step {
        case .key(let key), .entry(let key):
            self[key] = child
        case .index(let index):
            guard kind == .array, index >= 0, index <= count else { return false }
            self[index] = child
        }
        return true
    }
}

/// An object on its way from before a patch to after it.
private struct ObjectMerge {
    /// The member of the object around it that it will be.
    let key: String
    var object: JsonObject
    private var changes: ArraySlice<JsonObject.Member>

    init(of patch: Json, into object: JsonObject, for key: String = "") {
        let patch = patch.storedMembers
        self.key = key
        self.object = object
        changes = patch.members[...]
        // All at once: one by one, each removal would move the members behind it.
        self.object.removeAll { patch[$0]?.isNull == true }
    }

    /// The next member that the patch sets or merges.
    mutating func nextChange() -> (key: String, value: Json)? {
        while let change = changes.popFirst() {
            if !change.value.isNull { return (change.key, change.value) }
        }
        return nil
    }
}
