extension DecodingContext {
    /// What a frame found when it began, to be put back when it ends.
    @safe
    struct Mark {
        fileprivate let keyed: UnsafeMutablePointer<KeyedState>?
        fileprivate let children: Unmanaged<ValueDecoder>?
    }

    /// Makes a value through its type's own `init(from:)`, in a frame of its own.
    @inline(__always)
    func makeValue<Value: Decodable>(_ type: Value.Type, at position: Int, _ node: CodingPathNode) throws -> Value {
        let mark = try enter(position, node)
        defer { leave(mark) }
        // Bound: `enter` has filled the slot below `depth`.
        return try Value(from: unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped)
    }

    /// Makes a value through a closure that gets the decoder.
    func withDecoder<Value>(
        at position: Int,
        _ node: CodingPathNode,
        _ body: (any Decoder) throws -> Value
    ) throws -> Value {
        let mark = try enter(position, node)
        defer { leave(mark) }
        // Bound: `enter` has filled the slot below `depth`.
        return try body(unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped)
    }

    /// A frame for a collection that is made without a decoder, and the place that those of its elements point to.
    ///
    /// **Bound.** The place is valid until the frame ends.
    @unsafe
    func enterCollection(at position: Int, _ node: CodingPathNode) throws -> (Mark, UnsafePointer<CodingPathNode>) {
        let mark = try enter(position, node)
        // Bound: `enter` has filled the slot below `depth`.
        let decoder = unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped
        return unsafe (mark, decoder.state.nodePointer)
    }

    @inline(__always)
    private func enter(_ position: Int, _ node: CodingPathNode) throws -> Mark {
        let depth = unsafe storage.pointee.depth
        let mark = unsafe Mark(keyed: storage.pointee.keyed, children: storage.pointee.children)
        // Bound: there is room for more decoders than that in every session.
        if depth < Self.framesWithoutLook, let decoder = unsafe storage.pointee.decoders[depth] {
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
        if depth >= Self.framesWithoutLook { try checkDepth(node) }
        if unsafe depth < storage.pointee.capacity, let decoder = unsafe storage.pointee.decoders[depth] {
            decoder.state.reset(to: position, node)
        } else {
            addDecoder(position, node)
        }
    }

    /// Makes sure that there may be another value inside those that are being made.
    private func checkDepth(_ node: @autoclosure () -> CodingPathNode) throws {
        let depth = unsafe storage.pointee.depth
        if depth >= Self.maximumDepth { throw corrupted("More than \(depth) values inside each other.", node()) }
        if StackRoom.isLow {
            throw corrupted("The thread's stack is too small for more than \(depth) values inside each other.", node())
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

    /// Frames inside each other before a decoder is taken for one that never ends. A document's own nesting is limited
    /// by its parser to fewer; this stops types that decode themselves from one and the same value.
    private static var maximumDepth: Int { 4096 }

    /// Frames that every stack has room for.
    private static var framesWithoutLook: Int { 12 }

    @inline(__always)
    func leave(_ mark: Mark) {
        let depth = unsafe storage.pointee.depth &- 1
        unsafe storage.pointee.depth = depth
        let keyed = unsafe storage.pointee.keyed
        let children = unsafe storage.pointee.children?.toOpaque()
        if unsafe keyed != mark.keyed || children != mark.children?.toOpaque() {
            reclaim(to: mark)
        }
        let isFree = unsafe isKnownUniquelyReferenced(&storage.pointee.decoders[depth])
        if !isFree { detachDecoder(depth) }
    }

    @inline(never)
    private func detachDecoder(_ depth: Int) {
        unsafe storage.pointee.decoders[depth]?.detach()
        unsafe storage.pointee.decoders[depth] = nil
    }

    /// Takes back what was handed out since the mark; cuts loose what user code has kept.
    @inline(never)
    private func reclaim(to mark: Mark) {
        var count = 0
        while let state = unsafe storage.pointee.keyed, unsafe state != mark.keyed {
            unsafe storage.pointee.keyed = state.pointee.next
            count &+= 1
            unsafe KeyedReader(state).reclaim(isSurplus: count > Self.mostIdle)
        }
        while let child = unsafe storage.pointee.children, unsafe child.toOpaque() != mark.children?.toOpaque() {
            var decoder: ValueDecoder? = unsafe child.takeRetainedValue()
            unsafe storage.pointee.children = decoder?.state.nextChild
            if !isKnownUniquelyReferenced(&decoder) { decoder?.detach() }
        }
    }

    /// A further decoder, for a value inside the one that a frame is for. It lives as long as that frame, or is cut
    /// loose.
    func makeChild(at position: Int, _ node: CodingPathNode) throws -> ValueDecoder {
        // A type may go on with it without a frame of its own, as classes do with their superclass.
        try checkDepth(node)
        let decoder = ValueDecoder(DecoderState(self, position, node), holding: node.heldSource)
        if isDetached {
            decoder.detach()
        } else {
            unsafe decoder.state.nextChild = storage.pointee.children
            unsafe storage.pointee.children = .passRetained(decoder)
        }
        return decoder
    }

    /// Notes that the innermost frame has handed out a keyed container.
    @inline(__always)
    func lend(_ state: UnsafeMutablePointer<KeyedState>) {
        unsafe state.pointee.next = storage.pointee.keyed
        unsafe storage.pointee.keyed = state
    }
}
