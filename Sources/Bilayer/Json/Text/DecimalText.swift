/// The digits of a ``ShortestDecimal`` as ASCII in registers. The point is also inserted in registers, so no stored
/// bytes are read back. There are always 17 digits, and the first is not zero. Only the first ``count`` digits are
/// significant.
struct DecimalText {
    /// The first digit.
    let lead: UInt8
    /// The other sixteen digits: the next eight in `low`, the last eight in `high`. The first digit of each word is in
    /// its lowest byte.
    let low: UInt64
    let high: UInt64
    /// The number of digits without the zeros at the end.
    let count: Int
    /// The number of digits before the point. Zero or less if the number is below 1. For example, -2 means two zeros
    /// after the point.
    let whole: Int

    /// Makes the text of a decimal, which must not be zero.
    @inline(__always)
    init(_ decimal: ShortestDecimal) {
        var (digits, exponent) = (decimal.digits, decimal.exponent)
        // Most decimals of 16 digits need one iteration. 0.0625, for example, needs two. Only the smallest values need
        // more.
        while digits < 10_000_000_000_000_000 {
            digits &*= 10
            exponent &-= 1
        }
        // The digits are split into nine and eight, because small numbers are divided faster.
        let upper = UInt32(truncatingIfNeeded: digits / 100_000_000)
        let second = Swar.digitValues(digits &- UInt64(upper) &* 100_000_000)
        let leading = upper / 100_000_000
        let first = Swar.digitValues(UInt64(upper &- leading &* 100_000_000))
        lead = UInt8(truncatingIfNeeded: leading) &+ Ascii.zero
        low = first | 0x3030_3030_3030_3030
        high = second | 0x3030_3030_3030_3030
        let zerosBehind = second != 0 ? second.leadingZeroBitCount : 64 &+ first.leadingZeroBitCount
        count = 17 &- zerosBehind &>> 3
        whole = 17 &+ exponent
    }

    /// Returns the text of ``low`` and ``high`` with a point after `position` bytes, at most 15.
    @inline(__always)
    func withPoint(after position: Int) -> (UInt64, UInt64, UInt64) {
        let shift = UInt64(truncatingIfNeeded: 8 &* (position & 7))
        let before: UInt64 = 1 &<< shift &- 1
        let point = UInt64(Ascii.point) &<< shift
        if position < 8 {
            return (low & before | point | (low & ~before) &<< 8, high &<< 8 | low &>> 56, high &>> 56)
        }
        return (low, high & before | point | (high & ~before) &<< 8, high &>> 56)
    }
}
