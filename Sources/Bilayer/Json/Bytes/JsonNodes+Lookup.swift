extension JsonNodes {
    /// The position of a member's value: the first with this key.
    @inline(__always)
    func member(_ key: JsonBytes, of object: Int) -> Int? {
        let pattern = KeyPattern(key)
        var position = firstChild(of: object)
        let end = words.next(after: object)
        while position < end {
            if isKey(pattern, at: position) { return position &+ 1 }
            position = words.next(after: position &+ 1)
        }
        return nil
    }

    /// The position of a member's value: the last with this key.
    func lastMember(_ key: JsonBytes, of object: Int) -> Int? {
        let pattern = KeyPattern(key)
        var position = firstChild(of: object)
        let end = words.next(after: object)
        var found: Int?
        while position < end {
            if isKey(pattern, at: position) { found = position &+ 1 }
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
        let count = words.memberCount(at: array)
        // Only scalars inside: one word each.
        if words.next(after: array) == array &+ 2 &+ count { return firstChild(of: array) &+ index }
        var position = firstChild(of: array)
        for _ in 0..<index { position = words.next(after: position) }
        return position
    }
}
