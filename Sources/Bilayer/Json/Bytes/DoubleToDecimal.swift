/// The fewest decimal digits that read back as the same double: `digits × 10^exponent`.
struct ShortestDecimal {
    var digits: UInt64
    var exponent: Int
}

extension ShortestDecimal {
    /// Finds them with the Schubfach algorithm. The value must be finite and not zero; its sign is ignored.
    ///
    /// The double stands for every real number nearer to it than to its neighbours. Scaled by a power of ten so that at most a few whole
    /// numbers lie in that interval, the algorithm takes the one with the fewest digits, of several the nearest. All products are rounded
    /// to odd, which keeps comparisons right.
    /// - SeeAlso: Giulietti, The Schubfach way to render doubles, 2021.
    init(_ value: Double) {
        let fraction = value.significandBitPattern
        let biased = Int(truncatingIfNeeded: value.exponentBitPattern)
        let isSubnormal = biased == 0
        let mantissa = isSubnormal ? fraction : fraction | 1 &<< 52
        let binaryExponent = isSubnormal ? -1074 : biased &- 1075

        if binaryExponent <= 0, binaryExponent > -53 {
            let shift = UInt64(truncatingIfNeeded: -binaryExponent)
            let whole = mantissa &>> shift
            if whole &<< shift == mantissa {
                self.init(digits: whole, exponent: 0)
                return
            }
        }
        // At a power of two the neighbour below is nearer.
        let isUneven = fraction == 0 && biased > 1
        self.init(mantissa, binaryExponent: binaryExponent, isUneven: isUneven)
    }

    private init(_ mantissa: UInt64, binaryExponent: Int, isUneven: Bool) {
        // ⌊log10(2^exponent)⌋, for uneven intervals of 3/4 of that.
        let scale = (binaryExponent &* 315_653 &- (isUneven ? 131_237 : 0)) &>> 20
        // 217707 / 65536 is log2 of 10.
        let shift = UInt64(truncatingIfNeeded: binaryExponent &+ ((-scale &* 217_707) &>> 16) &+ 1)
        let power = PowersOfTen.roundedUp(-scale)
        func scaled(_ quarters: UInt64) -> UInt64 { Self.roundedToOdd(power, times: quarters &<< shift) }

        // All in quarters, as the interval's ends lie half way between two doubles.
        let middle = scaled(4 &* mantissa)
        var lower = scaled(4 &* mantissa &- (isUneven ? 1 : 2))
        var upper = scaled(4 &* mantissa &+ 2)
        // The ends themselves round to the even mantissa.
        if mantissa & 1 != 0 {
            lower &+= 1
            upper &-= 1
        }

        let floor = middle &>> 2
        if floor >= 10 {
            let tens = floor / 10
            let takesBelow = lower <= 40 &* tens
            let takesAbove = upper >= 40 &* tens &+ 40
            if takesBelow != takesAbove {
                self.init(digits: takesAbove ? tens &+ 1 : tens, exponent: scale &+ 1)
                return
            }
        }
        let takesBelow = lower <= 4 &* floor
        let takesAbove = upper >= 4 &* floor &+ 4
        let half = 4 &* floor &+ 2
        let isNearerAbove = middle > half || (middle == half && floor & 1 != 0)
        let goesUp = takesBelow != takesAbove ? takesAbove : isNearerAbove
        self.init(digits: goesUp ? floor &+ 1 : floor, exponent: scale)
    }

    /// The upper 64 bits of a 192-bit product, the lowest bit set if anything below it is.
    @inline(__always)
    private static func roundedToOdd(_ power: (high: UInt64, low: UInt64), times factor: UInt64) -> UInt64 {
        let below = factor.multipliedFullWidth(by: power.low).high
        let product = factor.multipliedFullWidth(by: power.high)
        let (middle, carries) = product.low.addingReportingOverflow(below)
        let top = carries ? product.high &+ 1 : product.high
        return top | (middle > 1 ? 1 : 0)
    }
}
