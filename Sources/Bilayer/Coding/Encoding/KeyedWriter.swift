/// A keyed container's view of its object. One word, so that the standard library's box around it can be used again.
///
/// **Bound.** As for ``KeyedReader``.
@safe
struct KeyedWriter {
    let state: UnsafeMutablePointer<KeyedEncodingState>

    init(_ state: UnsafeMutablePointer<KeyedEncodingState>) { unsafe self.state = state }

    func deallocate() {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    @inline(__always)
    var context: EncodingContext { unsafe state.pointee.context }
    var place: CodingPathNode { unsafe state.pointee.slot.pointee.place.pointee }
    var path: [any CodingKey] { place.path(in: nil) }

    /// Writes a key; its value is written next.
    @inline(__always)
    func begin<Key: CodingKey>(_ key: Key) throws -> BegunValue {
        guard let entries = unsafe state.pointee.entries else { return try beginSlowly(key) }
        let number = KeyTable.byte(of: key)
        guard unsafe number < state.pointee.room else { return try beginSlowly(key) }
        // Bound: `room` entries can be read, and bits for as many be told apart.
        let entry = unsafe entries + number
        let slot = unsafe state.pointee.slot
        let sink = unsafe slot.pointee.sink
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        guard unsafe slot.pointee.written & bit == 0, unsafe sink.top == slot, unsafe entry.pointee.memberCount > 0
        else { return try beginSlowly(key) }
        let begun = BegunValue(at: sink.count, of: sink)
        unsafe slot.pointee.written |= bit
        unsafe sink.write(member: entry, isFirst: slot.pointee.count == 0)
        unsafe slot.pointee.count &+= 1
        return begun
    }

    /// Begins a member where something has to be done before, or once for each key.
    @inline(never)
    private func beginSlowly<Key: CodingKey>(_ key: Key) throws -> BegunValue {
        guard let begun = unsafe state.pointee.slot.begin() else { throw ended(key) }
        // From here on the call is known to go on.
        // Without a table, keys have no numbers.
        guard let home = unsafe state.pointee.home, unsafe home.pointee.table != nil, unsafe home.isFixed(key),
            let entry = unsafe entry(KeyTable.number(of: key), for: key, in: home)
        else { return begin(named: key, begun) }
        if let bit = bit(of: key), unsafe state.pointee.slot.pointee.written & bit == 0 {
            unsafe state.pointee.slot.pointee.written |= bit
        } else {
            unsafe note(entry.pointee.nameHash, at: begun) { name(of: key) }
        }
        // `begin` of the slot has written the comma.
        unsafe begun.sink.write(member: entry, isFirst: true)
        return begun
    }

    /// The key's bit in ``EncodingFrame/written``; nil if it has none.
    private func bit<Key: CodingKey>(of key: Key) -> UInt64? {
        guard let home = unsafe state.pointee.home, unsafe home.pointee.table != nil,
            unsafe state.pointee.slot.pointee.home == UnsafeMutableRawPointer(home)
        else { return nil }
        let number = KeyTable.number(of: key)
        return number < 64 ? 1 &<< UInt64(truncatingIfNeeded: number) : nil
    }

    /// Removes a member whose value has failed, so that its key can be written again.
    func takeBack<Key: CodingKey>(_ begun: BegunValue, _ key: Key) {
        let slot = unsafe state.pointee.slot
        unsafe slot.pointee.count &-= 1
        begun.takeBack()
        if unsafe slot.pointee.names == nil {
            if let bit = bit(of: key) { unsafe slot.pointee.written &= ~bit }
            return
        }
        let name = name(of: key)
        unsafe slot.pointee.names?.pointee.remove(EncodedKey.nameHash(of: name), at: begun.start)
    }

    /// What a key is called in the text.
    private func name(of key: some CodingKey) -> String {
        guard case .custom(let convert) = context.settings.keys else { return context.settings.keys.name(for: key) }
        if unsafe state.pointee.customPath.isEmpty {
            unsafe state.pointee.customPath = place.path(in: nil, and: key)
        } else {
            unsafe state.pointee.customPath[state.pointee.customPath.count - 1] = key
        }
        return convert(unsafe state.pointee.customPath).stringValue
    }

    /// What is written for a key; nil if it goes by name.
    private func entry(
        _ number: Int,
        for key: some CodingKey,
        in home: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafePointer<EncodedKey>? {
        if context.keepsKeys { return unsafe home.pointee.table?.pointee.entryToWrite(number) { key.stringValue } }
        return unsafe context.writtenKeys(of: home)?.pointee
            .entry(number) { name(of: key) }
    }

    /// Gets ready to write keys by their numbers, if that is possible: they belong to the type whose bits
    /// ``EncodingFrame/written`` are.
    @inline(__always)
    func findEntries() {
        guard let home = unsafe state.pointee.home, let table = unsafe home.pointee.table,
            unsafe state.pointee.slot.pointee.home == UnsafeMutableRawPointer(home), context.keepsKeys
        else { return findConvertedEntries() }
        unsafe state.pointee.entries = table.pointee.readable
        unsafe state.pointee.room = min(table.pointee.capacity, 64)
    }

    @inline(never)
    private func findConvertedEntries() {
        unsafe state.pointee.customPath = []
        guard let home = unsafe state.pointee.home,
            unsafe state.pointee.slot.pointee.home == UnsafeMutableRawPointer(home),
            let keys = unsafe context.writtenKeys(of: home)
        else {
            unsafe state.pointee.entries = nil
            return
        }
        unsafe state.pointee.entries = keys.pointee.table.readable
        unsafe state.pointee.room = keys.pointee.table.capacity
    }

    /// Begins a member whose key is not in a table, or not written as it is.
    @inline(never)
    private func begin(named key: some CodingKey, _ begun: BegunValue) -> BegunValue {
        let name = name(of: key)
        note(EncodedKey.nameHash(of: name), at: begun) { name }
        begun.sink.write(name)
        begun.sink.write(byte: Ascii.colon)
        return begun
    }

    /// Remembers a key by its name's hash, for containers whose keys one bit each cannot tell apart.
    private func note(_ hash: UInt64, at begun: BegunValue, _ name: () -> String) {
        let names = unsafe writtenNames()
        if unsafe !names.pointee.insert(hash, at: begun.start) { context.noteDuplicate(name(), in: place) }
    }

    /// The names of the keys that were written, by which the object goes from now on.
    private func writtenNames() -> UnsafeMutablePointer<WrittenNames<SlotOwner>> {
        let slot = unsafe state.pointee.slot
        if let names = unsafe slot.pointee.names { return unsafe names }
        let names = unsafe UnsafeMutablePointer<WrittenNames<SlotOwner>>.make(capacity: slot.pointee.count)
        unsafe slot.pointee.names = names
        unsafe noteBits(of: slot, in: names)
        // A key that comes later by its bit may be one of the names.
        unsafe slot.pointee.written = .max
        var next = unsafe slot.pointee.nested
        while let owner = next {
            if let key = unsafe owner.slot.pointee.place.pointee.path(in: nil).last {
                let name = name(of: key)
                unsafe names.pointee.note(owner, for: EncodedKey.nameHash(of: name))
            }
            next = owner.next
        }
        return unsafe names
    }

    /// Notes the names of the keys that were noted as bits.
    private func noteBits(
        of slot: UnsafeMutablePointer<EncodingFrame>,
        in names: UnsafeMutablePointer<WrittenNames<SlotOwner>>
    ) {
        guard let address = unsafe slot.pointee.home else { return }
        // Bound: it was set to a home of this encoder's keyed containers.
        let home = unsafe address.assumingMemoryBound(to: KeyTypeCache<KeyedEncodingState>.self)
        let converted = unsafe context.keepsKeys ? nil : context.writtenKeys(of: home)
        var bits = unsafe slot.pointee.written
        while bits != 0 {
            let number = bits.trailingZeroBitCount
            bits &= bits &- 1
            let hash = unsafe converted?.pointee.table.nameHash(number) ?? home.pointee.table?.pointee.nameHash(number)
            _ = unsafe names.pointee.insert(hash ?? 0, at: 0)
        }
    }

    /// The error of writing after the end of the call.
    func ended(_ key: any CodingKey) -> EncodingError {
        .invalidValue(
            key.stringValue,
            .init(codingPath: path + [key], debugDescription: "The encoding that this container belongs to has ended.")
        )
    }

    /// Whether the call goes on.
    var isAlive: Bool { unsafe !state.pointee.slot.pointee.sink.isDead }

    /// An encoder for a nested container of a key: the one that was handed out before, if there is one.
    func nested(_ key: some CodingKey) -> ValueEncoder {
        guard isAlive else { return .ended(path: path + [key], userInfo) }
        switch earlier(key) {
        case .container(let owner): return context.handOut(owner)
        case .value: return misused(key)
        case .nothing: break
        }
        guard let sink = try? begin(key).sink else { return .ended(path: path + [key], userInfo) }
        let slot = unsafe state.pointee.slot
        return withPlace(of: key) { place in
            let owner = context.makeSlot(place, into: sink)
            unsafe owner.next = slot.pointee.nested
            unsafe slot.pointee.nested = owner
            if let names = unsafe slot.pointee.names {
                let name = self.name(of: key)
                unsafe names.pointee.note(owner, for: EncodedKey.nameHash(of: name))
            }
            return context.handOut(owner)
        }
    }

    /// What was written for a key.
    private enum Earlier {
        case nothing
        case value
        case container(SlotOwner)
    }

    private func earlier(_ key: some CodingKey) -> Earlier {
        let slot = unsafe state.pointee.slot
        if unsafe slot.pointee.count == 0 { return .nothing }
        if unsafe slot.pointee.names == nil, let bit = bit(of: key), unsafe slot.pointee.written & bit == 0 {
            return .nothing
        }
        let names = unsafe writtenNames()
        let hash = EncodedKey.nameHash(of: name(of: key))
        if let container = unsafe names.pointee.container(hash) { return .container(container) }
        return unsafe names.pointee.contains(hash) ? .value : .nothing
    }

    /// An encoder that writes nowhere, for a container whose key has a value: the call fails in the end.
    private func misused(_ key: some CodingKey) -> ValueEncoder {
        let slot = unsafe state.pointee.slot
        return withPlace(of: key) { place in
            context.noteMisuse("A nested container for a key that has a value.", at: place)
            return unsafe context.makeChild(place, into: slot.pointee.sink.makeSink(level: 0, isPart: true))
        }
    }

    /// An encoder for a key's value, written any time before the end of the call.
    func superEncoder<Key: CodingKey>(forKey key: Key) -> ValueEncoder {
        guard let begun = try? begin(key) else { return .ended(path: path + [key], userInfo) }
        return withPlace(of: key) { place in context.makeChild(place, into: begun.sink) }
    }

    /// An encoder for the key `super`, which is none of the type's.
    func superEncoder() -> ValueEncoder {
        let key = PathKey.super
        guard let begun = unsafe state.pointee.slot.begin() else { return .ended(path: path + [key], userInfo) }
        _ = begin(named: key, begun)
        return withNamedPlace(of: key) { place in context.makeChild(place, into: begun.sink) }
    }

    private var userInfo: [CodingUserInfoKey: Any] { unsafe state.pointee.heldEncoder?.userInfo ?? [:] }

    /// The place of a key's value while that is encoded.
    @inline(__always)
    func withLentPlace<Key: CodingKey>(of key: Key, _ body: (CodingPathNode) throws -> Void) throws {
        if let source = unsafe state.pointee.home?.pointee.source {
            let number = KeyTable.number(of: key)
            return try body(unsafe CodingPathNode(in: outerPlace, source: .passUnretained(source), number: number))
        }
        try withLentKey(key, body)
    }

    /// The place of a key without a number, made of one object for all keys of the container.
    @inline(never)
    private func withLentKey<Key: CodingKey>(_ key: Key, _ body: (CodingPathNode) throws -> Void) throws {
        // While a value is encoded, another one may be begun in the same container.
        guard unsafe state.pointee.isLentKeyFree else { return try withPlace(lending: LentKey(key), body) }
        guard let known = unsafe state.pointee.lentKey else {
            unsafe state.pointee.lentKey = LentKey(key)
            return try withLentKey(key, body)
        }
        // Bound: a container's state belongs to one key type as long as it has the object.
        unsafe unsafeDowncast(known, to: LentKey<Key>.self).key = key
        unsafe state.pointee.isLentKeyFree = false
        defer { unsafe state.pointee.isLentKeyFree = true }
        try withPlace(lending: known, body)
    }

    @inline(__always)
    private func withPlace(lending key: CodingKeySource, _ body: (CodingPathNode) throws -> Void) throws {
        try withExtendedLifetime(key) {
            try body(unsafe CodingPathNode(in: outerPlace, source: .passUnretained(key), number: 0))
        }
    }

    /// The place of a key's value.
    @inline(__always)
    func withPlace<Key: CodingKey, Value>(of key: Key, _ body: (CodingPathNode) throws -> Value) rethrows -> Value {
        if let source = unsafe state.pointee.home?.pointee.source {
            let number = KeyTable.number(of: key)
            return try body(unsafe CodingPathNode(in: outerPlace, source: .passUnretained(source), number: number))
        }
        return try withNamedPlace(of: key, body)
    }

    /// The place of the value of a key of any type.
    func withNamedPlace<Value>(of key: any CodingKey, _ body: (CodingPathNode) throws -> Value) rethrows -> Value {
        let base = CodingPathBase([key])
        return try withExtendedLifetime(base) {
            try body(unsafe CodingPathNode(in: outerPlace, source: .passUnretained(base), number: 0))
        }
    }

    @inline(__always)
    private var outerPlace: UnsafePointer<CodingPathNode> { unsafe UnsafePointer(state.pointee.slot.pointee.place) }
}

/// The key of the value that a container is encoding.
private final class LentKey<Key: CodingKey>: CodingKeySource {
    var key: Key

    // Apart, so that only who makes one looks its type up.
    @inline(never)
    init(_ key: Key) { self.key = key }

    override func key(_ number: Int, part: Int) -> any CodingKey { key }
}

extension KeyedWriter {
    /// Takes a container back when the frame that handed it out ends.
    /// - Parameter isSurplus: Whether enough containers are kept for the next frame.
    func takeBack(isSurplus: Bool) {
        let isFree = unsafe isKnownUniquelyReferenced(&state.pointee.retainProbe)
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
            let holder = unsafe state.pointee.retainProbe
            unsafe state.pointee.retainProbe = nil
            withExtendedLifetime(holder) {}
        }
    }
}
