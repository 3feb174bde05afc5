// Look-ups of values on paths in the index, without a decoder for each step.

extension KeyedReader {
    /// The end of a path.
    enum PathEnd {
        /// The index position of a value other than `null`.
        case value(Int)
        /// A `null` at the end of the path, or before it.
        case null
        case missing
    }

    /// Whether the paths of an object can be followed in the index. False for a key strategy, for a document of which
    /// the last of several equal keys counts, and for a container that outlives its call.
    var followsPaths: Bool { !context.isDetached && !context.needsSpecialLookup }

    /// Returns the end of a path. Returns `nil` if the path leads through a value that is no object, has an index, or
    /// leads through a large object: there the look-ups of a container are linear together, but these look-ups are not.
    func end(of path: [PathStep]) -> PathEnd? {
        let nodes = nodes
        var position = object
        for step in path {
            let tag = nodes.tag(at: position)
            if tag == .null { return .null }
            guard step.intValue == nil, tag == .object else { return nil }
            guard nodes.words.memberCount(at: position) <= mostMembers else { return nil }
            let found = step.stringValue.withJsonBytes { nodes.member(KeyPattern($0), of: position) }
            if found == 0 { return .missing }
            position = found
        }
        return nodes.tag(at: position) == .null ? .null : .value(position)
    }

    /// Reads the value at the end of a path.
    func value<Value: Decodable>(_ type: Value.Type, of path: [PathStep], at position: Int) throws -> Value {
        let nodes = nodes
        if type == String.self, let value = nodes.stringValue(at: position) as? Value { return value }
        if type == Int.self, let value = nodes.integerValue(Int.self, at: position) as? Value { return value }
        if type == Bool.self, let value = nodes.bool(at: position) as? Value { return value }
        if type == Double.self, let value = Double.read(nodes, at: position) as? Value { return value }
        return try withNode(of: path) { node in try context.value(type, at: position, node) }
    }
}

/// The number of members of the largest object whose members are compared with each key.
private let mostMembers = 128
