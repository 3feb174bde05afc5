extension ValueDecoder {
    /// Reads the elements of an array that can be read, each directly into the array's memory, and leaves out the
    /// others. In a tolerant call an element is first read in a trial, as long as the call's ``TrialBudget`` allows it.
    /// - Returns: The elements; `nil` if the value is no array, if its elements take far more memory than their text,
    ///   or if code has kept the decoder after its `init(from:)` has ended (a detached decoder).
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

/// An element of an array from which elements may be left out.
private struct ArrayElement {
    let index: Int
    let position: Int
    /// The number of the element's words in the index.
    let size: Int
    let node: CodingPathNode
}

/// The reading of the elements of one array. An element is first read in a trial, if trials are allowed. If the trial
/// fails or is left out, the element is read with the tolerance of the call.
private struct ElementReading {
    /// A context with the fast path of the elements' type.
    private typealias Reader = (context: DecodingContext, fastPath: DecodingFastPath)

    /// Reads with the tolerance of the call.
    private let tolerant: Reader
    /// Reads without tolerance; `nil` if there are no trials.
    private let strict: Reader?
    /// The mapping in progress; `nil` if there are no trials.
    private let mapping: MappingSession?
    /// Whether elements may have failed in an earlier trial. Such elements have no further trial.
    private let mayHaveFailed: Bool

    /// Reads an array. Its elements have trials if the call is tolerant, the policy leaves values out, and the budget
    /// of the call allows trials. A call that is so deep that it must check the stack has no trials. Trials have a
    /// second context, with the settings of the call but without tolerance.
    static func with<Element: Decodable>(
        _ context: DecodingContext,
        of type: Element.Type,
        _ body: (ElementReading) throws -> [Element]
    ) throws -> [Element] {
        let tolerant = (context, context.fastPath(of: type))
        guard context.isTolerant, let mapping = MappingSession.inProgress, mapping.policy.leavesOut,
            context.trialBudget.mayTry, context.isShallow, let document = context.document
        else {
            return try body(ElementReading(tolerant: tolerant, strict: nil, mapping: nil, mayHaveFailed: false))
        }
        var settings = context.settings
        settings.tolerance = nil
        let mayHaveFailed = mapping.hasFailedTrials
        return try DecodingSession.run(document, settings) { context in
            let strict = (context, context.fastPath(of: type))
            let reading = ElementReading(
                tolerant: tolerant,
                strict: strict,
                mapping: mapping,
                mayHaveFailed: mayHaveFailed
            )
            return try reading.asTrial(true) { try body(reading) }
        }
    }

    /// Whether an element has failed in an earlier trial.
    @inline(never)
    private func hasFailed(_ element: ArrayElement, as type: Any.Type) -> Bool {
        mapping?.errorInTrial(of: tolerant.context.json(at: element.position), as: type) != nil
    }

    /// Reads an element without tolerance, if the budget allows it.
    /// - Returns: Whether the memory has the element. If not, no part of the element and none of its issues remain.
    @inline(__always)
    @unsafe
    func tryStrictly<Element: Decodable>(
        _ element: ArrayElement,
        into memory: UnsafeMutablePointer<Element>,
        _ visitor: inout ElementVisitor
    ) throws -> Bool {
        guard let strict, tolerant.context.trialBudget.mayTry else { return false }
        if mayHaveFailed, hasFailed(element, as: Element.self) { return false }
        do {
            try strict.context.fill(
                unsafe UninitializedSlot(memory),
                with: Element.self,
                by: strict.fastPath,
                at: element.position,
                element.node
            )
            // An info, or a warning of a value that the element has discarded, is no reason to read the element with
            // tolerance.
            visitor.settleAside()
            if !visitor.hasWarnings {
                tolerant.context.trialBudget.succeeded(element.size)
                visitor.elementWasRead(at: .index(element.index), owner: ownerName(of: Element.self))
                return true
            }
            unsafe memory.deinitialize(count: 1)
        } catch let error as CancellationError {
            throw error
        } catch {
            // The error is ignored, because the reading with tolerance follows: it finds the same error, or leaves the
            // value out.
        }
        visitor.removeIssues()
        tolerant.context.trialBudget.failed(element.size)
        return false
    }

    /// Reads an element with the tolerance of the call, and reports the values that are left out.
    /// - Returns: Whether the memory has the element. False if the element is left out.
    @inline(__always)
    @unsafe
    func readTolerantly<Element: Decodable>(
        _ element: ArrayElement,
        into memory: UnsafeMutablePointer<Element>,
        _ visitor: inout ElementVisitor
    ) throws -> Bool {
        let context = tolerant.context
        // The arrays inside the element also change the budget. If the element has no loss, their changes are replaced
        // by the size of the whole element.
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

    /// Runs a first reading without tolerance as a trial, or with `false` a second reading with tolerance. Has no
    /// effect if there are no trials.
    @inline(__always)
    private func asTrial<Value>(_ isTrial: Bool, _ body: () throws -> Value) rethrows -> Value {
        guard let mapping else { return try body() }
        return try mapping.reading(asTrial: isTrial, body)
    }
}
