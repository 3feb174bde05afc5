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
        var keys = Set<JsonKey>()
        var position = firstChild(of: object)
        for _ in 0..<words.memberCount(at: object) {
            if !keys.insert(JsonKey(text: string(at: position))).inserted { return position }
            position = words.next(after: position &+ 1)
        }
        return nil
    }
}
