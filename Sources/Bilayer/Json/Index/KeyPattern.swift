/// A key to look up in an object.
protocol LookupKey {
    /// The key's bit in a filter of keys (``KeyHash/filterBit``).
    var filterBit: UInt64 { get }

    /// Whether the key at a position equals this key, after escapes are resolved.
    func isKey(in nodes: JsonNodes, at position: Int) -> Bool
}

/// A key to look up: its bytes, and the first eight bytes as a word. One comparison distinguishes most keys. Two
/// comparisons prove equality up to 16 bytes.
struct KeyPattern: LookupKey {
    /// The key's bytes, without escapes.
    let key: JsonBytes
    /// The first eight bytes; in a shorter key, zeros after its end.
    private let first: UInt64
    /// The bits of ``first`` that belong to the key.
    private let mask: UInt64

    /// Prepares a key for look-ups. The pattern is valid as long as the key's bytes are.
    @inline(__always)
    init(_ key: JsonBytes) {
        self.key = key
        mask = JsonBytes.mask(length: key.count)
        first = key.firstWord
    }

    @inline(__always)
    var filterBit: UInt64 {
        KeyHash(first: first, rest: key.secondWord(from: 0, length: key.count), length: key.count).filterBit
    }

    /// Whether the text has the key at an offset. The contents there must have the key's length and no escapes.
    @inline(__always)
    func matches(_ bytes: JsonBytes, at offset: Int) -> Bool {
        let count = key.count
        // Near the end of a text no whole word can be read.
        guard offset &+ 8 <= bytes.count else { return matchesBytewise(bytes, at: offset) }
        if unsafe (bytes.word(unchecked: offset) ^ first) & mask != 0 { return false }
        if count <= 8 { return true }
        if unsafe bytes.word(unchecked: offset &+ count &- 8) != key.word(unchecked: count &- 8) { return false }
        if count <= 16 { return true }
        if unsafe bytes.word(unchecked: offset &+ 8) != key.word(unchecked: 8) { return false }
        return count <= 24 || matchesInside(bytes, at: offset)
    }

    /// Whether the text has the key at an offset. Compares byte by byte. The text after the offset must be at least as
    /// long as the key.
    @inline(never)
    private func matchesBytewise(_ bytes: JsonBytes, at offset: Int) -> Bool {
        (0..<key.count).allSatisfy { unsafe bytes[unchecked: offset &+ $0] == key[unchecked: $0] }
    }

    /// Whether the text has the rest of a key of more than 24 bytes at an offset. The caller has compared the first 16
    /// bytes and the last eight.
    @inline(never)
    private func matchesInside(_ bytes: JsonBytes, at offset: Int) -> Bool {
        // The index stores the same length for all keys of `unknownLength` bytes or more. If the closing quote is not
        // at `end`, the lengths differ.
        let end = offset &+ key.count
        if key.count >= IndexWord.unknownLength, end < bytes.count, unsafe bytes[unchecked: end] != Ascii.quote {
            return false
        }
        var position = 16
        while position &+ 8 < key.count {
            if unsafe bytes.word(unchecked: offset &+ position) != key.word(unchecked: position) { return false }
            position &+= 8
        }
        return true
    }
}

extension KeyPattern {
    @inline(__always)
    func isKey(in nodes: JsonNodes, at position: Int) -> Bool {
        let word = unsafe nodes.words[unchecked: position]
        return isPlainKey(in: nodes, at: position)
            || (word.tag == .escapedString || word.shortLength == IndexWord.unknownLength)
                && isUnusualKey(in: nodes, at: position)
    }

    /// True only if the key at a position equals this key. False means unknown for a key with escapes, and for a very
    /// long one.
    @inline(__always)
    func isPlainKey(in nodes: JsonNodes, at position: Int) -> Bool {
        let word = unsafe nodes.words[unchecked: position]
        return word.shortLength == key.count && word.tag != .escapedString && matches(nodes.bytes, at: word.offset)
    }

    /// Whether a key with escapes, or a very long key, equals this key.
    @inline(never)
    func isUnusualKey(in nodes: JsonNodes, at position: Int) -> Bool {
        let range = nodes.range(at: position)
        if nodes.tag(at: position) != .escapedString {
            return range.count == key.count && matches(nodes.bytes, at: range.lowerBound)
        }
        // An escape has at most six bytes for each byte that it represents.
        guard key.count < range.count, key.count >= range.count / 6 else { return false }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { buffer in
            let length = unsafe nodes.unescape(range, into: buffer)
            let unescaped = unsafe JsonBytes(UnsafeRawBufferPointer(start: buffer.baseAddress, count: length))
            return length == key.count && matches(unescaped, at: 0)
        }
    }
}

extension SmallString: LookupKey {
    @inline(__always)
    var filterBit: UInt64 { KeyHash(first: first, rest: rest, length: count).filterBit }

    @inline(__always)
    func isKey(in nodes: JsonNodes, at position: Int) -> Bool {
        isPlainKey(in: nodes, at: position)
            || (isUndecided(in: nodes, at: position) && isUnusualKey(in: nodes, at: position))
    }

    // False means unknown for a key with escapes, and for a key near the end of the text.
    @inline(__always)
    private func isPlainKey(in nodes: JsonNodes, at position: Int) -> Bool {
        let word = unsafe nodes.words[unchecked: position]
        guard word.isASCII(ofLength: count), word.offset &+ 16 <= nodes.bytes.count else { return false }
        let difference = unsafe nodes.bytes.word(unchecked: word.offset) ^ first
        let bits = UInt64(truncatingIfNeeded: 8 &* count)
        if count < 8 { return difference & (1 &<< bits &- 1) == 0 }
        let restDifference = unsafe nodes.bytes.word(unchecked: word.offset &+ 8) ^ rest
        return difference == 0 && restDifference & (1 &<< (bits & 63) &- 1) == 0
    }

    /// Whether the result `false` of ``isPlainKey(in:at:)`` means unknown.
    @inline(__always)
    private func isUndecided(in nodes: JsonNodes, at position: Int) -> Bool {
        let word = unsafe nodes.words[unchecked: position]
        return word.tag == .escapedString || word.offset &+ 16 > nodes.bytes.count
    }

    @inline(never)
    private func isUnusualKey(in nodes: JsonNodes, at position: Int) -> Bool {
        unsafe withUnsafeBytes(of: (first.littleEndian, rest.littleEndian)) { bytes in
            let key = unsafe KeyPattern(JsonBytes(UnsafeRawBufferPointer(rebasing: bytes[..<count])))
            return key.isKey(in: nodes, at: position)
        }
    }
}
