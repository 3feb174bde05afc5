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
    var place: CodingPlace { unsafe state.pointee.slot.pointee.place.pointee }
    var path: [any CodingKey] { place.path(in: nil) }

    /// Writes a key; the sink is ready for its value then.
    @inline(__always)
    func begin<Key: CodingKey>(_ key: Key) throws -> EncodingSink {
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
        unsafe slot.pointee.written |= bit
        unsafe sink.write(member: entry, isFirst: slot.pointee.count == 0)
        unsafe slot.pointee.count &+= 1
        return sink
    }

    /// The same where something has to be done before, or once for each key.
    @inline(never)
    private func beginSlowly<Key: CodingKey>(_ key: Key) throws -> EncodingSink {
        guard let sink = unsafe state.pointee.slot.begin() else { throw ended(key) }
        // From here on the call is known to go on.
        // Without a table, keys have no numbers.
        guard let home = unsafe state.pointee.home, unsafe home.pointee.table != nil,
            let entry = unsafe entry(KeyTable.number(of: key), for: key, in: home)
        else { return begin(named: key, in: sink) }
        let number = KeyTable.number(of: key)
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        let usesBits = unsafe state.pointee.slot.pointee.home == home
        if usesBits, number < 64, unsafe state.pointee.slot.pointee.written & bit == 0 {
            unsafe state.pointee.slot.pointee.written |= bit
        } else {
            note(context.settings.keys.name(for: key, in: place))
        }
        // `begin` of the slot has written the comma.
        unsafe sink.write(member: entry, isFirst: true)
        return sink
    }

    /// What is written for a key; nil if it goes by name.
    private func entry(
        _ number: Int,
        for key: some CodingKey,
        in home: UnsafeMutablePointer<KeyedHome<KeyedEncodingState>>
    ) -> UnsafePointer<KeyEntry>? {
        if context.keepsKeys { return unsafe home.pointee.table?.pointee.entryToWrite(number) { key.stringValue } }
        return unsafe context.writtenKeys(of: home)?.pointee
            .entry(number) { context.settings.keys.name(for: key, in: place) }
    }

    /// Gets ready to write keys by their numbers, if that is possible: they belong to the type whose bits ``EncodingSlot/written`` are.
    @inline(__always)
    func findEntries() {
        let home = unsafe state.pointee.home
        guard let table = unsafe home?.pointee.table, unsafe state.pointee.slot.pointee.home == home, context.keepsKeys
        else { return findConvertedEntries() }
        unsafe state.pointee.entries = table.pointee.readable
        unsafe state.pointee.room = min(table.pointee.capacity, 64)
    }

    @inline(never)
    private func findConvertedEntries() {
        guard let home = unsafe state.pointee.home, unsafe state.pointee.slot.pointee.home == home,
            let keys = unsafe context.writtenKeys(of: home)
        else {
            unsafe state.pointee.entries = nil
            return
        }
        unsafe state.pointee.entries = keys.pointee.table.readable
        unsafe state.pointee.room = keys.pointee.table.capacity
    }

    /// The same for keys that are not in a table, or not written as they are.
    @inline(never)
    private func begin(named key: some CodingKey, in sink: EncodingSink) -> EncodingSink {
        let name = context.settings.keys.name(for: key, in: place)
        note(name)
        sink.write(name)
        sink.write(byte: Ascii.colon)
        return sink
    }

    /// Remembers a key by name, for containers whose keys one bit each cannot tell apart.
    @inline(never)
    private func note(_ name: String) {
        let slot = unsafe state.pointee.slot
        var names = unsafe slot.pointee.names ?? slot.writtenNames(by: context.settings.keys)
        if !names.insert(JsonKey(text: name)).inserted { context.noteDuplicate(name, in: place) }
        unsafe slot.pointee.names = names
        // A key that comes later by its bit may be one of the names.
        unsafe slot.pointee.written = .max
    }

    /// The error of writing after the end of the call.
    func ended(_ key: any CodingKey) -> EncodingError {
        .invalidValue(
            key.stringValue,
            .init(codingPath: path + [key], debugDescription: "The encoding that this container belongs to has ended.")
        )
    }

    /// An encoder for a key's value, written now.
    func child(_ key: some CodingKey) -> ValueEncoder {
        guard let sink = try? begin(key) else { return .ended(path: path + [key], userInfo) }
        return withPlace(of: key) { place in context.makeChild(place, into: sink) }
    }

    /// An encoder for a key's value, written any time before the end of the call.
    func superEncoder(_ key: some CodingKey) -> ValueEncoder {
        guard let sink = unsafe state.pointee.slot.begin() else { return .ended(path: path + [key], userInfo) }
        _ = begin(named: key, in: sink)
        return withNamedPlace(of: key) { place in context.makeSuperEncoder(place, in: sink) }
    }

    private var userInfo: [CodingUserInfoKey: Any] { unsafe state.pointee.heldEncoder?.userInfo ?? [:] }

    /// The place of a key's value.
    @inline(__always)
    func withPlace<Key: CodingKey, Value>(of key: Key, _ body: (CodingPlace) throws -> Value) rethrows -> Value {
        if let source = unsafe state.pointee.home?.pointee.source {
            let number = KeyTable.number(of: key)
            return try body(unsafe CodingPlace(in: outerPlace, source: .passUnretained(source), number: number))
        }
        return try withNamedPlace(of: key, body)
    }

    /// The same for a key of any type.
    func withNamedPlace<Value>(of key: any CodingKey, _ body: (CodingPlace) throws -> Value) rethrows -> Value {
        let base = CodingPathBase([key])
        return try withExtendedLifetime(base) {
            try body(unsafe CodingPlace(in: outerPlace, source: .passUnretained(base), number: 0))
        }
    }

    @inline(__always)
    private var outerPlace: UnsafePointer<CodingPlace> { unsafe UnsafePointer(state.pointee.slot.pointee.place) }
}

extension UnsafeMutablePointer<EncodingSlot> {
    /// The names of the keys that were noted as bits.
    fileprivate func writtenNames(by strategy: JsonEncoder.KeyStrategy) -> Set<JsonKey> {
        guard let source = unsafe pointee.home?.pointee.source else { return [] }
        let written = unsafe pointee.written
        let numbers = (0..<64).filter { written & 1 &<< UInt64($0) != 0 }
        let place = unsafe pointee.place.pointee
        let keys = numbers.flatMap { source.keys($0) }
        return Set(keys.map { key in JsonKey(text: strategy.name(for: key, in: place)) })
    }
}
