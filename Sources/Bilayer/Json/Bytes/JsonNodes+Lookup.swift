extension JsonNodes {
    /// The position of a member's value: the first with this key; 0 if there is none.
    @inline(__always)
    func member(_ key: KeyPattern, of object: Int) -> Int {
        var hint = MemberHint(bits: words.hint(of: object))
        let place = firstChild(of: object) &+ hint.distance
        guard !hint.mayHavePassed(key.bit), place < words.next(after: object), isPlainKey(key, at: place) else {
            return memberElsewhere(key, of: object)
        }
        hint.advance(past: key.bit, to: words.next(after: place &+ 1) &- firstChild(of: object))
        words.setHint(hint.bits, of: object)
        return place &+ 1
    }

    /// The same for a member that is not the next one, or may stand before.
    @inline(never)
    private func memberElsewhere(_ key: KeyPattern, of object: Int) -> Int {
        var hint = MemberHint(bits: words.hint(of: object))
        let first = firstChild(of: object)
        let end = words.next(after: object)
        let place = first &+ hint.distance
        if hint.mayHavePassed(key.bit) {
            let passed = position(of: key, from: first, to: place)
            if passed < place { return passed &+ 1 }
        }
        // Now it is known that none of the keys before the place is this one.
        let found = position(of: key, from: place, to: end)
        guard found < end else { return 0 }
        var bits = key.bit
        var position = place
        while position < found {
            bits |= bit(ofKeyAt: position)
            position = words.next(after: position &+ 1)
        }
        hint.advance(past: bits, to: words.next(after: found &+ 1) &- first)
        words.setHint(hint.bits, of: object)
        return found &+ 1
    }

    /// The position of the first of some keys that is the one looked for; `end` or beyond if none is.
    @inline(__always)
    private func position(of key: KeyPattern, from start: Int, to end: Int) -> Int {
        var position = start
        while position < end, !isKey(key, at: position) { position = words.next(after: position &+ 1) }
        return position
    }

    /// The bit of the key at a position; all bits for one with escapes, which may be any.
    @inline(__always)
    private func bit(ofKeyAt position: Int) -> UInt64 {
        let word = words[position]
        let length = word.shortLength
        guard word.tag != .escapedString, length != IndexWord.unknownLength, word.offset &+ 8 <= bytes.count else {
            return MemberHint.everyBit
        }
        return MemberHint.bit(
            first: bytes.word(at: word.offset) & KeyPattern.mask(length: length),
            last: length >= 8 ? bytes.word(at: word.offset &+ length &- 8) : 0,
            length: length
        )
    }

    /// The position of a member's value: the last with this key.
    func lastMember(_ key: KeyPattern, of object: Int) -> Int {
        var position = firstChild(of: object)
        let end = words.next(after: object)
        var found = 0
        while position < end {
            if isKey(key, at: position) { found = position &+ 1 }
            position = words.next(after: position &+ 1)
        }
        return found
    }

    /// Whether the key at a position is the one that is looked for.
    @inline(__always)
    func isKey(_ pattern: KeyPattern, at position: Int) -> Bool {
        let word = words[position]
        if word.shortLength == pattern.key.count && word.tag != .escapedString {
            return pattern.matches(bytes, at: word.offset)
        }
        return (word.tag == .escapedString || word.shortLength == IndexWord.unknownLength)
            && isUnusualKey(pattern, at: position)
    }

    /// The same, false for a key with escapes and for a very long one.
    @inline(__always)
    private func isPlainKey(_ pattern: KeyPattern, at position: Int) -> Bool {
        let word = words[position]
        return word.shortLength == pattern.key.count && word.tag != .escapedString
            && pattern.matches(bytes, at: word.offset)
    }

    /// The same for a key with escapes and for a very long one.
    @inline(never)
    private func isUnusualKey(_ pattern: KeyPattern, at position: Int) -> Bool {
        let range = range(at: position)
        let key = pattern.key
        if words[position].tag != .escapedString {
            return range.count == key.count && pattern.matches(bytes, at: range.lowerBound)
        }
        // An escape has at most six bytes for one of the result.
        guard key.count < range.count, key.count >= range.count / 6 else { return false }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { buffer in
            let length = unsafe unescape(range, into: buffer)
            let unescaped = unsafe JsonBytes(UnsafeRawBufferPointer(start: buffer.baseAddress, count: length))
            return length == key.count && pattern.matches(unescaped, at: 0)
        }
    }

    /// Where each member's value stands; of two with the same key the one that counts.
    func memberPositions(of object: Int, lastWins: Bool) -> [JsonKey: Int] {
        let count = words.memberCount(at: object)
        var positions = [JsonKey: Int](minimumCapacity: count)
        var position = firstChild(of: object)
        for _ in 0..<count {
            let key = JsonKey(text: string(at: position))
            if lastWins || positions[key] == nil { positions[key] = position &+ 1 }
            position = words.next(after: position &+ 1)
        }
        return positions
    }

    /// The position of the element at `index`, which the array has.
    func element(_ index: Int, of array: Int) -> Int {
        let first = firstChild(of: array)
        // Only scalars inside: one word each.
        if words.next(after: array) == first &+ words.memberCount(at: array) { return first &+ index }
        let hint = ElementHint(bits: words.hint(of: array))
        var (reached, position) = hint.index <= index ? (hint.index, first &+ hint.distance) : (0, first)
        while reached < index {
            position = words.next(after: position)
            reached &+= 1
        }
        words.setHint(ElementHint(index: index, distance: position &- first).bits, of: array)
        return position
    }
}
