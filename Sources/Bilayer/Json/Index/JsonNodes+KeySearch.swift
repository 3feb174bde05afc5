/// What is known about the members before the cursor of a look-up (``MemberHint``).
enum PassedMembers {
    /// None of them has the key.
    case lackKey
    /// One of them may have the key. If the key is repeated, that member counts, because it is the first.
    case mayHaveKey
    /// One of them may have the key, and then no later member has it, because all keys are distinct.
    case mayHaveOnlyKey
}

// Finds the first member with a key by comparing keys. The cursor is the member after the furthest one found so far. A
// filter shows which keys cannot precede the cursor. A look-up of such a key starts at the cursor. Look-ups in a `Json`
// store cursor and filter in the index (``MemberHint``). A keyed container of a decoder stores them in its state
// (``KeyedDecodingState``).

extension JsonNodes {
    /// Searches the members of an object for a key.
    /// - Parameters:
    ///   - first: The position of the first key to search.
    ///   - cursor: The position of the key at which the search starts if the passed members allow it.
    ///   - end: The position after the last member.
    ///   - passed: What is known about the members from `first` to `cursor`.
    ///   - isKey: Whether the member at a position has the key.
    /// - Returns: The position of the key that counts; `end` if no member has it.
    @inline(__always)
    func keyPosition(
        from first: Int,
        cursor: Int,
        to end: Int,
        passed: PassedMembers,
        where isKey: (Int) -> Bool
    ) -> Int {
        let found = position(from: passed == .mayHaveKey ? first : cursor, to: end, where: isKey)
        guard found >= end, passed == .mayHaveOnlyKey else { return found }
        let earlier = position(from: first, to: cursor, where: isKey)
        return earlier < cursor ? earlier : end
    }

    @inline(__always)
    private func position(from start: Int, to end: Int, where isKey: (Int) -> Bool) -> Int {
        var position = start
        while position < end, !isKey(position) { position = words.next(after: position &+ 1) }
        return position
    }

    /// Returns the filter bits of all keys in a range.
    @inline(__always)
    func filterBits(ofKeysFrom start: Int, to end: Int, _ bitsOfKey: (Int) -> UInt64) -> UInt64 {
        var bits: UInt64 = 0
        var position = start
        while position < end {
            bits |= bitsOfKey(position)
            position = words.next(after: position &+ 1)
        }
        return bits
    }

    /// Returns the filter bit of the key at a position. Returns all bits for a key with escapes, a very long key and a
    /// key near the end of the text. The filter treats such a key as if it could equal any key.
    @inline(__always)
    func filterBits(ofKeyAt position: Int) -> UInt64 {
        let word = unsafe words[unchecked: position]
        let length = word.shortLength
        guard word.tag != .escapedString, length != IndexWord.unknownLength, word.offset &+ 8 <= bytes.count else {
            return MemberHint.everyBit
        }
        return KeyHash(
            first: unsafe bytes.word(unchecked: word.offset) & JsonBytes.mask(length: length),
            rest: bytes.secondWord(from: word.offset, length: length),
            length: length
        )
        .filterBit
    }
}
