/// The entries of one `CodingKey` type whose values are told apart by one byte: what the compiler makes for a type's
/// fields.
///
/// A table belongs to one session, and a session works for one call at a time, so nothing here needs a lock.
@safe
struct KeyTable {
    private var entries: UnsafeMutablePointer<EncodedKey>
    /// How many entries there is room for.
    private(set) var capacity: Int
    /// The entries before the table has grown.
    private var outgrown: UnsafeMutablePointer<EncodedKey>?
    private let hasBytes: Bool

    /// Makes a table for keys of one byte, or of none.
    init(hasBytes: Bool, capacity: Int = 16) {
        self.hasBytes = hasBytes
        self.capacity = capacity
        unsafe entries = .allocate(capacity: capacity)
        unsafe entries.initialize(repeating: EncodedKey(), count: capacity)
    }

    /// The entries for who reads them by a key's byte, empty ones too; nil if keys have no byte. They stay valid when
    /// the table grows, then without what is filled in later.
    @inline(__always)
    var readable: UnsafePointer<EncodedKey>? { unsafe hasBytes ? UnsafePointer(entries) : nil }

    /// The entry of a key, made on first use. Valid until the next call with a greater number.
    /// - Parameters:
    ///   - number: The key's one byte.
    ///   - key: The key itself.
    /// - Returns: The entry.
    @inline(__always)
    mutating func entry(_ number: Int, for key: some CodingKey) -> UnsafePointer<EncodedKey> {
        if unsafe number >= capacity || entries[number].length < 0 { fill(number, key.stringValue) }
        // Bound: `fill` leaves room for `number`, which is one byte.
        return unsafe UnsafePointer(entries + number)
    }

    /// Makes the entry of a key that has none.
    @inline(never)
    mutating func fill(_ number: Int, _ name: String) {
        if number >= capacity { grow() }
        unsafe entries[number] = EncodedKey(name)
    }

    /// The entry of a key that is spelled otherwise in texts than in its type; an empty one, which fits no text, before
    /// it has a spelling. Valid until the next call with a greater number.
    mutating func entry(_ number: Int) -> UnsafePointer<EncodedKey> {
        if number >= capacity { grow() }
        // Bound: `grow` leaves room for `number`, which is one byte.
        return unsafe UnsafePointer(entries + number)
    }

    /// Gives a key its spelling. The first one stays: who reads the entries of before the table has grown has a copy of
    /// it.
    mutating func spell(_ number: Int, _ spelling: String, hash: UInt64 = 0) {
        if number >= capacity { grow() }
        guard unsafe entries[number].length < 0 else { return }
        var entry = EncodedKey(spelling)
        entry.hash = hash
        unsafe entries[number] = entry
    }

    /// What is written for a key, made on first use; nil if it goes by name. Where two keys have one name both do, and
    /// so it is noticed.
    mutating func entryToWrite(_ number: Int, named name: () -> String) -> UnsafePointer<EncodedKey>? {
        if unsafe number >= capacity || entries[number].length < 0 {
            let name = name()
            fill(number, name)
            unsafe entries[number].nameHash = EncodedKey.nameHash(of: name)
            silenceIfNotAlone(number)
        }
        // Bound: `fill` leaves room for `number`, which is one byte.
        return unsafe entries[number].memberCount > 0 ? UnsafePointer(entries + number) : nil
    }

    /// The hash of a key's name. Only for keys that ``entryToWrite(_:named:)`` was asked for.
    func nameHash(_ number: Int) -> UInt64 { unsafe number < capacity ? entries[number].nameHash : 0 }

    private func silenceIfNotAlone(_ number: Int) {
        for other in 0..<capacity where other != number {
            guard unsafe entries[other].hasSameName(as: entries[number]) else { continue }
            unsafe entries[other].memberCount = 0
            unsafe entries[number].memberCount = 0
        }
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<EncodedKey>.allocate(capacity: 256)
        unsafe larger.initialize(from: entries, count: capacity)
        unsafe (larger + capacity).initialize(repeating: EncodedKey(), count: 256 &- capacity)
        unsafe outgrown = entries
        unsafe entries = larger
        capacity = 256
    }

    /// Frees everything.
    func deallocate() {
        for number in 0..<capacity { unsafe entries[number].deallocate() }
        unsafe entries.deallocate()
        unsafe outgrown?.deallocate()
    }

    /// Whether keys of a type can be told apart by one byte.
    static func suits<Key: CodingKey>(_ type: Key.Type) -> Bool {
        MemoryLayout<Key>.size <= 1 && _isPOD(Key.self)
    }

    /// A key's one byte. Only for types that suit.
    @inline(__always)
    static func number<Key: CodingKey>(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : byte(of: key)
    }

    /// The number of a key whose type is known to have one byte.
    @inline(__always)
    static func byte<Key: CodingKey>(of key: Key) -> Int {
        // Bound: the caller has asked `suits`, so the key is one byte.
        Int(unsafe unsafeBitCast(key, to: UInt8.self))
    }
}
