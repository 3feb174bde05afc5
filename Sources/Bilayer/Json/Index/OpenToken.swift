/// A string, a number or blanks, cut where the bytes end that have come so far.
///
/// The pass takes up at the start of an item, and an item can be long. So it waits until the token that was cut has
/// ended, and until then each byte is looked at once, as it comes.
struct OpenToken: Equatable {
    let sort: Sort
    /// Where to read on.
    var position: Int

    enum Sort {
        case string
        case digits
        case blanks
    }

    /// Reads on in a longer text; false if the token ends there, or cannot go on like that.
    mutating func isOpen(in bytes: JsonBytes) -> Bool {
        switch sort {
        case .string:
            guard let next = bytes.scanOpenString(from: position) else { return false }
            position = next
            return true
        case .digits: position = bytes.skipDigits(from: position)
        case .blanks: position = bytes.skipBlanks(from: position)
        }
        return position == bytes.count
    }
}

extension JsonBytes {
    /// The token that is cut at the end of the bytes, if the item that starts at `start` is right as far as it goes.
    /// - Parameters:
    ///   - start: The start of an element, or of a member's key.
    ///   - hasKey: Whether it is a member.
    /// - Returns: The token; nil if it is so short that nothing is lost by starting again.
    func openToken(inItemAt start: Int, hasKey: Bool) -> OpenToken? {
        guard hasKey else { return openToken(at: start) }
        if start == count { return nil }
        guard let key = try? scanString(from: start &+ 1) else { return openString(from: start &+ 1) }
        let colon = skipBlanks(from: key.end &+ 1)
        if colon == count { return OpenToken(sort: .blanks, position: colon) }
        return openToken(at: skipBlanks(from: colon &+ 1))
    }

    private func openToken(at start: Int) -> OpenToken? {
        if start == count { return OpenToken(sort: .blanks, position: start) }
        switch unsafe self[unchecked: start] {
        case Ascii.quote: return openString(from: start &+ 1)
        case Ascii.openBrace, Ascii.openBracket: return OpenToken(sort: .blanks, position: count)
        case Ascii.minus, Ascii.zero...Ascii.nine:
            // Where more digits may follow, whatever they are; after a first zero, for one, they may not.
            let isAmongDigits = unsafe count &- start > 2 && Ascii.isDigit(self[unchecked: count &- 1])
            return isAmongDigits ? OpenToken(sort: .digits, position: count) : nil
        default: return nil
        }
    }

    private func openString(from start: Int) -> OpenToken? {
        scanOpenString(from: start).map { OpenToken(sort: .string, position: $0) }
    }
}
