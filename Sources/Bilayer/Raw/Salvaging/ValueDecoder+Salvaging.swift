extension ValueDecoder {
    /// Reads the elements of an array that can be read, each directly into its memory, and leaves out the others. In a
    /// tolerant call an element is first read in a trial, as long as the call's ``TrialBudget`` allows it.
    /// - Returns: The elements; nil if the value is no array, or an array whose elements take far more memory than
    ///   their text.
    func salvagedElements<Element: Decodable>(
        of type: Element.Type,
        _ visitor: inout ElementVisitor
    ) throws -> [Element]? {
        let nodes = state.context.nodes
        let array = state.position
        guard !state.context.isDetached, nodes.tag(at: array) == .array else { return nil }
        let count = nodes.words.memberCount(at: array)
        // All empty arrays share their storage, and the initializer would write into it.
        if count == 0 {
            try visitor.finish(count: 0)
            return []
        }
        guard nodes.capacity(for: count, of: type, in: array) == count else { return nil }
        let elements = try ElementReading.with(state.context, of: type) { reading in
            try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, made in
                var position = nodes.firstChild(of: array)
                for index in 0..<count {
                    let next = nodes.words.next(after: position)
                    // Bound: the decoder's frame, and with it its coding path, outlives the call.
                    let node = unsafe CodingPathNode(in: UnsafePointer(state.nodePointer), index: index)
                    let element = ArrayElement(index: index, position: position, size: next &- position, node: node)
                    // Bound: the buffer has capacity for `count` elements, and `made` is at most `index`.
                    let memory = unsafe buffer.baseAddress.unsafelyUnwrapped + made
                    let isMade =
                        try unsafe reading.tryStrictly(element, into: memory, &visitor)
                        || reading.readTolerantly(element, into: memory, &visitor)
                    if isMade { made &+= 1 }
                    position = next
                }
            }
        }
        try visitor.finish(count: count)
        return elements
    }
}

/// An element of an array that leaves out what cannot be read.
private struct ArrayElement {
    let index: Int
    let position: Int
    /// The number of its words in the index.
    let size: Int
    let node: CodingPathNode
}

/// How the elements of one array are read: each in a trial, and again with the tolerance of the call if that fails.
private struct ElementReading {
    /// A context with the fast path of the elements' type.
    private typealias Reader = (context: DecodingContext, fastPath: DecodingFastPath)

    /// Reads with the tolerance of the call.
    private let tolerant: Reader
    /// Reads without tolerance; nil if there are no trials.
    private let strict: Reader?
    /// The mapping in progress, if there are trials.
    private let mapping: MappingSession?

    /// Reads an array. Its elements have trials if the call has tolerance and credit, and is not so deep that it has to
    /// check the stack. A trial has a second context, with the settings of the call without tolerance.
    static func with<Element: Decodable>(
        _ context: DecodingContext,
        of type: Element.Type,
        _ body: (ElementReading) throws -> [Element]
    ) throws -> [Element] {
        let tolerant = (context, context.fastPath(of: type))
        guard context.isTolerant, context.trialBudget.mayTry, context.isShallow, let document = context.document else {
            return try body(ElementReading(tolerant: tolerant, strict: nil, mapping: nil))
        }
        var settings = context.settings
        settings.tolerance = nil
        settings.notesFailures = false
        let mapping = MappingSession.inProgress
        return try DecodingSession.run(document, settings) { context in
            let strict = (context, context.fastPath(of: type))
            let reading = ElementReading(tolerant: tolerant, strict: strict, mapping: mapping)
            return try reading.asTrial(true) { try body(reading) }
        }
    }

    /// Reads an element without tolerance, if the budget allows it.
    /// - Returns: Whether the memory has the element. If not, nothing of it is left: neither a part nor an issue.
    @inline(__always)
    @unsafe
    func tryStrictly<Element: Decodable>(
        _ element: ArrayElement,
        into memory: UnsafeMutablePointer<Element>,
        _ visitor: inout ElementVisitor
    ) throws -> Bool {
        guard let strict, tolerant.context.trialBudget.mayTry else { return false }
        do {
            try strict.context.fill(
                unsafe UninitializedSlot(memory),
                with: Element.self,
                by: strict.fastPath,
                at: element.position,
                element.node
            )
            if visitor.hasNoIssue {
                tolerant.context.trialBudget.succeeded(element.size)
                return true
            }
            unsafe memory.deinitialize(count: 1)
        } catch let error as CancellationError {
            throw error
        } catch {
            // The reading with tolerance has the same error, or does without.
        }
        visitor.removeIssues()
        tolerant.context.trialBudget.failed(element.size)
        return false
    }

    /// Reads an element with the tolerance of the call, and reports what it has lost.
    /// - Returns: Whether the memory has the element; not if it is left out.
    @inline(__always)
    @unsafe
    func readTolerantly<Element: Decodable>(
        _ element: ArrayElement,
        into memory: UnsafeMutablePointer<Element>,
        _ visitor: inout ElementVisitor
    ) throws -> Bool {
        let context = tolerant.context
        // The arrays inside of the element have changed the budget, too. Without a loss the element counts as a whole.
        var budget = context.trialBudget
        do {
            try asTrial(false) {
                try context.fill(
                    unsafe UninitializedSlot(memory),
                    with: Element.self,
                    by: tolerant.fastPath,
                    at: element.position,
                    element.node
                )
            }
        } catch {
            try visitor.failed(error, at: .index(element.index), owner: ownerName(of: Element.self)) { error in
                DecodingAttempt<Element>
                    .described(
                        error,
                        of: context.json(at: element.position),
                        at: JsonPath(element.node.path(in: context.nodes))
                    )
            }
            return false
        }
        if visitor.hasNoIssue {
            budget.succeeded(element.size)
            context.trialBudget = budget
        }
        visitor.elementWasRead(at: .index(element.index), owner: ownerName(of: Element.self))
        return true
    }

    /// Runs a reading as a trial or, inside of one, as none. Without trials the reading stays what it is.
    @inline(__always)
    private func asTrial<Value>(_ isTrial: Bool, _ body: () throws -> Value) rethrows -> Value {
        guard let mapping else { return try body() }
        return try mapping.reading(asTrial: isTrial, body)
    }
}
