extension Json {
    /// Sets the value at a path. A key on the path turns a missing value, or a value that is not an object, into an
    /// object. An index on the path must be at most the count of its array; an index equal to the count appends an
    /// element.
    ///
    /// Only the containers on the path are copied, one level each. All other values are shared.
    /// - Parameters:
    ///   - value: The new value.
    ///   - path: The path to set; the root replaces the whole value.
    /// - Returns: True if the value was set. False if an index on the path is out of range, or is applied to a missing
    ///   value or to a value that is not an array. Then nothing changes.
    @discardableResult
    public mutating func set(_ value: Json, at path: JsonPath) -> Bool {
        edit(at: path.components) { $0 = value }
    }

    /// Removes the value at a path.
    /// - Parameter path: The path. If it is the root, this value becomes `null`.
    /// - Returns: The removed value; `nil` if the path has no value.
    @discardableResult
    public mutating func remove(at path: JsonPath) -> Json? {
        guard let removed = value(at: path) else { return nil }
        edit(at: path.components) { $0 = nil }
        return removed
    }

    /// Changes the value at the end of a path. Returns false without a change if an index on the path is out of range,
    /// or is applied to a missing value or to another value than an array.
    @discardableResult
    private mutating func edit(at path: [JsonPath.Component], _ change: (inout Json?) -> Void) -> Bool {
        guard canSet(path) else { return false }
        // Each value is moved out of its container. So this function adds no second reference, which would force a
        // copy.
        var containers: [Json] = []
        var value: Json? = self
        storage = .null
        for step in path {
            var container = value.take() ?? [:]
            value = container.takeChild(at: step)
            containers.append(container)
        }
        change(&value)
        for step in path.reversed() {
            var container = containers.removeLast()
            switch step {
            case .key(let key), .entry(let key): container[key] = value
            case .index(let index): container[index] = value
            }
            value = container
        }
        self = value ?? .null
        return true
    }

    /// Whether a value can be set at a path: each index on the path is applied to an array and is at most the array's
    /// count.
    private func canSet(_ path: [JsonPath.Component]) -> Bool {
        var value: Json? = self
        for step in path {
            switch step {
            case .key(let key), .entry(let key): value = value?[key]
            case .index(let index):
                guard let array = value, array.kind == .array, index >= 0, index <= array.count else { return false }
                value = array[index]
            }
        }
        return true
    }

    /// Removes and returns a child, and leaves `null` in its position. Returns nil without a change if there is no such
    /// child.
    private mutating func takeChild(at step: JsonPath.Component) -> Json? {
        guard value(at: [step]) != nil else { return nil }
        switch step {
        case .key(let key), .entry(let key):
            var object = takeMembers()
            defer { storage = .object(object) }
            return object.takeValue(of: key)
        case .index(let index):
            var array = takeElements()
            defer { storage = .array(array) }
            return array.take(at: index)
        }
    }
}
