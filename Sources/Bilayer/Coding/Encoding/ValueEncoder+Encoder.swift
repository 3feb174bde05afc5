extension ValueEncoder: Encoder, SingleValueEncodingContainer {
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if open(.object) { return context.keyedContainer(type, of: self) }
        return context.keyedContainer(type, of: misusedEncoder(.object))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.array) ? JsonUnkeyedEncodingContainer(self) : JsonUnkeyedEncodingContainer(misusedEncoder(.array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Returns a container that writes the value as an object on the path of a key (``PathCodingKey``).
    func objectOnPath() -> ObjectOnPath {
        context.ownedContainer(PathStep.self, of: open(.object) ? self : misusedEncoder(.object))
    }

    /// Makes the value a container of a form. Returns false if the value already has another form. After the end of the
    /// call, returns true without using the context.
    @inline(__always)
    private func open(_ form: EncodingFrame.Form) -> Bool {
        if unsafe frame.pointee.segment.isDead { return true }
        guard unsafe frame.open(form) else { return false }
        if unsafe frame.pointee.level > context.maximumDepth { unsafe context.recordTooDeep(frame) }
        return true
    }

    /// Records a mistake in user code, for which the call throws an error at its end. Returns an encoder whose output
    /// is discarded.
    @inline(never)
    private func misusedEncoder(_ form: EncodingFrame.Form) -> ValueEncoder {
        unsafe context.recordMisuse("A second value of another form at one place.", at: node, in: frame)
        let unusedSegment = unsafe frame.pointee.segment.makeSegment(level: 0, isPart: true)
        let child = context.makeChild(node, into: unusedSegment)
        _ = child.open(form)
        return child
    }
}

// MARK: - A single value

extension ValueEncoder {
    /// Returns the segment, if the value is unwritten and the call is running; otherwise throws.
    @inline(__always)
    private func begin(_ value: some Any) throws -> OutputSegment {
        let segment = unsafe frame.pointee.segment
        guard unsafe frame.pointee.form == .nothing, !segment.isDead else {
            throw refusal(of: value)
        }
        unsafe frame.pointee.form = .scalar
        return segment
    }

    private func refusal(of value: some Any) -> EncodingError {
        let description =
            hasEnded ? "The encoding has ended." : "Expected one value at this coding path, found a second one."
        return .invalidValue(value, .init(codingPath: codingPath, debugDescription: description))
    }

    private func floatingPoint(_ value: some WritableFloatingPoint) throws {
        if value.isFinite { return value.write(to: try begin(value)) }
        guard !hasEnded else { throw refusal(of: value) }
        let text = try context.text(ofNonConforming: value) { codingPath }
        try begin(value).write(text)
    }

    func encodeNil() throws { try begin(Any?.none as Any).write(literal: "null") }

    func encode<Value: Encodable>(_ value: Value) throws {
        let segment = try begin(value)
        let begun = unsafe BegunValue(at: frame.pointee.start, of: segment)
        let issues = IssueLog.current?.mark
        do {
            try context.encodeMember(value, by: context.fastPath(of: Value.self), node, into: segment)
        } catch {
            begun.discard()
            unsafe frame.pointee.form = .nothing
            if let issues { IssueLog.current?.setAside(since: issues, failedBy: error) }
            throw error
        }
    }

    func encode(_ value: Bool) throws { try begin(value).write(value) }

    func encode(_ value: String) throws { try begin(value).write(value) }

    func encode(_ value: Double) throws {
        try floatingPoint(value)
    }

    func encode(_ value: Float) throws {
        try floatingPoint(value)
    }

    func encode(_ value: Int) throws { try begin(value).write(value) }

    func encode(_ value: Int8) throws { try begin(value).write(value) }

    func encode(_ value: Int16) throws { try begin(value).write(value) }

    func encode(_ value: Int32) throws { try begin(value).write(value) }

    func encode(_ value: Int64) throws { try begin(value).write(value) }

    func encode(_ value: UInt) throws { try begin(value).write(value) }

    func encode(_ value: UInt8) throws { try begin(value).write(value) }

    func encode(_ value: UInt16) throws { try begin(value).write(value) }

    func encode(_ value: UInt32) throws { try begin(value).write(value) }

    func encode(_ value: UInt64) throws { try begin(value).write(value) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try begin(value).write(ascii: value.description) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try begin(value).write(ascii: value.description) }
}

extension EncodingContext {
    /// Returns the cache of a key type.
    @inline(__always)
    func keyTypeCache<Key: CodingKey>(of type: Key.Type) -> UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>> {
        unsafe storage.pointee.keyTypeCaches.value(for: type) {
            unsafe .make(type, optimizations: settings.optimizations)
        }
    }

    /// Returns a keyed container of an encoder. The encoder's value must be an object.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ type: Key.Type, of encoder: ValueEncoder) -> KeyedEncodingContainer<Key> {
        let frame = unsafe encoder.frame
        if unsafe frame.pointee.segment.isDead { return unsafe makeContainer(type, nil, encoder) }
        let cache = unsafe keyTypeCache(of: type)
        // The bits belong to one key type. The keys of a second key type are compared by name.
        if unsafe frame.pointee.cache == nil, unsafe frame.pointee.count == 0 {
            unsafe frame.pointee.cache = UnsafeMutableRawPointer(cache)
        }
        guard let state = unsafe idleState(of: cache) else { return unsafe makeContainer(type, cache, encoder) }
        unsafe state.pointee.frame = frame
        unsafe state.pointee.encoder = .passUnretained(encoder)
        unsafe KeyedWriter(state).findEntries()
        // Bound: `makeContainer` has stored the box of a container of this key type, after checking
        // `ContainerBox.canReuseEncoding`, and the factory for that type.
        let factory = unsafe unsafeDowncast(
            cache.pointee.factory.unsafelyUnwrapped,
            to: ContainerFactory<KeyedEncodingContainer<Key>>.self
        )
        return unsafe factory.container(boxedAt: state.retainProbeAddress)
    }

    /// Returns an unused container of a key type, which is then registered; `nil` if there is none.
    @inline(__always)
    private func idleState(
        of cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<KeyedEncodingState>? {
        guard let state = unsafe cache.pointee.idle else { return unsafe releasedState(of: cache) }
        unsafe cache.pointee.idle = state.pointee.next
        unsafe registerContainer(state)
        return unsafe state
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(
        _ type: Key.Type,
        _ cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>?,
        _ encoder: ValueEncoder
    ) -> KeyedEncodingContainer<Key> {
        if let memberPaths = unsafe cache?.pointee.memberPaths {
            if let obstacle = memberPaths.encodingFailure {
                unsafe recordMisuse(obstacle, at: encoder.node, in: encoder.frame)
            }
            return KeyedEncodingContainer(PathWriting(ownedContainer(PathStep.self, of: encoder), memberPaths))
        }
        let writer = unsafe makeWriter(cache, encoder)
        let state = unsafe writer.state
        if unsafe cache != nil, settings.optimizations.contains(.containerReuse), ContainerBox.canReuseEncoding {
            let container = KeyedEncodingContainer(
                JsonKeyedEncodingContainer<Key, NoHolder>(writer: writer, holder: NoHolder())
            )
            unsafe state.pointee.retainProbe = unsafeBitCast(container, to: AnyObject.self)
            unsafe state.pointee.reusesBox = true
            unsafe cache?.pointee.factory = ContainerFactory<KeyedEncodingContainer<Key>>()
            return container
        }
        return KeyedEncodingContainer(owned(by: writer) as JsonKeyedEncodingContainer<Key, KeyedEncodingHolder>)
    }

    /// Returns a keyed container that owns its state. The encoder's value must be an object.
    func ownedContainer<Key: CodingKey>(
        _ type: Key.Type,
        of encoder: ValueEncoder
    ) -> JsonKeyedEncodingContainer<Key, KeyedEncodingHolder> {
        let hasEnded = unsafe encoder.frame.pointee.segment.isDead
        return owned(by: unsafe makeWriter(hasEnded ? nil : keyTypeCache(of: type), encoder))
    }

    private func owned<Key: CodingKey>(by writer: KeyedWriter) -> JsonKeyedEncodingContainer<Key, KeyedEncodingHolder> {
        let holder = KeyedEncodingHolder(writer)
        if unsafe writer.state.pointee.cache != nil { unsafe writer.state.pointee.retainProbe = holder }
        return JsonKeyedEncodingContainer(writer: writer, holder: holder)
    }

    /// Makes the state of a keyed container.
    ///
    /// Bound: without a cache the call has ended, and the state retains the encoder. With a cache the frame retains the
    /// encoder until the frame releases the container.
    @unsafe
    private func makeWriter(
        _ cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>?,
        _ encoder: ValueEncoder
    ) -> KeyedWriter {
        let state = UnsafeMutablePointer<KeyedEncodingState>.allocate(capacity: 1)
        unsafe state.initialize(
            to: KeyedEncodingState(
                context: self,
                frame: encoder.frame,
                cache: cache,
                encoder: .passUnretained(encoder)
            )
        )
        let writer = unsafe KeyedWriter(state)
        writer.findEntries()
        if unsafe cache != nil {
            unsafe registerContainer(state)
        } else {
            unsafe state.pointee.retainedEncoder = encoder
        }
        return writer
    }
}

/// Owns the state of a keyed container whose box is not reused.
final class KeyedEncodingHolder {
    private let writer: KeyedWriter

    init(_ writer: KeyedWriter) { self.writer = writer }

    deinit { writer.deallocate() }
}

extension ContainerBox {
    /// Whether a container of this encoder can be made again from the standard library's box around it.
    static let canReuseEncoding: Bool = {
        guard MemoryLayout.offset(of: \KeyedEncodingState.retainProbe) == 0 else { return false }
        // The state is never read, so it is not initialized.
        let state = UnsafeMutablePointer<KeyedEncodingState>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        let writer = unsafe KeyedWriter(state)
        return isReference(
            KeyedEncodingContainer(JsonKeyedEncodingContainer<PathKey, NoHolder>(writer: writer, holder: NoHolder()))
        )
    }()
}
