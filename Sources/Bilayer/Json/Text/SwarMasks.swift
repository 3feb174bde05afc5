/// Tests and conversions of eight bytes at once (SIMD within a register). In the result of a test, the lowest set bit
/// is exact: it belongs to the first byte that matches. Carries can set bits above it.
@usableFromInline
enum Swar {
    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// Marks quotes, backslashes, control characters and bytes over 0x7F.
    @inline(__always)
    static func stringStops(_ word: UInt64) -> UInt64 {
        (unescapedStops(word) | word) & highBits
    }

    /// Marks quotes, backslashes and control characters, which need an escape. Bytes over 0x7F are not marked.
    @inlinable
    @inline(__always)
    static func escapeStops(_ word: UInt64) -> UInt64 {
        unescapedStops(word) & ~word & highBits
    }

    @inlinable
    @inline(__always)
    static func unescapedStops(_ word: UInt64) -> UInt64 {
        // With its second bit flipped, a quote becomes 0x20, and control characters stay below 0x20. No other byte
        // becomes less than 0x21.
        let quotesAndControls = word ^ 0x0202_0202_0202_0202
        let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        return (quotesAndControls &- 0x2121_2121_2121_2121) | (backslashes &- ones)
    }

    /// Marks all bytes but the digits 0 to 9. The marks are exact up to the first byte over 0x7F, which can carry into
    /// the next byte.
    @inline(__always)
    static func nonDigits(_ word: UInt64) -> UInt64 {
        let digits = word ^ 0x3030_3030_3030_3030
        return ((digits &+ 0x7676_7676_7676_7676) | digits) & highBits
    }

    /// Marks backslashes.
    @inline(__always)
    static func backslashes(_ word: UInt64) -> UInt64 {
        let others = word ^ 0x5C5C_5C5C_5C5C_5C5C
        return (others &- ones) & ~others & highBits
    }

    /// Marks points. All other bytes must be ASCII.
    @inline(__always)
    static func points(_ word: UInt64) -> UInt64 {
        ((word ^ 0x2E2E_2E2E_2E2E_2E2E) &- ones) & highBits
    }

    /// Returns the value of eight digits. The first byte is the most significant digit.
    @inline(__always)
    static func eightDigits(_ word: UInt64) -> UInt64 { value(ofDigits: digits(word)) }

    /// Replaces each ASCII digit by its value. The result is undefined for other bytes.
    @inline(__always)
    static func digits(_ word: UInt64) -> UInt64 { word & 0x0F0F_0F0F_0F0F_0F0F }

    /// Returns the value of the first `count` digits of a word, one to eight.
    @inline(__always)
    static func firstDigits(_ count: Int, of word: UInt64) -> UInt64 {
        // The bytes after the digits are shifted out; zeros are shifted in before them.
        value(ofDigits: digits(word) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// Returns the value of the last `count` digits of a word, one to eight.
    @inline(__always)
    static func lastDigits(_ count: Int, of word: UInt64) -> UInt64 {
        value(ofDigits: word & lastDigitsMask(count))
    }

    /// Returns the value of sixteen digits. ``lastDigitsMask(_:)`` makes the mask for the first eight.
    ///
    /// Vectors need half as many steps, and leave the processor's multiplier free for other instructions. The lanes are
    /// in little-endian order, which all supported systems use.
    @inline(__always)
    static func sixteenDigits(_ upper: UInt64, _ lower: UInt64, mask: UInt64) -> UInt64 {
        // Bound of the casts: vectors of 16 bytes each, of which all bits are valid.
        let both = SIMD2(upper, lower) & SIMD2(mask, digits(.max))
        let digits = unsafe unsafeBitCast(both, to: SIMD8<UInt16>.self)
        let pairs = (digits &* 10 &+ digits &>> 8) & 0xFF
        let wide = unsafe unsafeBitCast(pairs, to: SIMD4<UInt32>.self)
        let fours = (unsafe unsafeBitCast(pairs &* 100, to: SIMD4<UInt32>.self) &+ wide &>> 16) & 0xFFFF
        let wider = unsafe unsafeBitCast(fours, to: SIMD2<UInt64>.self)
        let eights = (wider & 0xFFFF_FFFF) &* 10_000 &+ wider &>> 32
        return eights[0] &* 100_000_000 &+ eights[1]
    }

    /// Returns the eight decimal digits of a value below 10^8, one in each byte. The most significant digit is in the
    /// lowest byte.
    @inline(__always)
    static func digitValues(_ value: UInt64) -> UInt64 {
        // Divides into halves of four digits, then of two, then into single digits. The quotient is in the lower half
        // of a lane, the remainder in the upper half. The divisions are multiplications with enough bits to be exact.
        // `(x - 100 q) << 16 + q` is `x << 16 - q (100 << 16 - 1)`.
        let fours = value &<< 32 &- ((value &* 109_951_163) &>> 40) &* (10_000 &<< 32 &- 1)
        let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007F_0000_007F
        let twos = fours &<< 16 &- hundreds &* (100 &<< 16 &- 1)
        let tens = ((twos &* 103) &>> 10) & 0x000F_000F_000F_000F
        return twos &<< 8 &- tens &* (10 &<< 8 &- 1)
    }

    /// Returns a mask that leaves the values of the last `count` digits of a word, one to eight.
    @inline(__always)
    static func lastDigitsMask(_ count: Int) -> UInt64 {
        digits(.max &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    @inline(__always)
    private static func value(ofDigits digits: UInt64) -> UInt64 {
        let pairs = (digits &* 10) &+ (digits &>> 8)
        let upper = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let lower = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (upper &+ lower) &>> 32
    }

    /// Returns the number of bytes before the first marked byte.
    @inlinable
    @inline(__always)
    static func firstMark(_ marks: UInt64) -> Int { marks.trailingZeroBitCount &>> 3 }
}
