extension ValueDecoder {
    /// Reads the elements of an array that can be read, each directly into its memory, and leaves out the others.
    ///
    /// Most elements are valid, and reading with tolerance takes about twice as long. So an element is first read
    /// without tolerance, as under the standard policy, and read again after an error or an issue. A failed trial reduces
    /// ``DecodingContext/strictCredit`` by ``DecodingContext/priceOfTrial`` times its size. This limits failed trials to a
    /// quarter of the successfully read text and one element: of a list of bad elements only some are read twice, and
    /// the time for nested arrays stays proportional to the text.
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
        let mapping = visitor.log as? MappingSession
        let elements = try context.withoutTolerance { strict in
            let strictly = strict.map { ($0, $0.fastPath(of: type)) }
            let fastPath = context.fastPath(of: type)
            return try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, made in
                var next = nodes.firstChild(of: array)
                var isTrial = false
                defer { if isTrial { mapping?.isTrial = false } }
                for index in 0..<count {
                    let position = next
                    next = nodes.words.next(after: position)
                    // Bound: the buffer has capacity for `count` elements, and `made` is at most `index`. The decoder's
                    // frame, and with it its coding path, outlives the call.
                    let memory = unsafe buffer.baseAddress.unsafelyUnwrapped + made
                    let slot = unsafe UninitializedSlot(memory)
                    let node = unsafe CodingPathNode(in: UnsafePointer(state.nodePointer), index: index)
                    let credit = context.strictCredit
                    if let (strict, fastPath) = strictly, credit >= 0 {
                        if !isTrial {
                            isTrial = true
                            mapping?.isTrial = true
                        }
                        do {
                            try strict.fill(slot, with: type, by: fastPath, at: position, node)
                            if visitor.hasNoIssue {
                                made &+= 1
                                context.strictCredit = credit &+ (next &- position)
                                continue
                            }
                            unsafe memory.deinitialize(count: 1)
                        } catch let error as CancellationError {
                            throw error
                        } catch {
                            // The reading with tolerance has the same error, or does without.
                        }
                        visitor.removeIssues()
                        context.strictCredit = credit &- DecodingContext.priceOfTrial &* (next &- position)
                    }
                    if isTrial {
                        isTrial = false
                        mapping?.isTrial = false
                    }
                    let left = context.strictCredit
                    do {
                        try context.fill(slot, with: type, by: fastPath, at: position, node)
                        made &+= 1
                        if visitor.hasNoIssue { context.strictCredit = left &+ (next &- position) }
                        visitor.elementWasRead(at: .index(index), owner: ownerName(of: type))
                    } catch {
                        try visitor.failed(error, at: .index(index), owner: ownerName(of: type)) { error in
                            let path = JsonPath(node.path(in: nodes))
                            return DecodingAttempt<Element>.described(error, of: context.json(at: position), at: path)
                        }
                    }
                }
            }
        }
        try visitor.finish(count: count)
        return elements
    }
}

extension DecodingContext {
    /// Runs a part of a tolerant call with a second context that has the same settings without tolerance. The context is
    /// nil if the call has no tolerance, has no credit left, or is so deep that it has to check the stack.
    fileprivate func withoutTolerance<Value>(_ body: (DecodingContext?) throws -> Value) throws -> Value {
        guard isTolerant, strictCredit >= 0, isShallow, let document else { return try body(nil) }
        var settings = settings
        settings.tolerance = nil
        return try DecodingSession.run(document, settings) { strict in
            strict.beginTrial()
            return try body(strict)
        }
    }
}
