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
            clearMembersIfNameIsShared(number)
        }
        // Bound: `fill` leaves room for `number`, which is one byte.
        return unsafe entries[number].memberCount > 0 ? UnsafePointer(entries + number) : nil
    }

    /// The hash of a key's name. Only for keys that ``entryToWrite(_:named:)`` was asked for.
    func nameHash(_ number: Int) -> UInt64 { unsafe number < capacity ? entries[number].nameHash : 0 }

    private func clearMembersIfNameIsShared(_ number: Int) {
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

/// What look-up and writing need of one coding key: its name as bytes, made once and kept.
///
/// **Bound.** ``name`` has `max(length, 8)` readable bytes, zeros after the name; ``member`` has `memberCount`,
/// rounded up to a multiple of sixteen, and one more.
@safe
struct EncodedKey {
    /// The first eight bytes of the name, zeros after its end.
    var head: UInt64 = 0
    /// The bytes of ``head`` that belong to the name.
    var mask: UInt64 = 0
    /// The last eight bytes of a name of eight bytes or more.
    var tail: UInt64 = 0
    /// The index word of a string with this name, but for its place in the text. That of no string while the entry is
    /// empty.
    var shape: UInt64 = .max
    /// Length of the name in bytes, -1 while the entry is empty.
    var length = -1
    /// One bit out of 64, the same for equal names: tells most unequal names apart.
    var hash: UInt64 = 0
    /// The name as UTF-8.
    var name: UnsafeMutablePointer<UInt8>
    /// The name as it opens a member after another one, `,"name":`, escaped where needed.
    var member: UnsafeMutablePointer<UInt8>
    var memberCount = 0
    /// The hash of the name in ``WrittenNames``; only in tables of keys to write.
    var nameHash: UInt64 = 0

    /// An entry that was not requested yet.
    init() {
        unsafe name = Self.nothing
        unsafe member = Self.nothing
    }

    /// Makes the entry of a name.
    init(_ text: String) {
        var text = text
        unsafe (name, length) = text.withUTF8 { utf8 in
            // Room for the name and at least one whole word of zeros behind a short one.
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(utf8.count, 8))
            unsafe copy.initialize(repeating: 0, count: max(utf8.count, 8))
            if let start = utf8.baseAddress { unsafe copy.update(from: start, count: utf8.count) }
            return unsafe (copy, utf8.count)
        }
        let tag: IndexWord.Tag = text.utf8.allSatisfy { $0 < 0x80 } ? .asciiString : .unicodeString
        // The index has no lengths for the longest names: those are found by other means.
        if length < IndexWord.unknownLength { shape = IndexWord(tag, offset: 0, length: length).bits }
        mask = KeyPattern.mask(length: length)
        head = unsafe UnsafeRawPointer(name).loadUnaligned(as: UInt64.self)
        if length >= 8 { tail = unsafe UnsafeRawPointer(name + (length - 8)).loadUnaligned(as: UInt64.self) }
        hash = Self.hash(head: head, length: length)
        var opening = ByteWriter(capacity: length &+ 8)
        opening.write(key: MemberKey(text), isFirst: false)
        memberCount = opening.count
        let capacity = (memberCount &+ 15) & ~15 &+ 1
        unsafe member = .allocate(capacity: capacity)
        unsafe member.initialize(repeating: 0, count: capacity)
        unsafe member.update(from: opening.base, count: memberCount)
    }

    /// Whether another entry that is not empty was made from the same name.
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

    /// The hash of a name in a table of written names: seeded, of all its bytes, and never 0.
    static func nameHash(of name: String) -> UInt64 {
        name.withJsonBytes(KeySeed.process.hash) | 1
    }

    /// The bit of a name with this head, its other bytes masked away.
    @inline(__always)
    static func hash(head: UInt64, length: Int) -> UInt64 {
        let mixed = (head ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        return 1 &<< (mixed &>> 58)
    }

    /// What an entry that was not requested points to; never read, written or freed.
    private nonisolated(unsafe) static let nothing = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}

extension UnsafePointer<EncodedKey> {
    /// Whether the string at an index position, if it has no escapes, is this key.
    @inline(__always)
    func matches(_ nodes: JsonNodes, at position: Int) -> Bool {
        let word = unsafe nodes.words[unchecked: position]
        guard unsafe word.shape == pointee.shape else { return false }
        let offset = word.offset
        // The closing quote and at least one more byte follow every key, so most keys have eight readable bytes.
        guard offset &+ 8 <= nodes.bytes.count else { return unsafe matchesBytewise(nodes, at: offset) }
        if unsafe (nodes.bytes.word(at: offset) ^ pointee.head) & pointee.mask != 0 { return false }
        return unsafe pointee.length <= 8 || matchesRest(nodes, at: offset)
    }

    @inline(__always)
    private func matchesRest(_ nodes: JsonNodes, at offset: Int) -> Bool {
        let length = unsafe pointee.length
        if unsafe nodes.bytes.word(at: offset &+ length &- 8) != pointee.tail { return false }
        return unsafe length <= 16 || matchesInside(nodes, at: offset)
    }

    @inline(never)
    private func matchesInside(_ nodes: JsonNodes, at offset: Int) -> Bool {
        var index = 8
        while unsafe index &+ 8 < pointee.length {
            // Bound: place + 8 < length, and the name has `length` bytes.
            let word = unsafe UnsafeRawPointer(pointee.name + index).loadUnaligned(as: UInt64.self)
            if nodes.bytes.word(at: offset &+ index) != word { return false }
            index &+= 8
        }
        return true
    }

    @inline(never)
    private func matchesBytewise(_ nodes: JsonNodes, at offset: Int) -> Bool {
        // Bound: place < length, and the name has `length` bytes.
        unsafe (0..<pointee.length)
            .allSatisfy { index in unsafe nodes.bytes[unchecked: offset &+ index] == pointee.name[index] }
    }

    /// Whether the key at an index position, with or without escapes, is this one.
    func matchesUnescaped(_ nodes: JsonNodes, at position: Int) -> Bool {
        if nodes.tag(at: position) != .escapedString { return unsafe matches(nodes, at: position) }
        let name = unsafe UnsafeBufferPointer(start: pointee.name, count: pointee.length)
        return unsafe Array(nodes.string(at: position).utf8).elementsEqual(name)
    }
}

extension IndexWord {
    /// All of the word but the place in the text: the same for the same string, unless its length is unknown.
    @inline(__always)
    fileprivate var shape: UInt64 { bits & ~(0xFFFF_FFFF &<< 4) }
}

extension EncodedKey {
    /// The hash bit of the key at an index position; all bits for a key with escapes, which may be any.
    @inline(__always)
    static func hash(of nodes: JsonNodes, at position: Int) -> UInt64 {
        let word = unsafe nodes.words[unchecked: position]
        let length = word.shortLength
        guard word.tag != .escapedString, word.offset &+ 8 <= nodes.bytes.count else { return .max }
        return hash(head: nodes.bytes.word(at: word.offset) & KeyPattern.mask(length: length), length: length)
    }
}
