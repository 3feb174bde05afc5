extension EncodingContext {
    /// The heads of two lists at the start of a value's frame: the list of registered keyed containers, and the list of
    /// registered child encoders. The end of the frame restores both heads.
    @safe
    struct Mark {
        fileprivate let keyed: UnsafeMutablePointer<KeyedEncodingState>?
        fileprivate let children: Unmanaged<ValueEncoder>?
    }

    /// Writes a value through its type's own `encode(to:)`, in a frame of its own.
    @inline(__always)
    func encodePlain<Value: Encodable>(
        _ value: Value,
        _ node: CodingPathNode,
        into segment: OutputSegment
    ) throws -> Bool {
        try withEncoder(node, into: segment) { encoder in try value.encode(to: encoder) }
    }

    /// Writes a value through a closure that gets the encoder.
    @inline(__always)
    func withEncoder(
        _ node: CodingPathNode,
        into segment: OutputSegment,
        _ body: (any Encoder) throws -> Void
    ) throws -> Bool {
        let mark = try enter(node, segment)
        do {
            // Bound: `enter` has set the encoder below `depth`. Only `leave` can remove it, after the closure.
            let openEncoder = unsafe storage.pointee.encoders + (storage.pointee.depth &- 1)
            #if BILAYER_COUNTED_REFERENCES
            try body(unsafe openEncoder.pointee.encoder.unsafelyUnwrapped)
            #else
            try unsafe openEncoder.pointee.uncounted.unsafelyUnwrapped.pointee.use(body)
            #endif
        } catch {
            _ = leave(mark)
            throw MappingError.located(error, inValueAt: JsonPath(node.path(in: nil)))
        }
        return leave(mark)
    }

    /// Starts a frame for a value: puts an encoder at the current depth, and increases the depth.
    /// - Returns: The mark. The caller must pass it to ``leave(_:)`` after the value, even if the value failed.
    /// - Throws: `EncodingError` if the value is nested too deeply, or the stack is nearly full. No frame has started
    ///   then.
    @inline(__always)
    private func enter(_ node: CodingPathNode, _ segment: OutputSegment) throws -> Mark {
        let depth = unsafe storage.pointee.depth
        let mark = unsafe Mark(keyed: storage.pointee.keyed, children: storage.pointee.children)
        if segment.level > maximumDepth { throw tooDeep(node) }
        if depth >= Self.framesWithoutStackCheck, StackSpace.isLow {
            throw tooDeep(node, "Expected fewer nested values on this thread's stack.")
        }
        if unsafe depth < storage.pointee.capacity, let frame = unsafe storage.pointee.encoders[depth].frame {
            unsafe frame.reset(to: segment, node)
        } else {
            try addEncoder(node, segment)
        }
        unsafe storage.pointee.depth = depth &+ 1
        return mark
    }

    @inline(never)
    func tooDeep(_ node: CodingPathNode, _ description: String? = nil) -> EncodingError {
        let description =
            description ?? "Expected at most \(settings.maximumDepth) nested arrays and objects, found more."
        return .invalidValue(
            settings.maximumDepth,
            .init(codingPath: node.path(in: nil), debugDescription: description)
        )
    }

    /// The number of frames of typical types that fit on every supported stack (``StackSpace``), so that they need no
    /// check.
    private static var framesWithoutStackCheck: Int { 12 }

    /// Puts a new encoder at the current depth.
    @inline(never)
    private func addEncoder(_ node: CodingPathNode, _ segment: OutputSegment) throws {
        let depth = unsafe storage.pointee.depth
        if depth >= Self.maximumFrames {
            throw tooDeep(node, "Expected at most \(Self.maximumFrames) values inside each other, found more.")
        }
        if unsafe depth == storage.pointee.capacity {
            let larger = UnsafeMutablePointer<OpenEncoder>.allocate(capacity: depth &* 2)
            unsafe larger.moveInitialize(from: storage.pointee.encoders, count: depth)
            unsafe (larger + depth).initialize(repeating: OpenEncoder(), count: depth)
            unsafe storage.pointee.encoders.deallocate()
            unsafe storage.pointee.encoders = larger
            unsafe storage.pointee.capacity = depth &* 2
        }
        let encoder = ValueEncoder(self, FrameOwner(segment, node, isRunning: true, holding: nil))
        unsafe storage.pointee.encoders[depth] = OpenEncoder(
            encoder: encoder,
            frame: encoder.frame,
            uncounted: encoder.uncounted
        )
    }

    /// Records that a container is nested too deeply. This function is used where the `Encoder` protocol does not allow
    /// throwing.
    @inline(never)
    func recordTooDeep(_ frame: UnsafeMutablePointer<EncodingFrame>) {
        let node = unsafe frame.pointee.node.pointee
        unsafe frame.pointee.segment.recordMisuse(at: frame.pointee.start) { tooDeep(node) }
    }

    /// The maximum number of nested frames. This limit stops a type whose `encode(to:)` endlessly encodes its own type
    /// without opening an array or object.
    private static var maximumFrames: Int { 4096 }

    /// Ends the frame. Returns false if nothing was written.
    @inline(__always)
    private func leave(_ mark: Mark) -> Bool {
        let depth = unsafe storage.pointee.depth &- 1
        unsafe storage.pointee.depth = depth
        // Bound: `enter` has set the frame.
        let frame = unsafe storage.pointee.encoders[depth].frame.unsafelyUnwrapped
        let keyed = unsafe storage.pointee.keyed
        let children = unsafe storage.pointee.children?.toOpaque()
        if unsafe keyed != mark.keyed || children != mark.children?.toOpaque() {
            unsafe finish(frame, to: mark)
        } else {
            unsafe frame.finish()
        }
        let wasWritten = unsafe frame.pointee.form != .nothing
        if unsafe !isKnownUniquelyReferenced(&storage.pointee.encoders[depth].encoder) {
            detachEncoder(depth)
        } else if unsafe frame.pointee.names != nil || frame.pointee.nested != nil {
            unsafe frame.freeKeys()
        }
        return wasWritten
    }

    /// Detaches the encoder at a depth, because user code still references it. The next value at this depth gets a new
    /// encoder.
    @inline(never)
    private func detachEncoder(_ depth: Int) {
        if let encoder = unsafe storage.pointee.encoders[depth].encoder { detach(encoder) }
        unsafe storage.pointee.encoders[depth] = OpenEncoder()
    }

    private func detach(_ encoder: ValueEncoder) {
        encoder.detach()
        unsafe storage.pointee.detached.append(encoder)
    }

    /// Sets ``ValueEncoder/isInUse`` for the encoders that were registered since the mark. The property is true if the
    /// encoder's container encloses the frame's value, which happens if user code requests an outer container again.
    /// Such a container must not end with this frame. This case can be detected only before the frame's value ends.
    @inline(never)
    private func recordUse(to mark: Mark) {
        var child = unsafe storage.pointee.children
        while let next = unsafe child, unsafe next.toOpaque() != mark.children?.toOpaque() {
            unsafe child = next._withUnsafeGuaranteedRef { encoder in
                encoder.isInUse = unsafe encoder.frame.hasRunningInside
                return unsafe encoder.nextChild
            }
        }
    }

    /// Ends a frame's value and releases every container registered since the mark.
    @inline(never)
    private func finish(_ frame: UnsafeMutablePointer<EncodingFrame>, to mark: Mark) {
        if unsafe storage.pointee.children?.toOpaque() != mark.children?.toOpaque() { recordUse(to: mark) }
        unsafe frame.finish()
        releaseContainers(to: mark)
    }

    /// Releases every container and encoder registered since the mark. Encoders that are in use
    /// (``ValueEncoder/isInUse``) or that user code retains are detached: they stay usable until the call ends or, in a
    /// ``ListEncoding``, the element.
    @inline(__always)
    private func releaseContainers(to mark: Mark) {
        var count = 0
        while let state = unsafe storage.pointee.keyed, unsafe state != mark.keyed {
            unsafe storage.pointee.keyed = state.pointee.next
            count &+= 1
            unsafe KeyedWriter(state).release(isSurplus: count > Self.maximumIdle)
        }
        while let child = unsafe storage.pointee.children, unsafe child.toOpaque() != mark.children?.toOpaque() {
            var encoder: ValueEncoder? = unsafe child.takeRetainedValue()
            unsafe storage.pointee.children = encoder?.nextChild
            let isInUse = encoder?.isInUse ?? false
            if !isInUse { encoder?.finish() }
            if isInUse || !isKnownUniquelyReferenced(&encoder), let encoder { detach(encoder) }
        }
    }

    /// Returns a registered child encoder for a value at the end of `segment`. User code may write the value later, or
    /// never.
    func makeChild(_ node: CodingPathNode, into segment: OutputSegment) -> ValueEncoder {
        if let encoder = releasedChild() {
            encoder.reset(to: segment, node)
            return encoder
        }
        return registerEncoder(for: makeFrame(node, into: segment))
    }

    /// Returns the encoder that was registered last, if it can be used again: no code references the encoder or a
    /// container that writes through it.
    private func releasedChild() -> ValueEncoder? {
        guard let child = unsafe storage.pointee.children else { return nil }
        var encoder: ValueEncoder? = unsafe child.takeRetainedValue()
        let isReleased = isKnownUniquelyReferenced(&encoder)
        // Bound: `children` owns one reference, as before.
        let held = unsafe encoder.map(Unmanaged.passRetained)
        unsafe storage.pointee.children = held
        // An encoder that an outer frame has registered is released by that frame.
        guard isReleased, let encoder, unsafe encoder.depth == storage.pointee.depth else { return nil }
        return encoder.isReusable ? encoder : nil
    }

    /// Returns the state of the keyed container that the innermost frame registered last, if it has the key type, can
    /// be reused and is no longer referenced.
    @inline(never)
    func releasedState(
        of cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<KeyedEncodingState>? {
        guard let state = unsafe storage.pointee.keyed, unsafe state.pointee.cache == cache,
            unsafe state.pointee.reusesBox,
            unsafe state.pointee.depth == storage.pointee.depth,
            unsafe isKnownUniquelyReferenced(&state.pointee.retainProbe)
        else { return nil }
        return unsafe state
    }

    /// Makes a frame for a value at the end of a segment.
    func makeFrame(_ node: CodingPathNode, into segment: OutputSegment) -> FrameOwner {
        FrameOwner(segment, node, isRunning: false, holding: node.ownSource)
    }

    /// Makes and registers an encoder for a frame. Several encoders may share the frame.
    func registerEncoder(for owner: FrameOwner) -> ValueEncoder {
        let encoder = ValueEncoder(self, owner)
        encoder.depth = unsafe storage.pointee.depth
        unsafe encoder.nextChild = storage.pointee.children
        unsafe storage.pointee.children = .passRetained(encoder)
        return encoder
    }

    /// Ends the containers of detached encoders that are still open.
    func finishDetached() {
        for encoder in unsafe storage.pointee.detached { encoder.finish() }
    }

    /// Registers a keyed container for the innermost frame.
    @inline(__always)
    func registerContainer(_ state: UnsafeMutablePointer<KeyedEncodingState>) {
        unsafe state.pointee.depth = storage.pointee.depth
        unsafe state.pointee.next = storage.pointee.keyed
        unsafe storage.pointee.keyed = state
    }
}
