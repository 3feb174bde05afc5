extension JsonNodes {
    /// Returns the fault of a repeated key, in the first object that has one; nil if there is none.
    func duplicateKeyFault() -> SyntaxFault? {
        var position = 0
        // Only containers have more than one word, and their own words precede the words of their contents. So a loop
        // over the words, without recursion, visits every value.
        while position < words.count {
            if tag(at: position) == .object, let key = duplicateKey(in: position) {
                return unsafe SyntaxFault(offset: words[unchecked: key].offset &- 1, reason: .duplicateKey)
            }
            position &+= tag(at: position).isContainer ? IndexWord.wordsOfContainer : 1
        }
        return nil
    }

    private func duplicateKey(in object: Int) -> Int? {
        if keysAreDistinct(in: object) { return nil }
        var keys = Set<JsonKey>()
        var position = firstChild(of: object)
        for _ in 0..<words.memberCount(at: object) {
            if !keys.insert(JsonKey(text: string(at: position))).inserted { return position }
            position = words.next(after: position &+ 1)
        }
        return nil
    }

    /// True only if a quick test proves that all keys of an object are distinct; false means unknown. The test returns
    /// false for objects of 128 members or more, and if a key has escapes or more than 64 bytes.
    func keysAreDistinct(in object: Int) -> Bool {
        guard words.memberCount(at: object) < MemberTables.smallestObject else { return false }
        // 4,096 bits, one of them set for each key. A key is compared with the keys before it only if its bit is
        // already set.
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { filter in
            unsafe filter.initialize(repeating: 0)
            let seed = KeySeed.process
            let end = words.next(after: object)
            var position = firstChild(of: object)
            while position < end {
                let key = unsafe words[unchecked: position]
                guard key.shortLength <= Self.longestComparedKey, key.tag != .escapedString else { return false }
                let hash = seed.hash(bytes, from: key.offset, count: key.shortLength)
                // Bound: six bits are less than 64.
                let part = Int(truncatingIfNeeded: hash &>> 58)
                let bit: UInt64 = 1 &<< (hash &>> 52)
                let others = unsafe filter[part]
                if others & bit != 0, hasKey(equalTo: key, before: position, in: object) { return false }
                unsafe filter[part] = others | bit
                position = words.next(after: position &+ 1)
            }
            return true
        }
    }

    private static var longestComparedKey: Int { 64 }

    @inline(never)
    private func hasKey(equalTo key: IndexWord, before end: Int, in object: Int) -> Bool {
        var position = firstChild(of: object)
        while position < end {
            let other = unsafe words[unchecked: position]
            // The words of equal keys differ only in the offset.
            if other.shortLength == key.shortLength, other.tag == key.tag,
                (0..<key.shortLength)
                    .allSatisfy({ unsafe bytes[unchecked: other.offset &+ $0] == bytes[unchecked: key.offset &+ $0] })
            {
                return true
            }
            position = words.next(after: position &+ 1)
        }
        return false
    }
}
