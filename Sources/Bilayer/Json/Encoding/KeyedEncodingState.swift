/// What a keyed container writes to, and what is known about its keys.
@safe
struct KeyedEncodingState: ContainerState {
    typealias Converted = WrittenKeys

    var witness: AnyObject?
    var context: EncodingContext
    /// The value that the container is; it belongs to ``encoder``.
    var slot: UnsafeMutablePointer<EncodingSlot>
    /// What to write for keys, by their one byte, and for how many of them; `nil` where it is not as simple as that.
    var entries: UnsafePointer<KeyEntry>?
    var room = 0
    /// What is known about the key type; `nil` once the call has ended.
    var home: UnsafeMutablePointer<KeyedHome<KeyedEncodingState>>?
    /// The encoder whose container this is. Held once user code has kept the container; before, the frame holds it.
    var encoder: Unmanaged<ValueEncoder>
    var heldEncoder: ValueEncoder?
    /// How many frames were open when the container was handed out.
    var depth = 0

    /// The path of a key, for a strategy that asks for it: all but the last key are used again for the next one.
    var customPath: [any CodingKey] = []

    /// The key of the value that is being encoded, where keys have no numbers; used again for the next one.
    var lentKey: CodingKeySource?
    var isLentKeyFree = true

    /// Whether the witness is the standard library's box, to be used again.
    var isReused = false
    var next: UnsafeMutablePointer<KeyedEncodingState>?
}

extension EncodingContext {
    /// A keyed container of an encoder whose value is an object.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ type: Key.Type, of encoder: ValueEncoder) -> KeyedEncodingContainer<Key> {
        let slot = unsafe encoder.slot
        if unsafe slot.pointee.sink.isDead { return unsafe makeContainer(type, nil, encoder) }
        let home = unsafe home(of: type)
        // Bits belong to the keys of one type; a second type's keys are told apart by name.
        if unsafe slot.pointee.home == nil, unsafe slot.pointee.count == 0 { unsafe slot.pointee.home = home }
        guard let state = unsafe idleState(of: home) else { return unsafe makeContainer(type, home, encoder) }
        unsafe state.pointee.slot = slot
        unsafe state.pointee.encoder = .passUnretained(encoder)
        unsafe KeyedWriter(state).findEntries()
        // Bound: `makeContainer` has put the box of a container of this key type there, after `ContainerBox.canReuseEncoding`,
        // and the vendor for that type.
        let vendor = unsafe unsafeDowncast(
            home.pointee.vendor.unsafelyUnwrapped,
            to: ContainerVendor<KeyedEncodingContainer<Key>>.self
        )
        return unsafe vendor.container(boxedAt: state.witnessAddress)
    }

    /// A container of a key type that nobody uses, handed out.
    @inline(__always)
    private func idleState(
        of home: UnsafeMutablePointer<KeyedHome<KeyedEncodingState>>
    ) -> UnsafeMutablePointer<KeyedEncodingState>? {
        guard let state = unsafe home.pointee.idle else { return unsafe droppedState(of: home) }
        unsafe home.pointee.idle = state.pointee.next
        unsafe handOut(state)
        return unsafe state
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(
        _ type: Key.Type,
        _ home: UnsafeMutablePointer<KeyedHome<KeyedEncodingState>>?,
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
        if unsafe home != nil, settings.tricks.contains(.containerReuse), ContainerBox.canReuseEncoding {
            let container = KeyedEncodingContainer(KeyedWriting<Key, NoHolder>(writer: writer, holder: NoHolder()))
            unsafe state.pointee.witness = unsafeBitCast(container, to: AnyObject.self)
            unsafe state.pointee.isReused = true
            unsafe home?.pointee.vendor = ContainerVendor<KeyedEncodingContainer<Key>>()
            return container
        }
        let holder = KeyedWritingHolder(writer)
        if unsafe home != nil { unsafe state.pointee.witness = holder }
        return KeyedEncodingContainer(KeyedWriting<Key, KeyedWritingHolder>(writer: writer, holder: holder))
    }
}

extension KeyedWriter {
    /// Takes a container back when the frame that handed it out ends.
    /// - Parameter isSurplus: Whether enough containers are kept for the next frame.
    func takeBack(isSurplus: Bool) {
        let isFree = unsafe isKnownUniquelyReferenced(&state.pointee.witness)
        if isFree, unsafe state.pointee.isReused, let home = unsafe state.pointee.home {
            if isSurplus { return deallocate() }
            if unsafe state.pointee.lentKey != nil { unsafe state.pointee.lentKey = nil }
            unsafe state.pointee.next = home.pointee.idle
            unsafe home.pointee.idle = state
            return
        }
        unsafe state.pointee.next = nil
        if !isFree { unsafe state.pointee.heldEncoder = state.pointee.encoder.takeUnretainedValue() }
        if unsafe state.pointee.isReused {
            unsafe EncodingSession.idle.keep(state)
        } else {
            // The holder frees the state, now or when user code lets go of it.
            let holder = unsafe state.pointee.witness
            unsafe state.pointee.witness = nil
            withExtendedLifetime(holder) {}
        }
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
        guard MemoryLayout.offset(of: \KeyedEncodingState.witness) == 0 else { return false }
        // Never looked into, so its state need not be set.
        let state = UnsafeMutablePointer<KeyedEncodingState>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        let writer = unsafe KeyedWriter(state)
        return isReference(KeyedEncodingContainer(KeyedWriting<PathKey, NoHolder>(writer: writer, holder: NoHolder())))
    }()
}
