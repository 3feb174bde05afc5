import Foundation

extension JsonEncoder.KeyStrategy {
    /// Whether keys are written without a conversion.
    var keepsKeys: Bool {
        if case .useDefaultKeys = self { return true }
        return false
    }

    /// Whether the keys follow a server's convention.
    var isNaming: Bool {
        if case .naming = self { return true }
        return false
    }

    /// The conversion of keys, if it depends on the name alone; otherwise `nil`.
    var naming: KeyNaming? {
        switch self {
        case .convertToSnakeCase: .fromCamelCase
        case .naming(let naming): naming
        case .useDefaultKeys, .custom: nil
        }
    }

    /// Returns the JSON key to write. Ignores a custom strategy, which depends on the path.
    func name(for key: some CodingKey) -> String { naming?.key(for: key.stringValue) ?? key.stringValue }
}

extension KeyNaming {
    /// The conversion to snake case as Foundation's encoder does it.
    fileprivate static let fromCamelCase = KeyNaming(SnakeCase.fromCamelCase)
}

extension Data {
    /// Returns the written text without each member whose key is repeated later in the same object. Changes only
    /// objects that have a key whose opening quote is at one of the text offsets `repeatedKeys`. Other objects keep
    /// their members: for example, an object of a ``Json`` value keeps members with the same key.
    func withoutMembersBefore(_ repeatedKeys: Set<Int>) -> Data {
        JsonDocument.parse(trusted: self)
            .withNodes { nodes in
                let removed = nodes.repeatedMembers(repeatedKeys)
                if removed.isEmpty { return self }
                var writer = ByteWriter(capacity: count)
                var position = 0
                // A removed member may contain other removed members.
                for range in removed.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= position {
                    writer.write(nodes.bytes, from: position, count: range.lowerBound &- position)
                    position = range.upperBound
                }
                writer.write(nodes.bytes, from: position, count: count &- position)
                return writer.finish()
            }
    }
}

/// An array or object while its members or elements are visited.
private struct VisitedContainer {
    let position: Int
    let isObject: Bool
    /// The index positions of the next key or element, and of the container's end.
    var child: Int
    let end: Int
    var hasRepeatedKey = false

    init(_ nodes: JsonNodes, at position: Int) {
        self.position = position
        isObject = nodes.tag(at: position) == .object
        child = nodes.firstChild(of: position)
        end = nodes.words.next(after: position)
    }
}

extension JsonNodes {
    /// Returns the text ranges of the members whose key is repeated later in the same object. Searches only objects
    /// that have a key whose opening quote is at one of the text offsets `repeatedKeys`. The search is not recursive:
    /// deep nesting uses memory, not the stack.
    fileprivate func repeatedMembers(_ repeatedKeys: Set<Int>) -> [Range<Int>] {
        guard tag(at: 0).isContainer else { return [] }
        var removed: [Range<Int>] = []
        var open = [VisitedContainer(self, at: 0)]
        while var innermost = open.popLast() {
            guard innermost.child < innermost.end else {
                if innermost.hasRepeatedKey { removed += repeatedMembers(ofObjectAt: innermost.position) }
                continue
            }
            var value = innermost.child
            if innermost.isObject {
                if repeatedKeys.contains(offset(ofKeyAt: value)) { innermost.hasRepeatedKey = true }
                value &+= 1
            }
            innermost.child = words.next(after: value)
            open.append(innermost)
            if tag(at: value).isContainer { open.append(VisitedContainer(self, at: value)) }
        }
        return removed
    }

    /// Returns the text ranges of those members whose keys are repeated later in the object. Each range ends at the
    /// next key.
    private func repeatedMembers(ofObjectAt object: Int) -> [Range<Int>] {
        let last = memberPositions(of: object, lastWins: true)
        var removed: [Range<Int>] = []
        var key = firstChild(of: object)
        let end = words.next(after: object)
        while key < end {
            let next = words.next(after: key &+ 1)
            if next < end, last[JsonKey(text: string(at: key))] != key &+ 1 {
                removed.append(offset(ofKeyAt: key)..<offset(ofKeyAt: next))
            }
            key = next
        }
        return removed
    }

    /// Returns the offset of a key's opening quote.
    private func offset(ofKeyAt position: Int) -> Int { range(at: position).lowerBound &- 1 }
}
