import Foundation

/// A parsed text for reading: its bytes and its index. A value is addressed by its index position. The root has
/// position 0.
///
/// All readers in the module use it: the accessors of ``Json``, the mapping helpers and the `Codable` decoder.
/// ``tag(at:)`` returns the type of the value at a position. ``firstChild(of:)`` and ``IndexWords/next(after:)`` step
/// through the elements of an array, or through the keys and values of an object in turn:
///
/// ```swift
/// var child = nodes.firstChild(of: position)
/// for _ in 0..<nodes.words.memberCount(at: position) {
///     let key = nodes.string(at: child)            // an object: a key, then its value
///     read(nodes, at: child + 1)
///     child = nodes.words.next(after: child + 1)
/// }
/// ```
///
/// `JsonNodes` is two pointers and two lengths. A copy retains nothing. It is valid inside
/// ``JsonDocument/withNodes(_:)``, or while the document is retained in another way (`withExtendedLifetime`).
struct JsonNodes: Sendable {
    /// The text.
    let bytes: JsonBytes
    /// The index of the text.
    let words: IndexWords

    /// Returns the type of the value at a position.
    @inline(__always)
    func tag(at position: Int) -> IndexWord.Tag { unsafe words[unchecked: position].tag }

    /// Returns the position of the first element or key of a container; of an empty container, the position after it.
    @inline(__always)
    func firstChild(of position: Int) -> Int { words.firstChild(of: position) }

    /// Reads a value that can be `null`. Returns `.some(nil)` for `null`, and `nil` if `read` returns nil.
    @inline(__always)
    func orNull<Value>(at position: Int, _ read: (JsonNodes, Int) -> Value?) -> Value?? {
        tag(at: position) == .null ? .some(nil) : read(self, position).map(Optional.some)
    }

    /// Returns the byte offsets of a value's text. For a string, the range is that of its contents, without quotes and
    /// with unresolved escapes.
    @inline(__always)
    func range(at position: Int) -> Range<Int> {
        let word = unsafe words[unchecked: position]
        let length = word.shortLength == IndexWord.unknownLength ? fullLength(of: word) : word.shortLength
        return unsafe Range(uncheckedBounds: (word.offset, word.offset &+ length))
    }

    /// Returns the length of a key or value that is too long for its index word. The text is known to be valid, so the
    /// scan finds no fault.
    @inline(never)
    func fullLength(of word: IndexWord) -> Int {
        let start = word.offset
        switch word.tag {
        case .array, .object:
            return unsafe (start == words[unchecked: 0].offset ? endOfRoot : endOfContainer(from: start)) &- start
        case .integer, .fraction, .exponent:
            var end = start
            while end < bytes.count, unsafe isNumberByte(bytes[unchecked: end]) { end &+= 1 }
            return end &- start
        default:
            return ((try? bytes.scanString(from: start))?.end ?? start) &- start
        }
    }

    private func isNumberByte(_ byte: UInt8) -> Bool {
        Ascii.isDigit(byte) || byte == Ascii.minus || byte == Ascii.plus || byte == Ascii.point
            || byte | 0x20 == Ascii.e
    }

    /// The offset after the last byte of the root. Only blanks follow the root, so the search goes backwards from the
    /// end of the text.
    private var endOfRoot: Int {
        var end = bytes.count
        while end > 0, unsafe Ascii.isBlank(bytes[unchecked: end &- 1]) { end &-= 1 }
        return end
    }

    /// Returns the offset after the closing bracket of the container that starts at an offset.
    private func endOfContainer(from start: Int) -> Int {
        var depth = 0
        var position = start
        while position < bytes.count {
            switch unsafe bytes[unchecked: position] {
            case Ascii.openBrace, Ascii.openBracket: depth &+= 1
            case Ascii.closeBrace, Ascii.closeBracket: depth &-= 1
            case Ascii.quote:
                let contents = IndexWord(.escapedString, offset: position &+ 1, length: IndexWord.unknownLength)
                position &+= fullLength(of: contents) &+ 1
            default: break
            }
            position &+= 1
            if depth == 0 { break }
        }
        return position
    }
}

extension JsonNodes {
    /// Returns the bool at a position; nil for a value of another type.
    @inline(__always)
    func bool(at position: Int) -> Bool? {
        let tag = tag(at: position)
        return tag == .true ? true : tag == .false ? false : nil
    }

    /// Returns the string at a position; nil for a value of another type.
    @inline(__always)
    func stringValue(at position: Int) -> String? {
        tag(at: position).isString ? string(at: position) : nil
    }

    /// Returns the integer at a position; nil if the value is not an integer or does not fit.
    @inline(__always)
    func integerValue<Integer: FixedWidthInteger>(_ type: Integer.Type, at position: Int) -> Integer? {
        if let value: Integer = integer(at: position) { return value }
        if Integer.bitWidth <= 64 { return nil }
        if tag(at: position) == .integer { return Integer(text(at: position)) }
        return JsonNumber(self, at: position)?.longInteger()
    }
}

extension JsonNodes {
    /// Returns the string at a position, a key or a value. There must be a string at the position.
    @inline(__always)
    func string(at position: Int) -> String {
        let word = unsafe words[unchecked: position]
        let length = word.shortLength
        if word.tag == .escapedString || length == IndexWord.unknownLength { return unusualString(at: position) }
        // The scanner has checked the bytes.
        let isASCII = word.tag == .asciiString
        if let short = bytes.smallString(from: word.offset, count: length, isASCII: isASCII) { return short }
        return unsafe makeString(bytes.buffer(from: word.offset, count: length), isASCII: isASCII)
    }

    /// Returns a string with escapes, or one whose length the index does not store.
    @inline(never)
    private func unusualString(at position: Int) -> String {
        let range = range(at: position)
        if tag(at: position) == .escapedString { return unescapedString(range) }
        let isASCII = tag(at: position) == .asciiString
        return unsafe makeString(bytes.buffer(from: range.lowerBound, count: range.count), isASCII: isASCII)
    }

    private func unescapedString(_ range: Range<Int>) -> String {
        // Unescaping never makes a string longer.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { buffer in
            let count = unsafe unescape(range, into: buffer)
            let contents = unsafe UnsafeBufferPointer(rebasing: buffer[..<count])
            // The scanner has checked the bytes, and each escape, or pair of escapes, represents a whole scalar.
            return unsafe makeString(contents, isASCII: contents.reduce(0, |) < 0x80)
        }
    }

    /// Writes the contents of a string with its escapes resolved.
    ///
    /// **Bound.** `output` has capacity for `range.count` bytes: each escape is longer than the bytes that it
    /// represents.
    /// - Parameters:
    ///   - range: The contents of a string, which the scanner has checked.
    ///   - output: The memory to write to.
    /// - Returns: The number of written bytes.
    @unsafe
    func unescape(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let start = output.baseAddress else { return 0 }
        var position = range.lowerBound
        var written = 0
        while position < range.upperBound {
            // Bound: eight bytes of the contents remain, so `output` has capacity for eight more.
            while position &+ 8 <= range.upperBound {
                let word = unsafe bytes.word(unchecked: position)
                let escapes = Swar.backslashes(word)
                if escapes & 0xFF != 0 { break }
                unsafe UnsafeMutableRawPointer(start + written).storeBytes(of: word.littleEndian, as: UInt64.self)
                let plain = escapes == 0 ? 8 : Swar.firstMark(escapes)
                position &+= plain
                written &+= plain
            }
            guard position < range.upperBound else { break }
            let byte = unsafe bytes[unchecked: position]
            if byte != Ascii.backslash {
                unsafe output[written] = byte
                written &+= 1
                position &+= 1
                continue
            }
            let escape = unsafe bytes[unchecked: position &+ 1]
            position &+= 2
            if escape == Ascii.u {
                let scalar = scalar(afterEscapeAt: &position)
                written &+= unsafe Utf8.write(scalar, into: output, at: written)
            } else {
                unsafe output[written] = Ascii.unescaped(escape)
                written &+= 1
            }
        }
        return written
    }

    /// Returns the scalar of a `\u` escape, or of two `\u` escapes that make a surrogate pair. `position` is the
    /// position of the first digit. After the call it is the position after the last escape.
    private func scalar(afterEscapeAt position: inout Int) -> UInt32 {
        let unit = checkedHexUnit(at: position)
        position &+= 4
        if unit & 0xFC00 != 0xD800 { return unit }
        let low = checkedHexUnit(at: position &+ 2)
        position &+= 6
        return 0x1_0000 &+ (unit & 0x3FF) &<< 10 &+ (low & 0x3FF)
    }

    private func checkedHexUnit(at position: Int) -> UInt32 {
        (0..<4).reduce(0) { unsafe $0 &<< 4 | (Ascii.hexValue(bytes[unchecked: position &+ $1]) ?? 0) }
    }
}

extension JsonBytes {
    /// Makes a string of at most 15 bytes, which must be valid UTF-8. Returns nil for more bytes, for bytes near the
    /// end of the text, and if ``SmallString`` is not usable.
    @inline(__always)
    func smallString(from offset: Int, count length: Int, isASCII: Bool) -> String? {
        guard length <= SmallString.greatestCount, offset &+ 16 <= count, SmallString.isUsable else { return nil }
        let first = unsafe word(unchecked: offset)
        let bits = UInt64(truncatingIfNeeded: 8 &* length)
        if length < 8 {
            return SmallString.make(first: first & (1 &<< bits &- 1), rest: 0, count: length, isASCII: isASCII)
        }
        let rest = unsafe word(unchecked: offset &+ 8) & (1 &<< (bits & 63) &- 1)
        return SmallString.make(first: first, rest: rest, count: length, isASCII: isASCII)
    }
}

/// Makes a string of bytes, which must be valid UTF-8. On Linux, and on Apple's systems from version 26 on, the bytes
/// are not checked again.
/// - Parameters:
///   - buffer: Well-formed UTF-8.
///   - isASCII: True only if no byte is over 0x7F; false means unknown.
/// - Returns: The string.
@unsafe
@inline(__always)
func makeString(_ buffer: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> String {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return unsafe String(copying: UTF8Span(unchecked: Span(_unsafeElements: buffer), isKnownASCII: isASCII))
    }
    return unsafe String(decoding: buffer, as: UTF8.self)
}

extension JsonNodes {
    /// Returns the text of the value at a position. The text of a string has no quotes, and its escapes are not
    /// resolved.
    func text(at position: Int) -> String {
        let range = range(at: position)
        return unsafe makeString(bytes.buffer(from: range.lowerBound, count: range.count), isASCII: false)
    }

    /// Returns the number at a position as an integer; nil if the value is not an integer, or does not fit in the type
    /// or in 64 bits. `7.0` and `70e-1` are 7.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(at position: Int) -> Integer? {
        let word = unsafe words[unchecked: position]
        guard word.tag == .integer, word.shortLength <= 19 else { return unusualInteger(at: position) }
        return smallInteger(word)
    }

    /// Reads an integer of at most 18 digits, or 19 without a sign. Every such integer fits into 64 bits.
    @inline(__always)
    private func smallInteger<Integer: FixedWidthInteger>(_ word: IndexWord) -> Integer? {
        let isNegative = unsafe bytes[unchecked: word.offset] == Ascii.minus
        let start = isNegative ? word.offset &+ 1 : word.offset
        let magnitude = bytes.digits(from: start, count: word.offset &+ word.shortLength &- start)
        if !isNegative { return Integer(exactly: magnitude) }
        return Integer(exactly: 0 &- Int64(truncatingIfNeeded: magnitude))
    }

    @inline(never)
    private func unusualInteger<Integer: FixedWidthInteger>(at position: Int) -> Integer? {
        // If the last digit after the point is not 0, the number is not an integer. This case is common where a caller
        // tries one type after another.
        if tag(at: position) == .fraction, bytes[range(at: position).upperBound &- 1] != Ascii.zero { return nil }
        guard let number = JsonNumber(self, at: position), let magnitude = number.integerMagnitude else { return nil }
        if !number.isNegative { return Integer(exactly: magnitude) }
        guard magnitude <= Int64.min.magnitude else { return nil }
        return Integer(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// Returns the double nearest to the number at a position; nil if the value is not a number, or is too large for a
    /// double.
    @inline(never)
    func double(at position: Int) -> Double? {
        let word = unsafe words[unchecked: position]
        // Near the end of a text, fewer than eight bytes follow a number. In a small text such numbers are not rare.
        if word.tag == .fraction, word.offset >= 24, word.shortLength < IndexWord.unknownLength,
            let parts = bytes.fractionParts(from: word.offset, count: word.shortLength, mayBeAtEnd: true),
            let value = parts.nearestDouble
        {
            return value
        }
        return word.tag.isNumber ? anyDouble(at: position) : nil
    }

    /// Whether ``fraction(at:)`` may read the value at a position, or the elements of the array there.
    @inline(__always)
    func hasWords(around position: Int) -> Bool {
        let word = unsafe words[unchecked: position]
        return word.shortLength < IndexWord.unknownLength
            && bytes.hasWords(around: word.offset, count: word.shortLength)
    }

    /// Returns the double nearest to a number with a point and without an exponent. Nil means unknown: for other
    /// values, for unusually many digits, and if 64 bits do not decide the rounding.
    @inline(__always)
    func fraction(at position: Int) -> Double? {
        let word = unsafe words[unchecked: position]
        guard word.tag == .fraction else { return nil }
        return bytes.fractionParts(from: word.offset, count: word.shortLength)?.nearestFraction
    }

    @inline(never)
    private func anyDouble(at position: Int) -> Double? {
        let range = range(at: position)
        let parts = bytes.decimalParts(from: range.lowerBound, to: range.upperBound)
        return parts.nearestDouble ?? unusualDouble(at: position)
    }

    /// Reads a number with the standard library, which rounds exactly. This is needed if rounding depends on all
    /// digits, or if the number is very small or very large. Returns nil if the number is too large for a double.
    @inline(never)
    private func unusualDouble(at position: Int) -> Double? {
        guard let value = Double(text(at: position)), value.isFinite else { return nil }
        return value
    }

    /// Returns the number at a position as a decimal. Nil if the value is not a number, or `Decimal` cannot hold its
    /// digits or its exponent.
    func decimal(at position: Int) -> Decimal? {
        JsonNumber(self, at: position)?.decimal
    }
}

extension JsonBytes {
    /// Returns the value of a run of at most 19 digits.
    @inline(__always)
    func digits(from start: Int, count length: Int) -> UInt64 {
        if length <= 8, start &+ 8 <= count { return unsafe Swar.firstDigits(length, of: word(unchecked: start)) }
        if length <= 16, start &+ 16 <= count {
            let upper = unsafe Swar.firstDigits(length &- 8, of: word(unchecked: start))
            return unsafe upper &* 100_000_000 &+ Swar.eightDigits(word(unchecked: start &+ length &- 8))
        }
        return manyDigits(from: start, to: start &+ length)
    }

    @inline(never)
    private func manyDigits(from start: Int, to end: Int) -> UInt64 {
        var value: UInt64 = 0
        var position = start
        while position &+ 8 <= end {
            value = unsafe value &* 100_000_000 &+ Swar.eightDigits(word(unchecked: position))
            position &+= 8
        }
        while position < end {
            value = unsafe value &* 10 &+ UInt64(truncatingIfNeeded: self[unchecked: position] &- Ascii.zero)
            position &+= 1
        }
        return value
    }
}

extension JsonNumber {
    /// The normal form of the number at an index position; nil if the value there is not a number.
    init?(_ nodes: JsonNodes, at position: Int) {
        guard nodes.tag(at: position).isNumber else { return nil }
        let range = nodes.range(at: position)
        // Bound: the range of a number is inside the text, which is retained during the call.
        unsafe self.init(text: unsafe nodes.bytes.buffer(from: range.lowerBound, count: range.count))
    }
}
