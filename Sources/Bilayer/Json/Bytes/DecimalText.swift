/// The digits of a shortest decimal as text in registers: up to 17 bytes, the first digit first, so that the point can be put between
/// them without reading back what was just stored.
struct DecimalText {
    /// The first of 17 digits; 0 if there are fewer.
    let lead: UInt8
    /// The next sixteen digits or fewer as ASCII, the first in the lowest byte; what stands behind them means nothing.
    let low: UInt64
    let high: UInt64
    /// How many digits count: without zeros at either end.
    let count: Int
    /// How many digits stand before the point; not more than zero if there are zeros after it first.
    let whole: Int

    /// Splits digits that are not zero.
    @inline(__always)
    init(_ decimal: ShortestDecimal) {
        let leading = decimal.digits / 10_000_000_000_000_000
        let rest = decimal.digits &- leading &* 10_000_000_000_000_000
        let upper = rest / 100_000_000
        let first = Swar.digitValues(upper)
        let second = Swar.digitValues(rest &- upper &* 100_000_000)
        lead = leading == 0 ? 0 : UInt8(truncatingIfNeeded: leading) &+ Ascii.zero

        let zerosBehind = second != 0 ? second.leadingZeroBitCount : 64 &+ first.leadingZeroBitCount
        let zerosBefore = first != 0 ? first.trailingZeroBitCount : 64 &+ second.trailingZeroBitCount
        let skipped = leading != 0 ? 0 : zerosBefore &>> 3
        let length = 16 &- skipped &+ (leading != 0 ? 1 : 0)
        count = length &- zerosBehind &>> 3
        whole = length &+ decimal.exponent

        let shift = UInt64(truncatingIfNeeded: 8 &* (skipped & 7))
        let upperWord = second | 0x3030_3030_3030_3030
        let lowerWord = skipped < 8 ? first | 0x3030_3030_3030_3030 : upperWord
        // Two shifts for one by 64, which is none.
        low = lowerWord &>> shift | (skipped < 8 ? (upperWord &<< (56 &- (shift & 56))) &<< 8 : 0)
        high = skipped < 8 ? upperWord &>> shift : 0
    }

    /// The text of ``low`` and ``high`` with a point after `position` bytes, 15 at most.
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
