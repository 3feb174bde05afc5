extension ValueDecoder {
    /// Reads the elements of an array that can be read, each directly into its memory, and leaves out the others.
    /// - Returns: The elements; nil if the value is no array, or an array whose elements take far more memory than
    ///   their text.
    func salvagedElements<Element: Decodable>(
        of type: Element.Type,
        _ visitor: inout ElementVisitor
    ) throws -> [Element]? {
        let context = state.context
        let nodes = context.nodes
        let array = state.position
        guard !context.isDetached, nodes.tag(at: array) == .array else { return nil }
        let count = nodes.words.memberCount(at: array)
        // All empty arrays share their storage, and the initializer would write into it.
        if count == 0 {
            try visitor.finish(count: 0)
            return []
        }
        guard nodes.capacity(for: count, of: type, in: array) == count else { return nil }
        let fastPath = context.fastPath(of: type)
        let elements = try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, made in
            var position = nodes.firstChild(of: array)
            for index in 0..<count {
                // Bound: the buffer has capacity for `count` elements, and `made` is at most `index`. The decoder's
                // frame, and with it its coding path, outlives the call.
                let slot = unsafe UninitializedSlot(buffer.baseAddress.unsafelyUnwrapped + made)
                let node = unsafe CodingPathNode(in: UnsafePointer(state.nodePointer), index: index)
                do {
                    try context.fill(slot, with: type, by: fastPath, at: position, node)
                    made &+= 1
                    visitor.elementWasRead(at: .index(index), owner: ownerName(of: type))
                } catch {
                    try visitor.failed(error, at: .index(index), owner: ownerName(of: type)) { error in
                        let path = JsonPath(node.path(in: nodes))
                        return DecodingAttempt<Element>.described(error, of: context.json(at: position), at: path)
                    }
                }
                position = nodes.words.next(after: position)
            }
        }
        try visitor.finish(count: count)
        return elements
    }
}
