extension DecodingContext {
    /// What a frame found when it began, to be put back when it ends.
    @safe
    struct Mark {
        fileprivate let keyed: UnsafeMutablePointer<KeyedState>?
        fileprivate let children: Unmanaged<ValueDecoder>?
    }

    /// Makes a value through its type's own `init(from:)`, in a frame of its own.
    @inline(__always)
    func makeValue<Value: Decodable>(_ type: Value.Type, at position: Int, _ place: CodingPathNode) throws -> Value {
        let mark = try enter(position, place)
        defer { leave(mark) }
        // Bound: `enter` has filled the slot below `depth`.
        return try Value(from: unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped)
    }

    /// Makes a value through a closure that gets the decoder.
    func withDecoder<Value>(
        at position: Int,
        _ place: CodingPathNode,
        _ body: (any Decoder) throws -> Value
    ) throws -> Value {
        let mark = try enter(position, place)
        defer { leave(mark) }
        // Bound: `enter` has filled the slot below `depth`.
        return try body(unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped)
    }

    /// A frame for a collection that is made without a decoder, and the place that those of its elements point to.
    ///
    /// **Bound.** The place is valid until the frame ends.
    @unsafe
    func enterCollection(at position: Int, _ place: CodingPathNode) throws -> (Mark, UnsafePointer<CodingPathNode>) {
        let mark = try enter(position, place)
        // Bound: `enter` has filled the slot below `depth`.
        let decoder = unsafe storage.pointee.decoders[storage.pointee.depth &- 1].unsafelyUnwrapped
        return unsafe (mark, decoder.state.placePointer)
    }

    @inline(__always)
    private func enter(_ position: Int, _ place: CodingPathNode) throws -> Mark {
        let depth = unsafe storage.pointee.depth
        let mark = unsafe Mark(keyed: storage.pointee.keyed, children: storage.pointee.children)
        // Bound: there is room for more decoders than that in every session.
        if depth < Self.framesWithoutLook, let decoder = unsafe storage.pointee.decoders[depth] {
            decoder.state.aim(at: position, place)
        } else {
            try enterDeepFrame(position, place)
        }
        unsafe storage.pointee.depth = depth &+ 1
        return mark
    }

    @inline(never)
    private func enterDeepFrame(_ position: Int, _ place: CodingPathNode) throws {
        let depth = unsafe storage.pointee.depth
        if depth >= Self.framesWithoutLook { try checkDepth(place) }
        if unsafe depth < storage.pointee.capacity, let decoder = unsafe storage.pointee.decoders[depth] {
            decoder.state.aim(at: position, place)
        } else {
            addDecoder(position, place)
        }
    }

    /// Makes sure that there may be another value inside those that are being made.
    private func checkDepth(_ place: @autoclosure () -> CodingPathNode) throws {
        let depth = unsafe storage.pointee.depth
        if depth >= Self.maximumDepth { throw corrupted("More than \(depth) values inside each other.", place()) }
        if StackRoom.isLow {
            throw corrupted("The thread's stack is too small for more than \(depth) values inside each other.", place())
        }
    }

    private func addDecoder(_ position: Int, _ place: CodingPathNode) {
        let depth = unsafe storage.pointee.depth
        if unsafe depth == storage.pointee.capacity {
            let larger = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: depth &* 2)
            unsafe larger.moveInitialize(from: storage.pointee.decoders, count: depth)
            unsafe (larger + depth).initialize(repeating: nil, count: depth)
            unsafe storage.pointee.decoders.deallocate()
            unsafe storage.pointee.decoders = larger
            unsafe storage.pointee.capacity = depth &* 2
        }
        unsafe storage.pointee.decoders[depth] = ValueDecoder(DecoderState(self, position, place))
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
            takeBack(to: mark)
        }
        let isFree = unsafe isKnownUniquelyReferenced(&storage.pointee.decoders[depth])
        if !isFree { letGoDecoder(depth) }
    }

    @inline(never)
    private func letGoDecoder(_ depth: Int) {
        unsafe storage.pointee.decoders[depth]?.detach()
        unsafe storage.pointee.decoders[depth] = nil
    }

    /// Takes back what was handed out since the mark; cuts loose what user code has kept.
    @inline(never)
    private func takeBack(to mark: Mark) {
        var count = 0
        while let state = unsafe storage.pointee.keyed, unsafe state != mark.keyed {
            unsafe storage.pointee.keyed = state.pointee.next
            count &+= 1
            unsafe KeyedReader(state).takeBack(isSurplus: count > Self.mostIdle)
        }
        while let child = unsafe storage.pointee.children, unsafe child.toOpaque() != mark.children?.toOpaque() {
            var decoder: ValueDecoder? = unsafe child.takeRetainedValue()
            unsafe storage.pointee.children = decoder?.state.nextChild
            if !isKnownUniquelyReferenced(&decoder) { decoder?.detach() }
        }
    }

    /// A further decoder, for a value inside the one that a frame is for. It lives as long as that frame, or is cut
    /// loose.
    func makeChild(at position: Int, _ place: CodingPathNode) throws -> ValueDecoder {
        // A type may go on with it without a frame of its own, as classes do with their superclass.
        try checkDepth(place)
        let decoder = ValueDecoder(DecoderState(self, position, place), holding: place.heldSource)
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
    func handOut(_ state: UnsafeMutablePointer<KeyedState>) {
        unsafe state.pointee.next = storage.pointee.keyed
        unsafe storage.pointee.keyed = state
    }
}
