extension JsonNodes {
    /// The fault of the first member whose key stands in the same object already.
    func duplicateKeyFault() -> SyntaxFault? {
        var position = 0
        // A container's own words come first, everything else takes one: a flat walk meets every value.
        while position < words.count {
            if tag(at: position) == .object, let key = duplicateKey(in: position) {
                return SyntaxFault(offset: words[key].offset &- 1, reason: .duplicateKey)
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

    /// Whether no key stands twice in an object, as far as that is told quickly: false says nothing. Nobody looks into keys with escapes,
    /// long keys, and objects of many members: what keys with equal hashes can cost is bounded.
    func keysAreDistinct(in object: Int) -> Bool {
        guard words.memberCount(at: object) < MemberTables.smallestObject else { return false }
        // 512 bits, one for a key: only keys with the same bit are compared.
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { filter in
            unsafe filter.initialize(repeating: 0)
            let end = words.next(after: object)
            var position = firstChild(of: object)
            while position < end {
                guard words[position].shortLength <= Self.longestComparedKey,
                    let hash = keyHash(at: position)?.bits
                else { return false }
                // Bound: three bits are less than eight.
                let part = Int(truncatingIfNeeded: hash &>> 61)
                let bit: UInt64 = 1 &<< (hash &>> 55)
                let others = unsafe filter[part]
                if others & bit != 0, hasKey(equalTo: words[position], before: position, in: object) { return false }
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
            let other = words[position]
            // Where equal keys stand is different, all else in their words is equal.
            if other.shortLength == key.shortLength, other.tag == key.tag,
                (0..<key.shortLength).allSatisfy({ bytes[other.offset &+ $0] == bytes[key.offset &+ $0] })
            {
                return true
            }
            position = words.next(after: position &+ 1)
        }
        return false
    }
}
