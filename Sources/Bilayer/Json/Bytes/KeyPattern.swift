/// A key that is looked for: its bytes, and its first and last eight as words, so that most keys are told apart by one comparison and
/// equal ones of up to 16 bytes are known by two.
struct KeyPattern {
    /// The key's bytes, without escapes.
    let key: JsonBytes
    /// The first bytes; zeros after a key of less than eight.
    private let first: UInt64
    /// Which bits of ``first`` belong to the key.
    private let mask: UInt64

    /// Prepares a key. Valid as long as its bytes are.
    @inline(__always)
    init(_ key: JsonBytes) {
        self.key = key
        mask = Self.mask(length: key.count)
        first = key.firstWord
    }

    /// The key's bit in a ``MemberHint``.
    @inline(__always)
    var bit: UInt64 {
        let last = key.count >= 8 ? key.word(at: key.count &- 8) : 0
        return MemberHint.bit(first: first, last: last, length: key.count)
    }

    /// The bits of a key's first word that belong to the key.
    @inline(__always)
    static func mask(length: Int) -> UInt64 {
        length >= 8 ? .max : 1 &<< UInt64(truncatingIfNeeded: 8 &* length) &- 1
    }

    /// Whether the key stands at an offset of a text; the length there is the same and the contents have no escapes.
    @inline(__always)
    func matches(_ bytes: JsonBytes, at offset: Int) -> Bool {
        let count = key.count
        // In the last bytes of a text there is no whole word to read.
        guard offset &+ 8 <= bytes.count else { return matchesBytewise(bytes, at: offset) }
        if (bytes.word(at: offset) ^ first) & mask != 0 { return false }
        if count <= 8 { return true }
        if bytes.word(at: offset &+ count &- 8) != key.word(at: count &- 8) { return false }
        return count <= 16 || matchesInside(bytes, at: offset)
    }

    @inline(never)
    private func matchesBytewise(_ bytes: JsonBytes, at offset: Int) -> Bool {
        (0..<key.count).allSatisfy { bytes[offset &+ $0] == key[$0] }
    }

    private func matchesInside(_ bytes: JsonBytes, at offset: Int) -> Bool {
        // The index has the same length for all keys from here on: the quote says whether this one is longer.
        let end = offset &+ key.count
        if key.count >= IndexWord.unknownLength, end < bytes.count, bytes[end] != Ascii.quote { return false }
        var position = 8
        while position &+ 8 < key.count {
            if bytes.word(at: offset &+ position) != key.word(at: position) { return false }
            position &+= 8
        }
        return true
    }
}

extension JsonBytes {
    /// The first eight bytes, or all of less with zeros after them.
    @inline(__always)
    var firstWord: UInt64 {
        if count >= 8 { return word(at: 0) }
        if count >= 4 {
            // Two halves that overlap where there are less than eight.
            let shift = UInt64(truncatingIfNeeded: 8 &* (count &- 4))
            return UInt64(halfWord(at: 0)) | UInt64(halfWord(at: count &- 4)) &<< shift
        }
        if count >= 2 {
            let shift = UInt64(truncatingIfNeeded: 8 &* (count &- 2))
            return UInt64(quarterWord(at: 0)) | UInt64(quarterWord(at: count &- 2)) &<< shift
        }
        return count == 1 ? UInt64(self[0]) : 0
    }
}
