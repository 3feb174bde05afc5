import Foundation

/// A parsed text, ready for reading: its bytes and its index, addressed by index position. The root is position 0.
///
/// All readers in the module use it: ``Json``'s accessors, the mapping helpers, the `Codable` decoder. A value is a
/// position, and its type is ``tag(at:)``. From a container's position, ``firstChild(of:)`` and
/// ``IndexWords/next(after:)`` reach its elements, or its keys and values in turn:
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
/// `JsonNodes` is two pointers and two lengths. A copy costs nothing and retains nothing. It is valid inside
/// ``JsonDocument/withNodes(_:)`` or while the document is otherwise retained (`withExtendedLifetime`).
struct JsonNodes: Sendable {
    /// The text.
    let bytes: JsonBytes
    /// The index over it.
    let words: IndexWords

    /// The type of the value at a position.
    @inline(__always)
    func tag(at position: Int) -> IndexWord.Tag { unsafe words[unchecked: position].tag }

    /// The position of the first element or key of a container. Valid only if it has one.
    @inline(__always)
    func firstChild(of position: Int) -> Int { words.firstChild(of: position) }

    /// Reads a value that may be `null`, which gives an inner nil. Returns an outer nil if `read` returns nil.
    @inline(__always)
    func orNull<Value>(at position: Int, _ read: (JsonNodes, Int) -> Value?) -> Value?? {
        tag(at: position) == .null ? .some(nil) : read(self, position).map(Optional.some)
    }

    /// The contents of a string, still escaped, or the text of any other value, as a range of byte offsets.
    @inline(__always)
    func range(at position: Int) -> Range<Int> {
        let word = unsafe words[unchecked: position]
        let length = word.shortLength == IndexWord.unknownLength ? fullLength(of: word) : word.shortLength
        return unsafe Range(uncheckedBounds: (word.offset, word.offset &+ length))
    }

    /// The length of a token too long for its index word. The text is known to be valid, so the scan checks nothing.
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

    /// Only blanks follow the root, so a text of any size need not be read for its end.
    private var endOfRoot: Int {
        var end = bytes.count
        while end > 0, unsafe Ascii.isBlank(bytes[unchecked: end &- 1]) { end &-= 1 }
        return end
    }

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

// Members of an object, for a search by their keys.

extension JsonNodes {
    /// The position of the first key that is the requested one, among the keys in a range; `end` or beyond if there is
    /// none.
    @inline(__always)
    func position(from start: Int, to end: Int, where isKey: (Int) -> Bool) -> Int {
        var position = start
        while position < end, !isKey(position) { position = words.next(after: position &+ 1) }
        return position
    }

    /// The bits of a range of keys.
    @inline(__always)
    func filterBits(ofKeysFrom start: Int, to end: Int, _ bitsOfKey: (Int) -> UInt64) -> UInt64 {
        var bits: UInt64 = 0
        var position = start
        while position < end {
            bits |= bitsOfKey(position)
            position = words.next(after: position &+ 1)
        }
        return bits
    }

    /// The bit of the key at a position in a filter of keys. All bits of a key with escapes, a very long one, and one
    /// at the end of the text, because it may equal any key.
    @inline(__always)
    func filterBits(ofKeyAt position: Int) -> UInt64 {
        let word = unsafe words[unchecked: position]
        let length = word.shortLength
        guard word.tag != .escapedString, length != IndexWord.unknownLength, word.offset &+ 8 <= bytes.count else {
            return MemberHint.everyBit
        }
        return KeyHash(
            first: bytes.word(at: word.offset) & JsonBytes.mask(length: length),
            rest: bytes.secondWord(from: word.offset, length: length),
            length: length
        )
        .filterBit
    }
}

extension JsonNodes {
    /// The bool at a position, nil for anything else.
    @inline(__always)
    func bool(at position: Int) -> Bool? {
        let tag = tag(at: position)
        return tag == .true ? true : tag == .false ? false : nil
    }

    /// The string at a position, nil for anything else.
    @inline(__always)
    func stringValue(at position: Int) -> String? {
        tag(at: position).isString ? string(at: position) : nil
    }

    /// The integer at a position, nil if there is none that fits. Types of more than 64 bits keep all their bits.
    @inline(__always)
    func integerValue<Integer: FixedWidthInteger>(_ type: Integer.Type, at position: Int) -> Integer? {
        if let value: Integer = integer(at: position) { return value }
        return Integer.bitWidth > 64 && tag(at: position) == .integer ? Integer(text(at: position)) : nil
    }
}

extension JsonNodes {
    /// The string at a position, a key or a value. The position must hold one.
    @inline(__always)
    func string(at position: Int) -> String {
        let tag = unsafe words[unchecked: position].tag
        let range = range(at: position)
        if tag == .escapedString { return unescapedString(range) }
        // The scanner has checked the bytes.
        if let short = bytes.smallString(range, isASCII: tag == .asciiString) { return short }
        return unsafe makeString(bytes.buffer(from: range.lowerBound, count: range.count), isASCII: tag == .asciiString)
    }

    @inline(never)
    private func unescapedString(_ range: Range<Int>) -> String {
        // Unescaping never makes a string longer.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { buffer in
            let count = unsafe unescape(range, into: buffer)
            let contents = unsafe UnsafeBufferPointer(rebasing: buffer[..<count])
            // The scanner has checked the bytes, and each escape represents a whole scalar.
            return unsafe makeString(contents, isASCII: contents.reduce(0, |) < 0x80)
        }
    }

    /// Writes the contents of a string with its escapes resolved.
    ///
    /// **Bound.** `output` has capacity for `range.count` bytes: each escape is longer than the bytes that it
    /// represents.
    /// - Parameters:
    ///   - range: Contents that the scanner has checked.
    ///   - output: The memory to write to.
    /// - Returns: The number of written bytes.
    @unsafe
    func unescape(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let start = output.baseAddress else { return 0 }
        var position = range.lowerBound
        var written = 0
        while position < range.upperBound {
            // Bound: eight bytes of the contents are left, so `output` has room for as many.
            while position &+ 8 <= range.upperBound {
                let word = bytes.word(at: position)
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

    /// The scalar of a `\u` escape, or of two that make a surrogate pair. `position` is that of the first digit.
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
    /// The string of a few bytes that are known to be UTF-8. Returns nil for more bytes, and for bytes at the end of
    /// the text.
    @inline(__always)
    func smallString(_ range: Range<Int>, isASCII: Bool) -> String? {
        let length = range.count
        guard length <= SmallString.greatestCount, range.lowerBound &+ 16 <= count, SmallString.isUsable else {
            return nil
        }
        let first = word(at: range.lowerBound)
        let bits = UInt64(truncatingIfNeeded: 8 &* length)
        if length < 8 {
            return SmallString.make(first: first & (1 &<< bits &- 1), rest: 0, count: length, isASCII: isASCII)
        }
        let rest = word(at: range.lowerBound &+ 8) & (1 &<< (bits & 63) &- 1)
        return SmallString.make(first: first, rest: rest, count: length, isASCII: isASCII)
    }
}

/// Makes a string of bytes that are known to be UTF-8. Does not check them again where the system allows that.
/// - Parameters:
///   - buffer: Well-formed UTF-8.
///   - isASCII: Whether no byte is over 0x7F.
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
    /// The text of the value at a position, a string's without its quotes and still escaped.
    func text(at position: Int) -> String {
        let range = range(at: position)
        return unsafe makeString(bytes.buffer(from: range.lowerBound, count: range.count), isASCII: false)
    }

    /// The number at a position as an integer, nil if it is none or does not fit. `7.0` and `70e-1` are 7.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(at position: Int) -> Integer? {
        let word = unsafe words[unchecked: position]
        guard word.tag == .integer, word.shortLength <= 19 else { return unusualInteger(at: position) }
        return smallInteger(word)
    }

    /// An integer of at most 18 digits, or 19 without a sign: any value that certainly fits 64 bits.
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
        // If the last digit after the point is not 0, the number is no integer. Such a read is mostly one of several
        // attempts.
        if tag(at: position) == .fraction, bytes[range(at: position).upperBound &- 1] != Ascii.zero { return nil }
        guard let number = JsonNumber(self, at: position), let magnitude = number.integerMagnitude else { return nil }
        if !number.isNegative { return Integer(exactly: magnitude) }
        guard magnitude <= Int64.min.magnitude else { return nil }
        return Integer(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// The nearest double to the number at a position. Nil if the value is no number, or too large for a double.
    @inline(never)
    func double(at position: Int) -> Double? {
        if hasWords(around: position), let value = fraction(at: position) { return value }
        return tag(at: position).isNumber ? anyDouble(at: position) : nil
    }

    /// Whether ``fraction(at:)`` can read the value at a position, or its elements.
    @inline(__always)
    func hasWords(around position: Int) -> Bool {
        let word = unsafe words[unchecked: position]
        return word.shortLength < IndexWord.unknownLength
            && bytes.hasWords(around: word.offset, count: word.shortLength)
    }

    /// The double nearest to a number with a point and without an exponent. Returns nil for unusually many digits.
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

    /// The numbers that need all their digits, are subnormal or too large. The standard library reads them with exact
    /// rounding.
    @inline(never)
    private func unusualDouble(at position: Int) -> Double? {
        guard let value = Double(text(at: position)), value.isFinite else { return nil }
        return value
    }

    /// The number at a position as a decimal, nil if it is none or has more digits than `Decimal` holds.
    func decimal(at position: Int) -> Decimal? {
        JsonNumber(self, at: position)?.decimal
    }
}

extension JsonBytes {
    /// The value of at most 19 digits.
    @inline(__always)
    func digits(from start: Int, count length: Int) -> UInt64 {
        if length <= 8, start &+ 8 <= count { return Swar.firstDigits(length, of: word(at: start)) }
        if length <= 16, start &+ 16 <= count {
            let upper = Swar.firstDigits(length &- 8, of: word(at: start))
            return upper &* 100_000_000 &+ Swar.eightDigits(word(at: start &+ length &- 8))
        }
        return manyDigits(from: start, to: start &+ length)
    }

    @inline(never)
    private func manyDigits(from start: Int, to end: Int) -> UInt64 {
        var value: UInt64 = 0
        var position = start
        while position &+ 8 <= end {
            value = value &* 100_000_000 &+ Swar.eightDigits(word(at: position))
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
    /// The normal form of the number at an index position, nil if there is none.
    init?(_ nodes: JsonNodes, at position: Int) {
        guard nodes.tag(at: position).isNumber else { return nil }
        let range = nodes.range(at: position)
        // Bound: the range of a number is inside the text, which is retained during the call.
        unsafe self.init(text: unsafe nodes.bytes.buffer(from: range.lowerBound, count: range.count))
    }
}
