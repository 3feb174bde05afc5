extension JsonBytes {
    /// Returns the first position at or after `start` without a blank (RFC 8259 §2). At the end of the text it is
    /// ``count``.
    @inline(__always)
    func skipBlanks(from start: Int) -> Int {
        unsafe start < count && self[unchecked: start] > Ascii.space ? start : skipBlankRun(from: start)
    }

    /// Returns the first position at or after `start` without a blank. Sets `hasBlanks` to true if there is a blank at
    /// `start`.
    @inline(__always)
    func skipBlanks(from start: Int, noting hasBlanks: inout Bool) -> Int {
        if unsafe start < count && self[unchecked: start] > Ascii.space { return start }
        let end = skipBlankRun(from: start)
        if end != start { hasBlanks = true }
        return end
    }

    /// Returns the result of ``skipBlanks(from:noting:)``, but is faster if at most one space is at `start`.
    @inline(__always)
    func skipBlank(from start: Int, noting hasBlanks: inout Bool) -> Int {
        if start &+ 1 < count {
            let first = unsafe self[unchecked: start]
            if first > Ascii.space { return start }
            if unsafe first == Ascii.space && self[unchecked: start &+ 1] > Ascii.space {
                hasBlanks = true
                return start &+ 1
            }
        }
        return skipBlanks(from: start, noting: &hasBlanks)
    }

    @inline(never)
    private func skipBlankRun(from start: Int) -> Int {
        var position = start
        // The common case is a new line and its indentation: a blank and a run of spaces.
        while position &+ 33 <= count, unsafe Ascii.isBlank(self[unchecked: position]) {
            position =
                otherThanSpace(in16BytesFrom: position &+ 1) ?? otherThanSpace(in16BytesFrom: position &+ 17)
                ?? skipSpaces(from: position &+ 33)
            if position < count, unsafe self[unchecked: position] > Ascii.space { return position }
        }
        while position < count, unsafe Ascii.isBlank(self[unchecked: position]) { position &+= 1 }
        return position
    }

    /// Returns the position of the first byte that is not a space; nil if all 16 bytes are spaces. Both words are
    /// loaded before either is tested.
    @inline(__always)
    private func otherThanSpace(in16BytesFrom start: Int) -> Int? {
        let first = unsafe word(unchecked: start) ^ Self.spaces
        let second = unsafe word(unchecked: start &+ 8) ^ Self.spaces
        if first != 0 { return start &+ Swar.firstMark(first) }
        return second != 0 ? start &+ 8 &+ Swar.firstMark(second) : nil
    }

    /// Returns the end of a run of spaces. The test takes eight bytes at a time. Near the end of the text, the result
    /// can be before the end of the run.
    @inline(__always)
    private func skipSpaces(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let others = unsafe word(unchecked: position) ^ Self.spaces
            if others != 0 { return position &+ Swar.firstMark(others) }
            position &+= 8
        }
        return position
    }

    private static var spaces: UInt64 { 0x2020_2020_2020_2020 }

    /// Returns the first position at or after `start` that is not a digit.
    @inline(__always)
    func skipDigits(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let stops = unsafe Swar.nonDigits(word(unchecked: position))
            if stops != 0 { return position &+ Swar.firstMark(stops) }
            position &+= 8
        }
        while position < count, unsafe Ascii.isDigit(self[unchecked: position]) { position &+= 1 }
        return position
    }

    /// Returns the end and the type of the number at `start`, which begins with a digit or a minus sign (RFC 8259 §6).
    @inline(__always)
    func scanNumber(from start: Int) throws(SyntaxFault) -> (end: Int, tag: IndexWord.Tag) {
        let firstDigit = unsafe self[unchecked: start] == Ascii.minus ? start &+ 1 : start
        if firstDigit &+ 24 <= count, let number = scanUsualNumber(from: firstDigit) { return number }
        return try scanAnyNumber(from: start)
    }

    /// Scans integers of up to 15 digits, and fractions of up to 23 characters with up to seven digits before the
    /// point. Returns nil for every other text.
    ///
    /// Each word's position is known in advance, so the processor can load them in parallel. The caller has checked
    /// that there are 24 bytes from the first digit on.
    @inline(__always)
    private func scanUsualNumber(from start: Int) -> (end: Int, tag: IndexWord.Tag)? {
        let head = unsafe Swar.nonDigits(word(unchecked: start))
        guard head != 0 else { return scanLongInteger(from: start) }
        let wholes = Swar.firstMark(head)
        if unsafe wholes == 0 || self[unchecked: start] == Ascii.zero && wholes > 1 { return nil }
        let stop = unsafe self[unchecked: start &+ wholes]
        guard stop == Ascii.point else { return stop | 0x20 == Ascii.e ? nil : (start &+ wholes, .integer) }
        // The marks of `nonDigits` are right up to the first byte that carries into the next one (see there). Digits
        // and a point never carry, so the second mark is right, too.
        let others = head & (head &- 1)
        var length = Swar.firstMark(others)
        if others == 0 {
            let middle = unsafe Swar.nonDigits(word(unchecked: start &+ 8))
            length = 8 &+ Swar.firstMark(middle)
            if middle == 0 {
                let tail = unsafe Swar.nonDigits(word(unchecked: start &+ 16))
                guard tail != 0 else { return nil }
                length = 16 &+ Swar.firstMark(tail)
            }
        }
        guard length > wholes &+ 1, unsafe self[unchecked: start &+ length] | 0x20 != Ascii.e else { return nil }
        return (start &+ length, .fraction)
    }

    /// Scans an integer that starts with eight digits and has at most 15; returns nil for every other text.
    @inline(__always)
    private func scanLongInteger(from start: Int) -> (end: Int, tag: IndexWord.Tag)? {
        let middle = unsafe Swar.nonDigits(word(unchecked: start &+ 8))
        let end = start &+ 8 &+ Swar.firstMark(middle)
        guard middle != 0, unsafe self[unchecked: start] != Ascii.zero, unsafe self[unchecked: end] != Ascii.point,
            unsafe self[unchecked: end] | 0x20 != Ascii.e
        else {
            return nil
        }
        return (end, .integer)
    }

    @inline(never)
    private func scanAnyNumber(from start: Int) throws(SyntaxFault) -> (end: Int, tag: IndexWord.Tag) {
        var position = start
        if unsafe self[unchecked: position] == Ascii.minus { position &+= 1 }
        let firstDigit = position
        position = skipDigits(from: position)
        if position == firstDigit { throw digitFault(at: position) }
        if unsafe self[unchecked: firstDigit] == Ascii.zero && position &- firstDigit > 1 {
            throw SyntaxFault(offset: firstDigit, reason: .leadingZero)
        }
        guard position < count else { return (position, .integer) }
        let stop = unsafe self[unchecked: position]
        if stop != Ascii.point && stop | 0x20 != Ascii.e { return (position, .integer) }
        if stop == Ascii.point {
            let firstDecimal = position &+ 1
            position = skipDigits(from: firstDecimal)
            if position == firstDecimal { throw digitFault(at: position) }
        }
        if position < count, unsafe self[unchecked: position] | 0x20 == Ascii.e {
            return (try skipExponent(at: position), .exponent)
        }
        return (position, .fraction)
    }

    private func skipExponent(at start: Int) throws(SyntaxFault) -> Int {
        var position = start &+ 1
        if position < count, unsafe self[unchecked: position] == Ascii.plus || self[unchecked: position] == Ascii.minus
        {
            position &+= 1
        }
        let firstDigit = position
        position = skipDigits(from: position)
        if position == firstDigit { throw digitFault(at: position) }
        return position
    }

    private func digitFault(at position: Int) -> SyntaxFault {
        SyntaxFault(offset: position, reason: position < count ? .digit : .endOfText)
    }

    /// Returns the end of the literal at `start`: `true`, `false` or `null`. The caller has checked the first byte and
    /// chosen the tag by it.
    ///
    /// The last four bytes are compared as one word. The constants are "true", "alse" and "null" in little-endian
    /// order.
    @inline(__always)
    func scanLiteral(_ tag: IndexWord.Tag, from start: Int) throws(SyntaxFault) -> Int {
        let (tail, length): (UInt32, Int) =
            switch tag {
            case .true: (0x6575_7274, 4)
            case .false: (0x6573_6C61, 5)
            default: (0x6C6C_756E, 4)
            }
        let end = start &+ length
        guard end <= count, unsafe halfWord(unchecked: end &- 4) == tail else {
            throw literalFault(length: length, from: start)
        }
        return end
    }

    private func literalFault(length: Int, from start: Int) -> SyntaxFault {
        let expected: StaticString =
            unsafe self[unchecked: start] == Ascii.t ? "true" : self[unchecked: start] == Ascii.f ? "false" : "null"
        let letters = Array(expected.description.utf8)
        for distance in 0..<length {
            guard start &+ distance < count else { return SyntaxFault(offset: count, reason: .endOfText) }
            if unsafe self[unchecked: start &+ distance] != letters[distance] { break }
        }
        return SyntaxFault(offset: start, reason: .value)
    }
}

/// The result of scanning the contents of a string: their end and their kind.
///
/// The scan checks escapes (RFC 8259 §7), control characters and UTF-8 (§8.1). The common case, ASCII up to the closing
/// quote, is tested eight bytes at a time.
struct StringScan {
    /// The position of the closing quote.
    var end: Int
    /// ``IndexWord/Tag/asciiString``, ``IndexWord/Tag/unicodeString`` or ``IndexWord/Tag/escapedString``.
    var tag: IndexWord.Tag
}

extension JsonBytes {
    /// Scans the contents that begin at `start`, immediately after the opening quote.
    @inline(__always)
    func scanString(from start: Int) throws(SyntaxFault) -> StringScan {
        guard start &+ 16 <= count else { return try scanStringSlowly(from: start) }
        return try scanString(from: start, firstStop: unsafe firstStop(in16BytesFrom: start))
    }

    /// Scans the contents that begin at `start`, of which the first stop in 16 bytes is known.
    @inline(__always)
    func scanString(from start: Int, firstStop stop: Int?) throws(SyntaxFault) -> StringScan {
        guard let stop else { return try scanLongString(from: start &+ 16) }
        if unsafe self[unchecked: stop] == Ascii.quote { return StringScan(end: stop, tag: .asciiString) }
        return try scanStringSlowly(from: stop)
    }

    /// Returns the position of the first quote, backslash, control character or byte over 0x7F; nil if the 16 bytes are
    /// plain. Most strings end within 16 bytes: two tests without a loop.
    ///
    /// **Bound.** The text has 16 bytes from `start` on.
    @inline(__always)
    @unsafe
    func firstStop(in16BytesFrom start: Int) -> Int? {
        let first = unsafe Swar.stringStops(word(unchecked: start))
        if first != 0 { return start &+ Swar.firstMark(first) }
        let second = unsafe Swar.stringStops(word(unchecked: start &+ 8))
        return second != 0 ? start &+ 8 &+ Swar.firstMark(second) : nil
    }

    /// Scans a string whose first 16 bytes are plain, which means ASCII without escapes.
    @inline(never)
    private func scanLongString(from start: Int) throws(SyntaxFault) -> StringScan {
        let stop = skipPlain(from: start)
        if stop < count, unsafe self[unchecked: stop] == Ascii.quote { return StringScan(end: stop, tag: .asciiString) }
        return try scanStringSlowly(from: stop)
    }

    /// Scans a string that is not plain or is near the end of the text.
    @inline(never)
    private func scanStringSlowly(from start: Int) throws(SyntaxFault) -> StringScan {
        var position = start
        var hasEscapes = false
        var hasUnicode = false
        while position < count {
            let byte = unsafe self[unchecked: position]
            if byte == Ascii.quote {
                return StringScan(
                    end: position,
                    tag: hasEscapes ? .escapedString : hasUnicode ? .unicodeString : .asciiString
                )
            } else if byte == Ascii.backslash {
                hasEscapes = true
                position = try skipEscape(at: position)
            } else if byte >= 0x80 {
                hasUnicode = true
                position = try skipUnicode(at: position)
                continue
            } else if byte < 0x20 {
                throw SyntaxFault(offset: position, reason: .unescapedControlCharacter)
            } else {
                position &+= 1
            }
            position = skipPlain(from: position)
        }
        throw SyntaxFault(offset: count, reason: .closingQuote)
    }

    /// Returns the end of a run of ASCII characters that need no escape. The test takes eight bytes at a time. Near the
    /// end of the text, the result can be before the end of the run.
    @inline(__always)
    private func skipPlain(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let stops = unsafe Swar.stringStops(word(unchecked: position))
            if stops != 0 { return position &+ Swar.firstMark(stops) }
            position &+= 8
        }
        return position
    }

    /// Returns the position after the escape whose backslash is at `start`. A surrogate pair is one escape.
    private func skipEscape(at start: Int) throws(SyntaxFault) -> Int {
        guard start &+ 1 < count else { throw SyntaxFault(offset: count, reason: .endOfText) }
        switch unsafe self[unchecked: start &+ 1] {
        case Ascii.quote, Ascii.backslash, Ascii.slash, Ascii.b, Ascii.f, Ascii.n, Ascii.r, Ascii.t:
            return start &+ 2
        case Ascii.u:
            let unit = try hexUnit(at: start &+ 2)
            guard unit & 0xF800 == 0xD800 else { return start &+ 6 }
            return try skipLowSurrogate(after: unit, at: start)
        default:
            throw SyntaxFault(offset: start &+ 1, reason: .escapeCharacter)
        }
    }

    private func skipLowSurrogate(after high: UInt32, at start: Int) throws(SyntaxFault) -> Int {
        let lone = SyntaxFault(offset: start, reason: .surrogatePair)
        if high >= 0xDC00 { throw lone }
        for (distance, expected) in [(6, Ascii.backslash), (7, Ascii.u)] {
            guard start &+ distance < count else { throw SyntaxFault(offset: count, reason: .endOfText) }
            if unsafe self[unchecked: start &+ distance] != expected { throw lone }
        }
        if try hexUnit(at: start &+ 8) & 0xFC00 != 0xDC00 { throw lone }
        return start &+ 12
    }

    /// Returns the value of the four hexadecimal digits at `start`.
    func hexUnit(at start: Int) throws(SyntaxFault) -> UInt32 {
        var unit: UInt32 = 0
        for position in start..<start &+ 4 {
            guard position < count else { throw SyntaxFault(offset: count, reason: .endOfText) }
            guard let digit = unsafe Ascii.hexValue(self[unchecked: position]) else {
                throw SyntaxFault(offset: position, reason: .hexDigits)
            }
            unit = unit &<< 4 | digit
        }
        return unit
    }

    /// Returns the position after a run of characters over U+007F. Table 3-7 of the Unicode Standard lists the
    /// well-formed sequences: the shortest form, no surrogates, nothing over U+10FFFF.
    @inline(__always)
    private func skipUnicode(at start: Int) throws(SyntaxFault) -> Int {
        var position = start
        while position &+ 8 <= count {
            let bytes = unsafe word(unchecked: position)
            if Utf8.isTwoOfThreeBytes(bytes) {
                position &+= 6
                continue
            }
            let sequence = UInt32(truncatingIfNeeded: bytes)
            if sequence & 0x80 == 0 { return position }
            let length = Utf8.sequenceLength(sequence)
            if length == 0 { throw SyntaxFault(offset: position, reason: .utf8) }
            position &+= length
        }
        while position < count, unsafe self[unchecked: position] >= 0x80 {
            let length = Utf8.sequenceLength(lastBytes(from: position))
            if length == 0 { throw SyntaxFault(offset: unfinishedOffset(position), reason: .utf8) }
            position &+= length
        }
        return position
    }

    /// Returns up to four bytes at the end of the text as a word, with zeros after them. A zero never continues a
    /// sequence.
    private func lastBytes(from position: Int) -> UInt32 {
        (0..<min(4, count &- position))
            .reduce(0) { unsafe $0 | UInt32(self[unchecked: position &+ $1]) &<< UInt32(8 &* $1) }
    }

    /// Returns the offset of the fault in an incomplete or ill-formed UTF-8 sequence near the end of the text. If the
    /// sequence only lacks continuation bytes, the offset is the end of the text.
    private func unfinishedOffset(_ position: Int) -> Int {
        let bytes = lastBytes(from: position)
        let missing = UInt32.max << (8 &* (count &- position))
        // Each lead byte allows 80 or BF as the second byte, and every sequence may end with either.
        let mayContinue = [0x8080_8080, 0xBFBF_BFBF].contains { Utf8.sequenceLength(bytes | $0 & missing) != 0 }
        return mayContinue ? count : position
    }
}
