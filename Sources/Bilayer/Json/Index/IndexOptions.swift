/// How a text is indexed where RFC 8259 leaves a choice.
struct IndexOptions: Sendable {
    /// Which member counts of two with the same key.
    enum RepeatedKeys: Sendable {
        case firstWins
        case lastWins
        /// The text is an error.
        case reject
    }

    /// How many arrays and objects may be open at once.
    var maximumDepth = 512
    var repeatedKeys = RepeatedKeys.firstWins
    /// Whether the bytes EF BB BF may come first.
    var acceptsByteOrderMark = true
}

extension IndexBuilder {
    /// Builds the index of a whole text.
    static func index(of bytes: JsonBytes, options: IndexOptions) throws(SyntaxFault) -> IndexBuilder {
        if bytes.count > maximumTextSize { throw .tooLarge }
        let start = try bytes.lengthOfByteOrderMark(accepted: options.acceptsByteOrderMark)
        do throws(SyntaxFault) {
            return try index(of: bytes, from: start, maximumDepth: min(options.maximumDepth, usualDepth))
        } catch {
            guard case .depth(usualDepth) = error.reason, options.maximumDepth > usualDepth else { throw error }
            // Once more: to note while it goes on how deep a text is would cost all texts something.
            return try index(of: bytes, from: start, maximumDepth: options.maximumDepth)
        }
    }

    private static func index(
        of bytes: JsonBytes,
        from start: Int,
        maximumDepth: Int
    ) throws(SyntaxFault) -> IndexBuilder {
        var builder = IndexBuilder(expectedBytes: bytes.count, maximumDepth: maximumDepth, startingAt: start)
        try builder.advance(over: bytes, isFinal: true)
        return builder
    }
}

extension JsonBytes {
    /// Length of the UTF-8 byte order mark at the start, 0 without one (RFC 8259 §8.1: a parser may ignore it).
    fileprivate func lengthOfByteOrderMark(accepted isAccepted: Bool) throws(SyntaxFault) -> Int {
        guard count >= 3, self[0] == 0xEF, self[1] == 0xBB, self[2] == 0xBF else { return 0 }
        if !isAccepted { throw SyntaxFault(offset: 0, reason: .noByteOrderMark) }
        return 3
    }
}
