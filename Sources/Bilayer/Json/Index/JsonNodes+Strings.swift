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
            // The scanner has checked the bytes, and what stands for an escape is a whole scalar.
            return unsafe makeString(contents, isASCII: contents.reduce(0, |) < 0x80)
        }
    }

    /// Writes the contents of a string with its escapes resolved.
    ///
    /// **Bound.** `output` has room for `range.count` bytes: each escape is longer than what it stands for.
    /// - Parameters:
    ///   - range: Contents that the scanner has checked.
    ///   - output: Where to write.
    /// - Returns: How many bytes were written.
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
    /// The string of a few bytes that are known to be UTF-8; nil if there are more, or they are among the last of the
    /// text.
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

extension Utf8 {
    /// Writes a scalar as UTF-8. `output` must have room for its bytes from `start`.
    @unsafe
    static func write(_ scalar: UInt32, into output: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar &>> shift) & 0x3F) }
        switch scalar {
        case ..<0x80:
            unsafe output[start] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case ..<0x800:
            unsafe output[start] = UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6)
            unsafe output[start &+ 1] = tail(0)
            return 2
        case ..<0x1_0000:
            unsafe output[start] = UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12)
            unsafe output[start &+ 1] = tail(6)
            unsafe output[start &+ 2] = tail(0)
            return 3
        default:
            unsafe output[start] = UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18)
            unsafe output[start &+ 1] = tail(12)
            unsafe output[start &+ 2] = tail(6)
            unsafe output[start &+ 3] = tail(0)
            return 4
        }
    }
}

extension Ascii {
    /// The byte that a one-letter escape stands for.
    static func unescaped(_ letter: UInt8) -> UInt8 {
        switch letter {
        case b: 0x08
        case f: 0x0C
        case n: newline
        case r: carriageReturn
        case t: tab
        default: letter
        }
    }
}

/// A string of bytes that are known to be UTF-8, without checking them again where the system can do that.
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
