/// The key names of one `CodingKey` type as bytes (``EncodedKey``). The type's values take one byte each, or no bytes
/// if there is only one, as in `CodingKeys` that the compiler synthesizes.
///
/// A table belongs to one session, and a session serves one call at a time, so no lock is needed.
@safe
struct KeyTable {
    private var entries: UnsafeMutablePointer<EncodedKey>
    /// The number of entries for which there is memory.
    private(set) var capacity: Int
    /// The smaller memory from before the table grew. The smaller memory is kept, because readers may still use it.
    private var outgrown: UnsafeMutablePointer<EncodedKey>?
    private let hasBytes: Bool
    /// The set of keys whose names may be cached, one bit each; see ``canCacheName(_:)``.
    private var cacheable = SIMD4<UInt64>()

    /// Makes a table for keys that take one byte, or no bytes if `hasBytes` is false.
    init(hasBytes: Bool, capacity: Int = 16) {
        self.hasBytes = hasBytes
        self.capacity = capacity
        unsafe entries = .allocate(capacity: capacity)
        unsafe entries.initialize(repeating: EncodedKey(), count: capacity)
    }

    /// All entries, including empty entries, indexed by a key's byte; `nil` if keys have no byte. The pointer stays
    /// valid when the table grows, but entries added later cannot be read through it.
    @inline(__always)
    var readable: UnsafePointer<EncodedKey>? { unsafe hasBytes ? UnsafePointer(entries) : nil }

    /// Whether a key's name may be cached. True if `init(stringValue:)` makes an equal key from the name, as
    /// synthesized code does. A type whose names can change fails the check, unless its `init(stringValue:)` follows
    /// the changes.
    @inline(__always)
    mutating func canCacheName<Key: CodingKey>(_ key: Key) -> Bool {
        let number = Self.number(of: key)
        // A number is one byte.
        return cacheable[number &>> 6] & Self.bit(number) != 0 || findCacheable(key, number)
    }

    /// Checks whether a key's name may be cached. Only a positive result is stored.
    @inline(never)
    private mutating func findCacheable<Key: CodingKey>(_ key: Key, _ number: Int) -> Bool {
        guard let same = Key(stringValue: key.stringValue), Self.number(of: same) == number else { return false }
        cacheable[number &>> 6] |= Self.bit(number)
        return true
    }

    @inline(__always)
    private static func bit(_ number: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: number & 63) }

    /// Returns the entry of a key, made on first use. The pointer stays valid when the table grows, but then does not
    /// show later changes of the entry.
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

    /// Returns the entry of a key whose JSON key may differ from its name. The entry is empty, and matches no key,
    /// until ``setJSONKey(_:_:filterBit:)`` sets the JSON key. The pointer stays valid when the table grows, but then
    /// does not show a JSON key that is set later.
    mutating func entry(_ number: Int) -> UnsafePointer<EncodedKey> {
        if number >= capacity { grow() }
        // Bound: `grow` leaves room for `number`, which is one byte.
        return unsafe UnsafePointer(entries + number)
    }

    /// Sets the JSON key of a key, unless it is already set. A set entry never changes, because readers may still use a
    /// copy of it from before the table grew.
    mutating func setJSONKey(_ number: Int, _ jsonKey: String, filterBit: UInt64) {
        if number >= capacity { grow() }
        guard unsafe entries[number].length < 0 else { return }
        var entry = EncodedKey(jsonKey)
        entry.filterBit = filterBit
        unsafe entries[number] = entry
    }

    /// Returns the bytes to write for a key, made on first use; `nil` if the key is written by name. Two keys with the
    /// same name are both written by name, because the duplicate can be detected only by name.
    mutating func entryToWrite(_ number: Int, named name: () -> String) -> UnsafePointer<EncodedKey>? {
        if unsafe number >= capacity || entries[number].length < 0 {
            let name = name()
            fill(number, name)
            unsafe entries[number].nameHash = EncodedKey.nameHash(of: name)
            clearMembersIfNameIsShared(number)
        }
        // Bound: `fill` leaves room for `number`, which is one byte.
        return unsafe entries[number].memberCount > 0 ? UnsafePointer(entries + number) : nil
    }

    /// Returns the hash of a key's name. It is set only for keys that were passed to ``entryToWrite(_:named:)``.
    func nameHash(_ number: Int) -> UInt64 { unsafe number < capacity ? entries[number].nameHash : 0 }

    /// If another key has the name of this key, makes both keys be written by name.
    private func clearMembersIfNameIsShared(_ number: Int) {
        for other in 0..<capacity where other != number {
            guard unsafe entries[other].hasSameName(as: entries[number]) else { continue }
            unsafe entries[other].memberCount = 0
            unsafe entries[number].memberCount = 0
        }
    }

    /// Makes room for all keys of one byte. The table grows at most once.
    private mutating func grow() {
        let larger = UnsafeMutablePointer<EncodedKey>.allocate(capacity: 256)
        unsafe larger.initialize(from: entries, count: capacity)
        unsafe (larger + capacity).initialize(repeating: EncodedKey(), count: 256 &- capacity)
        unsafe outgrown = entries
        unsafe entries = larger
        capacity = 256
    }

    /// Frees all memory.
    func deallocate() {
        for number in 0..<capacity { unsafe entries[number].deallocate() }
        unsafe entries.deallocate()
        unsafe outgrown?.deallocate()
    }

    /// Whether the values of a key type take at most one byte each and contain no references.
    static func suits<Key: CodingKey>(_ type: Key.Type) -> Bool {
        MemoryLayout<Key>.size <= 1 && _isPOD(Key.self)
    }

    /// Returns a key's one byte, or 0 if the type has no bytes. The type must pass ``suits(_:)``.
    @inline(__always)
    static func number<Key: CodingKey>(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : byte(of: key)
    }

    /// Returns the byte of a key whose type has one byte.
    @inline(__always)
    static func byte<Key: CodingKey>(of key: Key) -> Int {
        // Bound: the caller has checked `suits`, so the key is one byte.
        Int(unsafe unsafeBitCast(key, to: UInt8.self))
    }
}

/// The name of one coding key as bytes, prepared for look-up and for writing.
///
/// **Bound.** ``name`` has `max(length, 8)` readable bytes, zeros after the name. ``member`` has `memberCount` bytes,
/// rounded up to a multiple of sixteen, and one more.
@safe
struct EncodedKey {
    /// The first eight bytes of the name, zeros after its end.
    var head: UInt64 = 0
    /// The bits of ``head`` that belong to the name.
    var mask: UInt64 = 0
    /// The last eight bytes of a name of eight bytes or more.
    var tail: UInt64 = 0
    /// The index word of a string with this name, without its offset in the text. In an empty entry, and for a name
    /// whose length the index does not store, this is a value that no string has.
    var shape: UInt64 = .max
    /// The length of the name in bytes; -1 while the entry is empty.
    var length = -1
    /// The name's bit in a filter of names (``KeyHash/filterBit``).
    var filterBit: UInt64 = 0
    /// The name as UTF-8.
    var name: UnsafeMutablePointer<UInt8>
    /// The bytes that open a member with this name after another member, `,"name":`, escaped where needed.
    var member: UnsafeMutablePointer<UInt8>
    var memberCount = 0
    /// The hash of the name in ``WrittenNames``. The hash is set only in tables of keys to write.
    var nameHash: UInt64 = 0

    /// Makes an empty entry.
    init() {
        unsafe name = Self.nothing
        unsafe member = Self.nothing
    }

    /// Makes the entry of a name.
    init(_ text: String) {
        var text = text
        unsafe (name, length) = text.withUTF8 { utf8 in
            // Capacity for the name and at least one whole word, with zeros after a short name.
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(utf8.count, 8))
            unsafe copy.initialize(repeating: 0, count: max(utf8.count, 8))
            if let start = utf8.baseAddress { unsafe copy.update(from: start, count: utf8.count) }
            return unsafe (copy, utf8.count)
        }
        let tag: IndexWord.Tag = text.utf8.allSatisfy { $0 < 0x80 } ? .asciiString : .unicodeString
        // The index stores no length for the longest names, so only an escaped key can match their entries.
        if length < IndexWord.unknownLength { shape = IndexWord(tag, offset: 0, length: length).bits }
        mask = JsonBytes.mask(length: length)
        head = unsafe UnsafeRawPointer(name).loadUnaligned(as: UInt64.self)
        if length >= 8 { tail = unsafe UnsafeRawPointer(name + (length - 8)).loadUnaligned(as: UInt64.self) }
        var opening = ByteWriter(capacity: length &+ 8)
        opening.write(key: MemberKey(text), isFirst: false)
        memberCount = opening.count
        let capacity = (memberCount &+ 15) & ~15 &+ 1
        unsafe member = .allocate(capacity: capacity)
        unsafe member.initialize(repeating: 0, count: capacity)
        unsafe member.update(from: opening.base, count: memberCount)
        filterBit = pattern.filterBit
    }

    /// Whether both entries have the same name. False if this entry is empty.
    func hasSameName(as other: EncodedKey) -> Bool {
        guard length == other.length, length >= 0, head == other.head else { return false }
        // Bound: both names have `length` bytes.
        let bytes = unsafe UnsafeBufferPointer(start: name, count: length)
        return unsafe bytes.elementsEqual(UnsafeBufferPointer(start: other.name, count: length))
    }

    /// Frees the bytes of an entry that was made from a name.
    func deallocate() {
        if length >= 0 {
            unsafe name.deallocate()
            unsafe member.deallocate()
        }
    }

    /// The hash of a name in a table of written names. It is seeded, covers all bytes, and is never 0.
    static func nameHash(of name: String) -> UInt64 {
        name.withJsonBytes(KeySeed.process.hash) | 1
    }

    /// The name as a search pattern for keys with escapes. The entry must not be empty.
    ///
    /// Bound: the name has `length` bytes, which live as long as the entry.
    fileprivate var pattern: KeyPattern {
        unsafe KeyPattern(JsonBytes(UnsafeRawBufferPointer(start: name, count: length)))
    }

    /// The target of an empty entry's pointers. The byte is never read, written or freed.
    private nonisolated(unsafe) static let nothing = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}

extension UnsafePointer<EncodedKey> {
    /// Whether the string at an index position is this key. Always false for a string with escapes.
    @inline(__always)
    func matches(_ nodes: JsonNodes, at position: Int) -> Bool {
        let word = unsafe nodes.words[unchecked: position]
        guard unsafe word.shape == pointee.shape else { return false }
        let offset = word.offset
        // The closing quote and at least one more byte follow every key, so most keys have eight readable bytes.
        guard offset &+ 8 <= nodes.bytes.count else { return unsafe matchesBytewise(nodes, at: offset) }
        if unsafe (nodes.bytes.word(unchecked: offset) ^ pointee.head) & pointee.mask != 0 { return false }
        return unsafe pointee.length <= 8 || matchesRest(nodes, at: offset)
    }

    @inline(__always)
    private func matchesRest(_ nodes: JsonNodes, at offset: Int) -> Bool {
        let length = unsafe pointee.length
        if unsafe nodes.bytes.word(unchecked: offset &+ length &- 8) != pointee.tail { return false }
        return unsafe length <= 16 || matchesInside(nodes, at: offset)
    }

    @inline(never)
    private func matchesInside(_ nodes: JsonNodes, at offset: Int) -> Bool {
        var index = 8
        while unsafe index &+ 8 < pointee.length {
            // Bound: index + 8 < length, and the name has `length` bytes.
            let word = unsafe UnsafeRawPointer(pointee.name + index).loadUnaligned(as: UInt64.self)
            if unsafe nodes.bytes.word(unchecked: offset &+ index) != word { return false }
            index &+= 8
        }
        return true
    }

    @inline(never)
    private func matchesBytewise(_ nodes: JsonNodes, at offset: Int) -> Bool {
        // Bound: index < length, and the name has `length` bytes.
        unsafe (0..<pointee.length)
            .allSatisfy { index in unsafe nodes.bytes[unchecked: offset &+ index] == pointee.name[index] }
    }

    /// Whether the key at an index position is this key, with or without escapes.
    @inline(__always)
    func isKey(in nodes: JsonNodes, at position: Int) -> Bool {
        if unsafe matches(nodes, at: position) { return true }
        return unsafe nodes.tag(at: position) == .escapedString && pointee.pattern.isKey(in: nodes, at: position)
    }
}

extension IndexWord {
    /// The word without the offset in the text. Equal strings without escapes have equal shapes.
    @inline(__always)
    fileprivate var shape: UInt64 { bits & ~(0xFFFF_FFFF &<< 4) }
}
