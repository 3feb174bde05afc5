extension JsonNodes {
    /// Returns the position of a member's value if the object's hint (``MemberHint``) expects the member next. The
    /// member must be proven to be the first with its key. Nil means unknown, not missing.
    @inline(__always)
    func nextMember(_ key: some LookupKey, filterBit bit: UInt64, of object: Int) -> Int? {
        guard unsafe words[unchecked: object].tag == .object, words.size(of: object) <= MemberHint.greatestDistance
        else { return nil }
        var hint = MemberHint(bits: words.hint(of: object))
        let cursor = firstChild(of: object) &+ hint.distance
        guard cursor < object &+ words.size(of: object), !hint.mayHavePassed(bit), key.isPlainKey(in: self, at: cursor)
        else { return nil }
        hint.advance(past: bit, by: words.next(after: cursor &+ 1) &- cursor)
        words.setHint(hint.bits, of: object)
        return cursor &+ 1
    }

    /// Returns the position of the value of the first member with a key; 0 if there is no such member.
    func member(_ key: some LookupKey, of object: Int) -> Int {
        var hint = MemberHint(bits: words.hint(of: object))
        let first = firstChild(of: object)
        let end = words.next(after: object)
        let cursor = first &+ hint.distance
        let bit = key.filterBit
        if hint.mayHavePassed(bit) {
            if words.memberCount(at: object) >= Self.membersWorthComparing, keysAreDistinct(in: object) {
                hint.setKeysAreDistinct()
            } else {
                let passed = position(from: first, to: cursor) { key.isKey(in: self, at: $0) }
                if passed < cursor { return passed &+ 1 }
            }
        }
        // Here the key either does not precede the cursor, or all keys are distinct.
        let found = position(from: cursor, to: end) { key.isKey(in: self, at: $0) }
        if found < end {
            let passed = filterBits(ofKeysFrom: cursor, to: found) { filterBits(ofKeyAt: $0) } | bit
            hint.advance(past: passed, to: words.next(after: found &+ 1) &- first)
        }
        words.setHint(hint.bits, of: object)
        if found < end { return found &+ 1 }
        return hint.filterContains(bit) ? passedMember(key, of: object, before: cursor) : 0
    }

    /// In an object of this many members or more, comparing all keys once costs less than repeated searches of the keys
    /// before the cursor.
    private static var membersWorthComparing: Int { 20 }

    private func passedMember(_ key: some LookupKey, of object: Int, before cursor: Int) -> Int {
        let passed = position(from: firstChild(of: object), to: cursor) { key.isKey(in: self, at: $0) }
        return passed < cursor ? passed &+ 1 : 0
    }

    /// Returns the position of the value of the last member with a key; 0 if there is no such member.
    func lastMember(_ key: some LookupKey, of object: Int) -> Int {
        var position = firstChild(of: object)
        let end = words.next(after: object)
        var found = 0
        while position < end {
            if key.isKey(in: self, at: position) { found = position &+ 1 }
            position = words.next(after: position &+ 1)
        }
        return found
    }

    /// Returns the position of each member's value by its key. If a key is repeated, the result has the last of its
    /// members if `lastWins` is true, otherwise the first.
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

    /// Returns the position of the element at `index`, which must be less than the number of elements.
    func element(_ index: Int, of array: Int) -> Int {
        let first = firstChild(of: array)
        // All elements have one word: they are scalars.
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
