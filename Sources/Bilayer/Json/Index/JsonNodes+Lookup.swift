extension JsonNodes {
    /// Finds a member if the object's hint (``MemberHint``) expects it next and proves that no earlier member has the
    /// key.
    /// - Parameters:
    ///   - bit: The key's bit in the filter of a hint.
    ///   - object: The position of a value.
    ///   - isKey: Whether the key at a position is the one to find.
    ///   - size: Returns the number of words of the value at a position. If it returns nil, so does this function.
    /// - Returns: The position of the member's value. Nil means unknown, not missing.
    @inline(__always)
    func nextMember(
        filterBit bit: UInt64,
        of object: Int,
        where isKey: (JsonNodes, Int) -> Bool,
        size: (JsonNodes, Int) -> Int?
    ) -> Int? {
        guard unsafe words[unchecked: object].tag == .object, words.size(of: object) <= MemberHint.greatestDistance
        else { return nil }
        var hint = MemberHint(bits: words.hint(of: object))
        let cursor = firstChild(of: object) &+ hint.distance
        guard cursor < object &+ words.size(of: object), !hint.mayHavePassed(bit), isKey(self, cursor),
            let size = size(self, cursor &+ 1)
        else { return nil }
        hint.advance(past: bit, by: 1 &+ size)
        words.setHint(hint.bits, of: object)
        return cursor &+ 1
    }

    /// Finds a member with a short key in the same way, unless the key's offset in the text is over `lastOffset`.
    ///
    /// **Bound.** The text has 16 bytes from `lastOffset` on, or `lastOffset` is negative.
    @inline(__always)
    func nextMember(
        _ key: FieldKey,
        upTo lastOffset: Int,
        of object: Int,
        size: (JsonNodes, Int) -> Int?
    ) -> Int? {
        nextMember(
            filterBit: key.filterBit,
            of: object,
            where: { nodes, position in
                let word = unsafe nodes.words[unchecked: position]
                return unsafe key.hasShape(of: word) && word.offset <= lastOffset
                    && key.matches(nodes.bytes, at: word.offset)
            },
            size: size
        )
    }

    /// Returns the position of the value of the first member with a key; 0 if there is no such member.
    func member(_ key: some LookupKey, of object: Int) -> Int {
        var hint = MemberHint(bits: words.hint(of: object))
        let first = firstChild(of: object)
        let end = words.next(after: object)
        let cursor = first &+ hint.distance
        let bit = key.filterBit
        let passed = passedMembers(bit, of: object, &hint)
        let found = keyPosition(from: first, cursor: cursor, to: end, passed: passed) { key.isKey(in: self, at: $0) }
        if found >= cursor, found < end {
            let bits = filterBits(ofKeysFrom: cursor, to: found) { filterBits(ofKeyAt: $0) } | bit
            hint.advance(past: bits, to: words.next(after: found &+ 1) &- first)
        }
        words.setHint(hint.bits, of: object)
        return found < end ? found &+ 1 : 0
    }

    /// Returns what an object's hint shows about a key and the members before the cursor. If the key may precede the
    /// cursor and the object has ``membersWorthComparing`` members or more, a quick test compares all keys with each
    /// other. If it proves that they are distinct, the hint stores this.
    @inline(__always)
    private func passedMembers(_ keyBit: UInt64, of object: Int, _ hint: inout MemberHint) -> PassedMembers {
        if hint.mayHavePassed(keyBit) {
            guard words.memberCount(at: object) >= Self.membersWorthComparing, keysAreDistinct(in: object) else {
                return .mayHaveKey
            }
            hint.setKeysAreDistinct()
        }
        return hint.filterContains(keyBit) ? .mayHaveOnlyKey : .lackKey
    }

    /// In an object of this many members or more, comparing all keys once costs less than repeated searches of the keys
    /// before the cursor.
    private static var membersWorthComparing: Int { 20 }

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
        // True if all elements are scalars: each of them has one word.
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
