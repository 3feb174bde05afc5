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
