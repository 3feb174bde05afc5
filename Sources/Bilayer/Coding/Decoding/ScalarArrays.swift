// Arrays of one scalar type. Each element is one index word, so no decoder is needed.

extension DecodingContext {
    func ints(at position: Int, _ node: CodingPathNode) throws -> [Int] {
        try scalars(at: position, node) { nodes, child in
            nodes.integerValue(Int.self, at: child)
        } otherwise: { child, node in
            throw failure(Int.self, at: child, node.path(in: nodes))
        }
    }

    func strings(at position: Int, _ node: CodingPathNode) throws -> [String] {
        try scalars(at: position, node) { nodes, child in
            nodes.stringValue(at: child)
        } otherwise: { child, node in
            throw failure(String.self, at: child, node.path(in: nodes))
        }
    }

    func doubles(at position: Int, _ node: CodingPathNode) throws -> [Double] {
        if let list = nodes.shortDoubles(at: position) { return list }
        return try scalars(at: position, node) { nodes, child in
            nodes.double(at: child)
        } otherwise: { child, node in
            try nonConformingFloat(Double.self, at: child, node)
        }
    }

    /// Makes an array whose elements are one index word each.
    @inline(__always)
    private func scalars<Element>(
        at position: Int,
        _ node: CodingPathNode,
        _ read: (JsonNodes, Int) -> Element?,
        otherwise: (Int, CodingPathNode) throws -> Element
    ) throws -> [Element] {
        let nodes = nodes
        guard nodes.tag(at: position) == .array else {
            throw failure([Element].self, at: position, node.path(in: nodes))
        }
        let count = nodes.words.memberCount(at: position)
        var child = nodes.firstChild(of: position)
        // The whole capacity is reserved, because numbers and strings take no more than eight times their text.
        // `init(unsafeUninitializedCapacity:)` is not used: it is not specialized, and makes small arrays slower.
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            if let element = read(nodes, child) {
                elements.append(element)
            } else {
                elements.append(
                    try unsafe withUnsafePointer(to: node) { outer in
                        try otherwise(child, unsafe CodingPathNode(in: outer, index: index))
                    }
                )
            }
            child = nodes.words.next(after: child)
        }
        return elements
    }
}
