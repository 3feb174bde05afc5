/// What look-up and writing need of one coding key: its name as bytes, made once and kept.
///
/// **Bound.** ``name`` has `max(length, 8)` readable bytes, zeros after the name; ``member`` has `memberCount`,
/// rounded up to a multiple of eight.
@safe
struct KeyEntry {
    /// The first eight bytes of the name, zeros after its end.
    var head: UInt64 = 0
    /// The bytes of ``head`` that belong to the name.
    var mask: UInt64 = 0
    /// The last eight bytes of a name of eight bytes or more.
    var tail: UInt64 = 0
    /// Length of the name in bytes, -1 while the entry is empty.
    var length = -1
    /// One bit out of 64, the same for equal names: tells most unequal names apart.
    var hash: UInt64 = 0
    /// The name as UTF-8.
    var name: UnsafeMutablePointer<UInt8>
    /// The name as it opens a member, `"name":`, escaped where needed.
    var member: UnsafeMutablePointer<UInt8>
    var memberCount = 0

    /// An entry that nobody has asked for yet.
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
        mask = KeyPattern.mask(length: length)
        head = unsafe UnsafeRawPointer(name).loadUnaligned(as: UInt64.self)
        if length >= 8 { tail = unsafe UnsafeRawPointer(name + (length - 8)).loadUnaligned(as: UInt64.self) }
        hash = Self.hash(head: head, length: length)
        var opening = ByteWriter(capacity: length &+ 8)
        opening.write(text)
        opening.write(byte: Ascii.colon)
        memberCount = opening.count
        let room = (memberCount &+ 7) & ~7
        unsafe member = .allocate(capacity: room)
        unsafe member.initialize(repeating: 0, count: room)
        unsafe member.update(from: opening.base, count: memberCount)
    }

    /// Frees the bytes of an entry that was made from a name.
    func deallocate() {
        if length >= 0 {
            unsafe name.deallocate()
            unsafe member.deallocate()
        }
    }

    /// The bit of a name with this head, its other bytes masked away.
    @inline(__always)
    static func hash(head: UInt64, length: Int) -> UInt64 {
        let mixed = (head ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        return 1 &<< (mixed &>> 58)
    }

    /// What an entry that nobody has asked for points to; never read, written or freed.
    private nonisolated(unsafe) static let nothing = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}

extension KeyEntry {
    /// Whether the string at an index position, if it has no escapes, is this key.
    @inline(__always)
    func matches(_ nodes: JsonNodes, at position: Int) -> Bool {
        let word = nodes.words[position]
        guard word.shortLength == length, word.tag != .escapedString else { return false }
        let offset = word.offset
        // The closing quote and at least one more byte follow every key, so most keys have eight readable bytes.
        guard offset &+ 8 <= nodes.bytes.count else { return matchesBytewise(nodes, at: offset) }
        if (nodes.bytes.word(at: offset) ^ head) & mask != 0 { return false }
        if length <= 8 { return true }
        return length <= 16 ? nodes.bytes.word(at: offset &+ length &- 8) == tail : matchesLong(nodes, at: offset)
    }

    @inline(never)
    private func matchesLong(_ nodes: JsonNodes, at offset: Int) -> Bool {
        var place = 8
        while place &+ 8 <= length {
            // Bound: place + 8 <= length, and the name has `length` bytes.
            let word = unsafe UnsafeRawPointer(name + place).loadUnaligned(as: UInt64.self)
            if nodes.bytes.word(at: offset &+ place) != word { return false }
            place &+= 8
        }
        return nodes.bytes.word(at: offset &+ length &- 8) == tail
    }

    @inline(never)
    private func matchesBytewise(_ nodes: JsonNodes, at offset: Int) -> Bool {
        // Bound: place < length, and the name has `length` bytes.
        (0..<length).allSatisfy { place in unsafe nodes.bytes[offset &+ place] == name[place] }
    }

    /// Whether the key at an index position, with or without escapes, is this one.
    func matchesUnescaped(_ nodes: JsonNodes, at position: Int) -> Bool {
        if nodes.tag(at: position) != .escapedString { return matches(nodes, at: position) }
        return Array(nodes.string(at: position).utf8).elementsEqual((0..<length).map { unsafe name[$0] })
    }

    /// The hash bit of the key at an index position; all bits for a key with escapes, which may be any.
    @inline(__always)
    static func hash(of nodes: JsonNodes, at position: Int) -> UInt64 {
        let word = nodes.words[position]
        let length = word.shortLength
        guard word.tag != .escapedString, word.offset &+ 8 <= nodes.bytes.count else { return .max }
        return hash(head: nodes.bytes.word(at: word.offset) & KeyPattern.mask(length: length), length: length)
    }
}

/// The entries of one `CodingKey` type whose values are told apart by one byte: what the compiler makes for a type's fields.
///
/// A table belongs to one session, and a session works for one call at a time, so nothing here needs a lock.
@safe
struct KeyTable {
    private var entries: UnsafeMutablePointer<KeyEntry>
    private var capacity = 16

    init() {
        unsafe entries = .allocate(capacity: capacity)
        unsafe entries.initialize(repeating: KeyEntry(), count: capacity)
    }

    /// The entry of a key, made on first use. Valid until the next call with a greater number.
    /// - Parameters:
    ///   - number: The key's one byte.
    ///   - key: The key itself.
    /// - Returns: The entry.
    @inline(__always)
    mutating func entry(_ number: Int, for key: some CodingKey) -> UnsafePointer<KeyEntry> {
        if unsafe number >= capacity || entries[number].length < 0 { fill(number, key.stringValue) }
        // Bound: `fill` leaves room for `number`, which is one byte.
        return unsafe UnsafePointer(entries + number)
    }

    @inline(never)
    private mutating func fill(_ number: Int, _ name: String) {
        if number >= capacity { grow() }
        unsafe entries[number] = KeyEntry(name)
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<KeyEntry>.allocate(capacity: 256)
        unsafe larger.moveInitialize(from: entries, count: capacity)
        unsafe (larger + capacity).initialize(repeating: KeyEntry(), count: 256 &- capacity)
        unsafe entries.deallocate()
        unsafe entries = larger
        capacity = 256
    }

    /// Frees everything.
    func deallocate() {
        for number in 0..<capacity { unsafe entries[number].deallocate() }
        unsafe entries.deallocate()
    }

    /// Whether keys of a type can be told apart by one byte.
    static func suits<Key: CodingKey>(_ type: Key.Type) -> Bool {
        MemoryLayout<Key>.size <= 1 && _isPOD(Key.self)
    }

    /// A key's one byte. Only for types that suit.
    @inline(__always)
    static func number<Key: CodingKey>(of key: Key) -> Int {
        // Bound: the caller has asked `suits`, so the key is one byte, or none.
        unsafe MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    }
}
