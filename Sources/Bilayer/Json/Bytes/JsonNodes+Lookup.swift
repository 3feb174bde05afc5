extension JsonNodes {
    /// The position of a member's value: the first with this key.
    @inline(__always)
    func member(_ key: JsonBytes, of object: Int) -> Int? {
        var position = firstChild(of: object)
        for _ in 0..<words.memberCount(at: object) {
            if isKey(key, at: position) { return position &+ 1 }
            position = words.next(after: position &+ 1)
        }
        return nil
    }

    /// The position of a member's value: the last with this key.
    func lastMember(_ key: JsonBytes, of object: Int) -> Int? {
        var position = firstChild(of: object)
        var found: Int?
        for _ in 0..<words.memberCount(at: object) {
            if isKey(key, at: position) { found = position &+ 1 }
            position = words.next(after: position &+ 1)
        }
        return found
    }

    /// Whether the key at a position is made of these bytes.
    @inline(__always)
    func isKey(_ key: JsonBytes, at position: Int) -> Bool {
        let word = words[position]
        if word.tag == .escapedString { return isEscapedKey(key, at: position) }
        if word.shortLength != key.count { return isLongKey(key, at: position) }
        return bytes.isEqual(to: key, at: word.offset)
    }

    private func isLongKey(_ key: JsonBytes, at position: Int) -> Bool {
        guard words[position].shortLength == IndexWord.unknownLength else { return false }
        let range = range(at: position)
        return range.count == key.count && bytes.isEqual(to: key, at: range.lowerBound)
    }

    @inline(never)
    private func isEscapedKey(_ key: JsonBytes, at position: Int) -> Bool {
        let range = range(at: position)
        // An escape has at most six bytes for one of the result.
        guard key.count < range.count, key.count >= range.count / 6 else { return false }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { buffer in
            let length = unsafe unescape(range, into: buffer)
            return unsafe length == key.count
                && JsonBytes(UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(buffer))).isEqual(to: key, at: 0)
        }
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

extension JsonBytes {
    /// Whether all bytes of `key` stand at an offset; there are at least as many.
    @inline(__always)
    func isEqual(to key: JsonBytes, at offset: Int) -> Bool {
        let length = key.count
        if length >= 8 {
            if word(at: offset) != key.word(at: 0) { return false }
            if word(at: offset &+ length &- 8) != key.word(at: length &- 8) { return false }
            return length <= 16 || isEqualInside(to: key, at: offset)
        }
        if length >= 4 {
            return halfWord(at: offset) == key.halfWord(at: 0)
                && halfWord(at: offset &+ length &- 4) == key.halfWord(at: length &- 4)
        }
        for position in 0..<length where self[offset &+ position] != key[position] { return false }
        return true
    }

    private func isEqualInside(to key: JsonBytes, at offset: Int) -> Bool {
        var position = 8
        while position &+ 8 < key.count {
            if word(at: offset &+ position) != key.word(at: position) { return false }
            position &+= 8
        }
        return true
    }
}
