/// Finds the end of a string's contents and checks them on the way: escapes (RFC 8259 §7), control characters, UTF-8
/// (§8.1). The plain case, ASCII up to the closing quote, is a loop over eight bytes at a time.
struct StringScan {
    /// Position of the closing quote.
    var end: Int
    /// ``IndexWord/Tag/asciiString``, ``IndexWord/Tag/unicodeString`` or ``IndexWord/Tag/escapedString``.
    var tag: IndexWord.Tag
}

extension JsonBytes {
    /// Scans the contents that start at `start`, just after the opening quote.
    @inline(__always)
    func scanString(from start: Int) throws(SyntaxFault) -> StringScan {
        guard start &+ 16 <= count else { return try scanStringSlowly(from: start) }
        // Most strings end within sixteen bytes: two looks without a loop around them.
        var position = start
        var stops = Swar.stringStops(word(at: start))
        if stops == 0 {
            position = start &+ 8
            stops = Swar.stringStops(word(at: position))
        }
        if stops == 0 { return try scanLongString(from: start &+ 16) }
        let stop = position &+ Swar.firstMark(stops)
        if unsafe self[unchecked: stop] == Ascii.quote { return StringScan(end: stop, tag: .asciiString) }
        return try scanStringSlowly(from: stop)
    }

    /// Scans the contents from a position up to which they were plain.
    @inline(never)
    private func scanLongString(from start: Int) throws(SyntaxFault) -> StringScan {
        let stop = skipPlain(from: start)
        if stop < count, unsafe self[unchecked: stop] == Ascii.quote { return StringScan(end: stop, tag: .asciiString) }
        return try scanStringSlowly(from: stop)
    }

    /// Scans contents that are not plain, or near the end of the text.
    @inline(never)
    private func scanStringSlowly(from start: Int) throws(SyntaxFault) -> StringScan {
        var whole = start
        return try scanContents(from: start, whole: &whole)
    }

    /// Reads on in contents whose closing quote was not there before.
    /// - Parameter start: A place between two characters.
    /// - Returns: Where to go on when there are more bytes, also between two characters; nil if the quote, or a fault,
    ///   is there now.
    func scanOpenString(from start: Int) -> Int? {
        var whole = start
        do throws(SyntaxFault) {
            _ = try scanContents(from: start, whole: &whole)
            return nil
        } catch {
            guard error.offset == count else { return nil }
            if case .utf8 = error.reason { return max(whole, startOfLastCharacter) }
            return whole
        }
    }

    /// The scan itself. In case of a fault `whole` is a place up to which there are whole characters.
    @inline(__always)
    private func scanContents(from start: Int, whole: inout Int) throws(SyntaxFault) -> StringScan {
        var position = start
        var hasEscapes = false
        var hasUnicode = false
        while position < count {
            whole = position
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
                throw SyntaxFault(offset: position, reason: .escapedControlCharacter)
            } else {
                position &+= 1
            }
            position = skipPlain(from: position)
        }
        whole = count
        throw SyntaxFault(offset: count, reason: .closingQuote)
    }

    @inline(__always)
    private func skipPlain(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let stops = Swar.stringStops(word(at: position))
            if stops != 0 { return position &+ Swar.firstMark(stops) }
            position &+= 8
        }
        return position
    }

    /// The position after the escape whose backslash is at `start`; both halves of a surrogate pair at once.
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

    /// The value of four hexadecimal digits.
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

    /// The position after a run of characters over U+007F. Well-formed sequences are those of table 3-7 of the Unicode
    /// Standard: shortest form, no surrogates, nothing over U+10FFFF.
    @inline(__always)
    private func skipUnicode(at start: Int) throws(SyntaxFault) -> Int {
        var position = start
        while position &+ 8 <= count {
            let bytes = word(at: position)
            if Utf8.isPair(bytes) {
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

    /// Up to four bytes at the end of the text, zeros after it; a zero never continues a sequence.
    private func lastBytes(from position: Int) -> UInt32 {
        (0..<min(4, count &- position))
            .reduce(0) { unsafe $0 | UInt32(self[unchecked: position &+ $1]) &<< UInt32(8 &* $1) }
    }

    /// The place of the last byte that does not continue a character; a character has at most three that do.
    private var startOfLastCharacter: Int {
        (max(0, count &- 4)..<count).last { unsafe self[unchecked: $0] & 0xC0 != 0x80 } ?? count
    }

    /// Where a fault in the last three bytes lies: at the end of the text if more bytes could still make it right.
    private func unfinishedOffset(_ position: Int) -> Int {
        let lead = unsafe self[unchecked: position]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        let mayContinue =
            lead >= 0xC2 && lead <= 0xF4
            && (position &+ 1..<count).allSatisfy { unsafe self[unchecked: $0] & 0xC0 == 0x80 }
        return mayContinue && count &- position < length ? count : position
    }
}
