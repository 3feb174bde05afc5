extension DecodingContext {
    /// The first entries of two lists when a frame began. A frame is the making of one value. The lists are those of
    /// the registered keyed containers and child decoders. The end of the frame removes all entries before these two.
    @safe
    struct Mark {
        fileprivate let keyed: UnsafeMutablePointer<KeyedDecodingState>?
        fileprivate let children: Unmanaged<ValueDecoder>?
    }

    /// Makes a value through its type's own `init(from:)`, in a frame of its own.
    @inline(__always)
    func makeValue<Value: Decodable>(_ type: Value.Type, at position: Int, _ node: CodingPathNode) throws -> Value {
        let mark = try enter(position, node)
        defer { leave(mark) }
        do {
            // Bound: `enter` has set the decoder below `depth`.
            return try Value(from: unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped)
        } catch {
            throw failure(error, of: type, at: node)
        }
    }

    /// Returns the error of a failed value, with paths from the root. Records the type in the issue log, if the value
    /// failed because of one of its fields.
    @inline(never)
    private func failure(_ error: any Error, of type: Any.Type, at node: CodingPathNode) -> any Error {
        let error = MappingError.located(error, inValueAt: JsonPath(node.path(in: nodes)))
        guard unsafe storage.pointee.hasLog, let log = IssueLog.current else { return error }
        log.note(error, of: type, at: JsonPath(node.path(in: nodes)))
        return error
    }

    /// Makes a value through a closure that gets the decoder.
    func withDecoder<Value>(
        at position: Int,
        _ node: CodingPathNode,
        _ body: (any Decoder) throws -> Value
    ) throws -> Value {
        let mark = try enter(position, node)
        defer { leave(mark) }
        // Bound: `enter` has set the decoder below `depth`.
        return try body(unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped)
    }

    /// Enters a frame for a collection that is made without a decoder. Returns the coding path node to which the nodes
    /// of the elements point.
    ///
    /// **Bound.** The pointer is valid until the frame ends.
    @unsafe
    func enterCollection(at position: Int, _ node: CodingPathNode) throws -> (Mark, UnsafePointer<CodingPathNode>) {
        let mark = try enter(position, node)
        // Bound: `enter` has set the decoder below `depth`.
        let decoder = unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped
        return unsafe (mark, decoder.state.nodePointer)
    }

    @inline(__always)
    private func enter(_ position: Int, _ node: CodingPathNode) throws -> Mark {
        let depth = unsafe storage.pointee.depth
        let mark = unsafe Mark(keyed: storage.pointee.keyed, children: storage.pointee.children)
        // Bound: every session has capacity for more decoders than `framesWithoutStackCheck`.
        if depth < Self.framesWithoutStackCheck, let decoder = unsafe storage.pointee.decoders[depth] {
            decoder.state.reset(to: position, node)
        } else {
            try enterDeepFrame(position, node)
        }
        unsafe storage.pointee.depth = depth &+ 1
        return mark
    }

    @inline(never)
    private func enterDeepFrame(_ position: Int, _ node: CodingPathNode) throws {
        let depth = unsafe storage.pointee.depth
        if depth >= Self.framesWithoutStackCheck { try checkDepth(node) }
        if unsafe depth < storage.pointee.capacity, let decoder = unsafe storage.pointee.decoders[depth] {
            decoder.state.reset(to: position, node)
        } else {
            addDecoder(position, node)
        }
    }

    /// Checks that another nested value is allowed, and that the stack is large enough for it.
    private func checkDepth(_ node: @autoclosure () -> CodingPathNode) throws {
        let depth = unsafe storage.pointee.depth
        if depth >= Self.maximumDepth {
            throw corrupted("Expected at most \(depth) nested values, found more.", node())
        }
        if StackSpace.isLow {
            let node = node()
            // Child decoders have no frames, but their paths count too.
            let count = max(depth, node.path(in: nodes).count)
            throw corrupted("Expected at most \(count) nested values on this thread's stack, found more.", node)
        }
    }

    private func addDecoder(_ position: Int, _ node: CodingPathNode) {
        let depth = unsafe storage.pointee.depth
        if unsafe depth == storage.pointee.capacity {
            let larger = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: depth &* 2)
            unsafe larger.moveInitialize(from: storage.pointee.decoders, count: depth)
            unsafe (larger + depth).initialize(repeating: nil, count: depth)
            unsafe storage.pointee.decoders.deallocate()
            unsafe storage.pointee.decoders = larger
            unsafe storage.pointee.capacity = depth &* 2
        }
        unsafe storage.pointee.decoders[depth] = ValueDecoder(DecoderState(self, position, node))
    }

    /// The maximum number of nested frames. The limit is higher than the parser's default limit for nesting. It stops
    /// a type whose `init(from:)` endlessly decodes its own type from the same value.
    private static var maximumDepth: Int { 4096 }

    /// Whether the next frame needs no check of the stack.
    var isShallow: Bool { unsafe storage.pointee.depth < Self.framesWithoutStackCheck }

    /// The number of frames of typical types that fit on every supported stack (``StackSpace``), so that they need no
    /// check.
    private static var framesWithoutStackCheck: Int { 12 }

    @inline(__always)
    func leave(_ mark: Mark) {
        let depth = unsafe storage.pointee.depth &- 1
        unsafe storage.pointee.depth = depth
        let keyed = unsafe storage.pointee.keyed
        let children = unsafe storage.pointee.children?.toOpaque()
        if unsafe keyed != mark.keyed || children != mark.children?.toOpaque() {
            releaseContainers(to: mark)
        }
        let isFree = unsafe isKnownUniquelyReferenced(&storage.pointee.decoders[depth])
        if !isFree { detachDecoder(depth) }
    }

    @inline(never)
    private func detachDecoder(_ depth: Int) {
        unsafe storage.pointee.decoders[depth]?.detach()
        unsafe storage.pointee.decoders[depth] = nil
    }

    /// Releases every container and decoder registered since the mark. Those that user code retains become independent
    /// of the call (``Detachment``).
    @inline(never)
    private func releaseContainers(to mark: Mark) {
        var count = 0
        while let state = unsafe storage.pointee.keyed, unsafe state != mark.keyed {
            unsafe storage.pointee.keyed = state.pointee.next
            count &+= 1
            unsafe KeyedReader(state).release(isSurplus: count > Self.maximumIdle)
        }
        while let child = unsafe storage.pointee.children, unsafe child.toOpaque() != mark.children?.toOpaque() {
            var decoder: ValueDecoder? = unsafe child.takeRetainedValue()
            unsafe storage.pointee.children = decoder?.state.nextChild
            if !isKnownUniquelyReferenced(&decoder) { decoder?.detach() }
        }
    }

    /// Returns a child decoder, for a value inside the frame's value. The decoder lives as long as the frame, or is
    /// detached.
    func makeChild(at position: Int, _ node: CodingPathNode) throws -> ValueDecoder {
        // The depth is checked here, because a type may use the decoder without another frame, as classes do for their
        // superclass.
        try checkDepth(node)
        let decoder = ValueDecoder(DecoderState(self, position, node), holding: node.ownSource)
        if isDetached {
            decoder.detach()
        } else {
            unsafe decoder.state.nextChild = storage.pointee.children
            unsafe storage.pointee.children = .passRetained(decoder)
        }
        return decoder
    }

    /// Registers a keyed container for the innermost frame.
    @inline(__always)
    func registerContainer(_ state: UnsafeMutablePointer<KeyedDecodingState>) {
        unsafe state.pointee.next = storage.pointee.keyed
        unsafe storage.pointee.keyed = state
    }
}
