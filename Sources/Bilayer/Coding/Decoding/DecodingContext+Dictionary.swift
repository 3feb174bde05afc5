extension DecodingContext {
    /// Makes a dictionary of the members of an object.
    func dictionary<Value: Decodable>(
        of type: Value.Type,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> [String: Value] {
        let nodes = nodes
        guard nodes.tag(at: position) == .object else {
            throw failure([String: Value].self, at: position, node.path(in: nodes))
        }
        let fastPath = self.fastPath(of: Value.self)
        let log = fastPath.mayReport ? IssueLog.current : nil
        var repeated = RepeatedMembers(of: position, firstWins: firstWins)
        let count = nodes.words.memberCount(at: position)
        var dictionary: [String: Value] = [:]
        dictionary.reserveCapacity(nodes.tableCapacity(for: count, of: Value.self, in: position))
        var key = nodes.firstChild(of: position)
        let (mark, outer) = try unsafe enterCollection(at: position, node)
        defer { leave(mark) }
        for _ in 0..<count {
            let name = nodes.string(at: key)
            let issues = log?.mark
            do {
                let value = try self.value(
                    Value.self,
                    by: fastPath,
                    at: key &+ 1,
                    unsafe CodingPathNode(in: outer, keyAt: key)
                )
                let earlier = dictionary.updateValue(value, forKey: name)
                if let earlier, repeated.firstWins { dictionary[name] = earlier }
                if let log, let issues, log.hasAdditions(since: issues),
                    !repeated.isUsed(key, name, isFirst: earlier == nil, nodes)
                {
                    log.remove(since: issues)
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                if repeated.isUsed(key, name, isFirst: dictionary[name] == nil, nodes) { throw error }
                if let issues { log?.remove(since: issues) }
            }
            key = nodes.words.next(after: key &+ 1)
        }
        return dictionary
    }
}

/// Decides which of an object's members with the same key is used. Errors and issues of the others are ignored.
private struct RepeatedMembers {
    let firstWins: Bool
    private let object: Int
    /// The position of each key's last value, once it is needed.
    private var lastPositions: [JsonKey: Int]?

    init(of object: Int, firstWins: Bool) {
        self.object = object
        self.firstWins = firstWins
    }

    /// Whether a member is the one that is used.
    /// - Parameters:
    ///   - key: The position of the member's key.
    ///   - name: The key.
    ///   - isFirst: Whether no earlier member with this key was read.
    ///   - nodes: The nodes of the object.
    /// - Returns: False if another member with the same key is used.
    mutating func isUsed(_ key: Int, _ name: String, isFirst: Bool, _ nodes: JsonNodes) -> Bool {
        if firstWins { return isFirst }
        let positions = lastPositions ?? nodes.memberPositions(of: object, lastWins: true)
        lastPositions = positions
        return positions[JsonKey(text: name)] == key &+ 1
    }
}
