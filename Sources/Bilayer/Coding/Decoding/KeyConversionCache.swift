/// A cache from the bytes of the keys in a text to the names that a key strategy converts them to. The objects of a
/// list repeat the same keys, and a conversion costs more than the rest of reading a key. Names have numbers, so that
/// comparing two names compares two integers.
///
/// The conversion must depend on the key alone, so the results of a custom strategy are not cached. A cache belongs to
/// one session, and a session serves one call at a time, so no lock is needed.
///
/// **Bound.** There are `mask + 1` slots, a power of two. At most half of them are used, so a search ends at an empty
/// slot.
@safe
struct KeyConversionCache {
    @safe
    private struct Slot {
        /// The first property, so that a pointer to a slot is a pointer to its entry.
        var entry = EncodedKey()
        var hash: UInt64 = 0
        var name = 0
    }

    private let convert: (String) -> String
    /// Hashes are seeded, because the cache outlives a text. The keys of one text must not slow down later texts.
    private let seed = KeySeed.process
    private var slots: UnsafeMutablePointer<Slot>
    private var mask = 63
    private var used = 0
    private var numbers: [JsonKey: Int] = [:]

    /// The maximum number of cached keys. Without a limit, keys that are data and differ in each object would fill the
    /// cache and never be found again.
    private static let limit = 1000
    /// The length in bytes of the longest cached key.
    private static let longest = 255

    init(_ convert: @escaping (String) -> String) {
        self.convert = convert
        unsafe slots = Self.allocate(64)
    }

    /// Whether the cache accepts no more keys. A session with a full cache is not reused.
    var isFull: Bool { used >= Self.limit }

    /// Returns the number of a name. A new name gets the next number.
    mutating func number(of name: String) -> Int {
        let key = JsonKey(text: name)
        if let number = numbers[key] { return number }
        numbers[key] = numbers.count
        return numbers.count &- 1
    }

    /// Returns the number of the name to which the key at an index position is converted. Returns -1 if the key cannot
    /// be cached and the name has no number yet.
    @inline(__always)
    mutating func number(of nodes: JsonNodes, at position: Int) -> Int {
        let word = unsafe nodes.words[unchecked: position]
        let length = word.shortLength
        guard word.tag != .escapedString, length <= Self.longest, word.offset &+ 8 <= nodes.bytes.count else {
            return number(ofUnkept: nodes.string(at: position))
        }
        let hash = seed.hash(nodes.bytes, from: word.offset, count: length)
        var index = self.index(of: hash)
        while unsafe slots[index].entry.length >= 0 {
            if unsafe entry(at: index).matches(nodes, at: position) { return unsafe slots[index].name }
            index = (index &+ 1) & mask
        }
        return add(nodes.string(at: position), hash)
    }

    @inline(__always)
    private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> 40) & mask }

    private func entry(at index: Int) -> UnsafePointer<EncodedKey> {
        // Bound: index <= mask, and the entry is the first property of its slot.
        unsafe UnsafeRawPointer(slots + index).assumingMemoryBound(to: EncodedKey.self)
    }

    @inline(never)
    private func number(ofUnkept key: String) -> Int { numbers[JsonKey(text: convert(key))] ?? -1 }

    @inline(never)
    private mutating func add(_ key: String, _ hash: UInt64) -> Int {
        if isFull { return number(ofUnkept: key) }
        let number = number(of: convert(key))
        used &+= 1
        if used &* 2 > mask { grow() }
        unsafe slots[emptyIndex(for: hash)] = Slot(entry: EncodedKey(key), hash: hash, name: number)
        return number
    }

    private func emptyIndex(for hash: UInt64) -> Int {
        var index = index(of: hash)
        while unsafe slots[index].entry.length >= 0 { index = (index &+ 1) & mask }
        return index
    }

    private mutating func grow() {
        let old = unsafe UnsafeMutableBufferPointer(start: slots, count: mask &+ 1)
        mask = old.count &* 2 &- 1
        unsafe slots = Self.allocate(mask &+ 1)
        unsafe old.forEach { slot in
            if slot.entry.length >= 0 { unsafe slots[emptyIndex(for: slot.hash)] = slot }
        }
        unsafe old.deallocate()
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        unsafe slots.initialize(repeating: Slot(), count: count)
        return unsafe slots
    }

    /// Frees all memory.
    func deallocate() {
        for index in 0...mask { unsafe slots[index].entry.deallocate() }
        unsafe slots.deallocate()
    }
}
