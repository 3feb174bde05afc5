extension ValueEncoder: Encoder, SingleValueEncodingContainer {
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if open(.object) { return context.keyedContainer(type, of: self) }
        return context.keyedContainer(type, of: astray(.object))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.array) ? JsonUnkeyedEncodingContainer(self) : JsonUnkeyedEncodingContainer(astray(.array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Makes the value a container of a form; false if it has another form. True after the call, whose context is gone.
    @inline(__always)
    private func open(_ form: EncodingFrame.Form) -> Bool {
        if unsafe slot.pointee.sink.isDead { return true }
        guard unsafe slot.open(form) else { return false }
        if unsafe slot.pointee.level > context.maximumDepth { context.noteTooDeep(at: place) }
        return true
    }

    /// An encoder that writes nowhere: the call fails in the end.
    @inline(never)
    private func astray(_ form: EncodingFrame.Form) -> ValueEncoder {
        context.noteMisuse("A second value of another form at one place.", at: place)
        let nowhere = unsafe slot.pointee.sink.makeSink(level: 0, isPart: true)
        let child = context.makeChild(place, into: nowhere)
        _ = child.open(form)
        return child
    }
}

// MARK: - A single value

extension ValueEncoder {
    /// The sink, if it is this value's turn.
    @inline(__always)
    private func begin(_ value: some Any) throws -> OutputSegment {
        let sink = unsafe slot.pointee.sink
        guard unsafe slot.pointee.form == .nothing, !sink.isDead else {
            throw refusal(of: value)
        }
        unsafe slot.pointee.form = .scalar
        return sink
    }

    private func refusal(of value: some Any) -> EncodingError {
        let description = hasEnded ? "The encoding has ended." : "A second value at one place."
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
        let sink = try begin(value)
        let begun = unsafe BegunValue(at: slot.pointee.start, of: sink)
        do {
            try context.encodeMember(value, by: context.route(of: Value.self), place, into: sink)
        } catch {
            begun.takeBack()
            unsafe slot.pointee.form = .nothing
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
    /// A keyed container of an encoder whose value is an object.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ type: Key.Type, of encoder: ValueEncoder) -> KeyedEncodingContainer<Key> {
        let slot = unsafe encoder.slot
        if unsafe slot.pointee.sink.isDead { return unsafe makeContainer(type, nil, encoder) }
        let home = unsafe home(of: type)
        // Bits belong to the keys of one type; a second type's keys are told apart by name.
        if unsafe slot.pointee.home == nil, unsafe slot.pointee.count == 0 {
            unsafe slot.pointee.home = UnsafeMutableRawPointer(home)
        }
        guard let state = unsafe idleState(of: home) else { return unsafe makeContainer(type, home, encoder) }
        unsafe state.pointee.slot = slot
        unsafe state.pointee.encoder = .passUnretained(encoder)
        unsafe KeyedWriter(state).findEntries()
        // Bound: `makeContainer` has put the box of a container of this key type there, after
        // `ContainerBox.canReuseEncoding`, and the factory for that type.
        let factory = unsafe unsafeDowncast(
            home.pointee.factory.unsafelyUnwrapped,
            to: ContainerFactory<KeyedEncodingContainer<Key>>.self
        )
        return unsafe factory.container(boxedAt: state.retainProbeAddress)
    }

    /// An unused container of a key type, handed out.
    @inline(__always)
    private func idleState(
        of home: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<KeyedEncodingState>? {
        guard let state = unsafe home.pointee.idle else { return unsafe droppedState(of: home) }
        unsafe home.pointee.idle = state.pointee.next
        unsafe handOut(state)
        return unsafe state
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(
        _ type: Key.Type,
        _ home: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>?,
        _ encoder: ValueEncoder
    ) -> KeyedEncodingContainer<Key> {
        if let places = unsafe home?.pointee.places {
            if let obstacle = places.obstacleToWriting { noteMisuse(obstacle, at: encoder.place) }
            return KeyedEncodingContainer(PathWriting(keyedContainer(PathStep.self, of: encoder), places))
        }
        let state = UnsafeMutablePointer<KeyedEncodingState>.allocate(capacity: 1)
        unsafe state.initialize(
            to: KeyedEncodingState(
                context: self,
                slot: encoder.slot,
                home: home,
                encoder: .passUnretained(encoder)
            )
        )
        let writer = unsafe KeyedWriter(state)
        writer.findEntries()
        if unsafe home != nil { unsafe handOut(state) } else { unsafe state.pointee.heldEncoder = encoder }
        if unsafe home != nil, settings.optimizations.contains(.containerReuse), ContainerBox.canReuseEncoding {
            let container = KeyedEncodingContainer(
                JsonKeyedEncodingContainer<Key, NoHolder>(writer: writer, holder: NoHolder())
            )
            unsafe state.pointee.retainProbe = unsafeBitCast(container, to: AnyObject.self)
            unsafe state.pointee.isReused = true
            unsafe home?.pointee.factory = ContainerFactory<KeyedEncodingContainer<Key>>()
            return container
        }
        let holder = KeyedWritingHolder(writer)
        if unsafe home != nil { unsafe state.pointee.retainProbe = holder }
        return KeyedEncodingContainer(
            JsonKeyedEncodingContainer<Key, KeyedWritingHolder>(writer: writer, holder: holder)
        )
    }
}

/// Owns the state of a keyed container whose box is not used again.
final class KeyedWritingHolder {
    private let writer: KeyedWriter

    init(_ writer: KeyedWriter) { self.writer = writer }

    deinit { writer.deallocate() }
}

extension ContainerBox {
    /// Whether the containers of this encoder can be made again from their boxes.
    static let canReuseEncoding: Bool = {
        guard MemoryLayout.offset(of: \KeyedEncodingState.retainProbe) == 0 else { return false }
        // Never looked into, so its state need not be set.
        let state = UnsafeMutablePointer<KeyedEncodingState>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        let writer = unsafe KeyedWriter(state)
        return isReference(
            KeyedEncodingContainer(JsonKeyedEncodingContainer<PathKey, NoHolder>(writer: writer, holder: NoHolder()))
        )
    }()
}
