/// The fewest decimal digits that read back as an equal double: `digits × 10^exponent`.
struct ShortestDecimal {
    var digits: UInt64
    var exponent: Int
}

extension ShortestDecimal {
    /// Computes the digits. The value must be finite and not zero; its sign is ignored.
    ///
    /// The double represents every real number that is nearer to it than to its neighbours. This interval is scaled by
    /// a power of ten so that it contains from one to ten whole numbers. The result is the whole number with the fewest
    /// digits, and if there are several, the nearest.
    @inline(__always)
    init(_ value: Double) {
        let fraction = value.significandBitPattern
        let biased = Int(truncatingIfNeeded: value.exponentBitPattern)
        if fraction != 0, biased != 0, let decimal = Self.certain(fraction | 1 &<< 52, binaryExponent: biased &- 1075) {
            self = decimal
        } else {
            self.init(fraction: fraction, biasedExponent: biased)
        }
    }

    /// Computes the digits with one product with a power of ten. Returns nil in the rare case that the error of the
    /// product makes the rounding uncertain. The digits can end in zeros. The value must not be subnormal or a power of
    /// two, because the neighbours of a power of two are not equally near.
    ///
    /// The scaled value has 64 bits after the point. It is too small by less than two units of the last bit.
    @inline(__always)
    private static func certain(_ mantissa: UInt64, binaryExponent: Int) -> ShortestDecimal? {
        let scale = decimalScale(binaryExponent)
        let shift = Self.binaryShift(binaryExponent, scale)
        let power = PowersOfTen.truncated(-scale)
        let factor = mantissa &<< shift
        let product = factor.multipliedFullWidth(by: power.high)
        let below = factor.multipliedFullWidth(by: power.low).high
        let (part, carries) = product.low.addingReportingOverflow(below)
        let whole = carries ? product.high &+ 1 : product.high

        // `rest` is the distance of the value from the multiple of ten below it. `reach` is half the distance of two
        // neighbours. Both have 60 bits after the point.
        let lastDigit = whole % 10
        let rest = lastDigit &<< 60 | part &>> 4
        let reach = power.high &>> (5 &- shift)
        let ten: UInt64 = 10 &<< 60
        let half: UInt64 = 1 &<< 63
        let isDoubtful = reach &- rest &+ 2 <= 4 || ten &- rest &- reach <= 3 || half &- part <= 2
        if isDoubtful { return nil }
        let digits =
            if rest < reach {
                whole &- lastDigit
            } else if rest &+ reach > ten {
                whole &- lastDigit &+ 10
            } else {
                part > half ? whole &+ 1 : whole
            }
        return ShortestDecimal(digits: digits, exponent: scale)
    }

    /// Returns ⌊log10(2^exponent)⌋.
    @inline(__always)
    private static func decimalScale(_ binaryExponent: Int) -> Int { (binaryExponent &* 315_653) &>> 20 }

    /// Returns the number of bits to shift a mantissa to the left. Then the upper 64 bits of its product with a power's
    /// significand are the whole part of the scaled value.
    @inline(__always)
    private static func binaryShift(_ binaryExponent: Int, _ scale: Int) -> UInt64 {
        // 217707 / 65536 is approximately log2 of 10.
        UInt64(truncatingIfNeeded: binaryExponent &+ ((-scale &* 217_707) &>> 16) &+ 1)
    }
}

// MARK: - Every value

extension ShortestDecimal {
    /// Computes the digits of any value with the Schubfach algorithm. All products are rounded to odd, which keeps
    /// comparisons exact.
    /// - SeeAlso: Giulietti, The Schubfach way to render doubles, 2021.
    @inline(never)
    private init(fraction: UInt64, biasedExponent biased: Int) {
        let isSubnormal = biased == 0
        // At a power of two above the smallest normal number, the neighbour below is nearer than the one above.
        self.init(
            isSubnormal ? fraction : fraction | 1 &<< 52,
            binaryExponent: isSubnormal ? -1074 : biased &- 1075,
            isUneven: fraction == 0 && biased > 1
        )
    }

    /// Computes the digits of `mantissa × 2^binaryExponent`. For a power of two above the smallest normal number,
    /// `isUneven` is true: the neighbour below is half as far as the neighbour above.
    private init(_ mantissa: UInt64, binaryExponent: Int, isUneven: Bool) {
        // The scale is ⌊log10(2^exponent)⌋. For an uneven interval it is ⌊log10(3/4 × 2^exponent)⌋.
        let scale = (binaryExponent &* 315_653 &- (isUneven ? 131_237 : 0)) &>> 20
        let shift = Self.binaryShift(binaryExponent, scale)
        let power = PowersOfTen.roundedUp(-scale)
        func scaled(_ quarters: UInt64) -> UInt64 { Self.roundedToOdd(power, times: quarters &<< shift) }

        // All values are multiplied by four, because the interval's ends lie half way between two doubles.
        let middle = scaled(4 &* mantissa)
        var lower = scaled(4 &* mantissa &- (isUneven ? 1 : 2))
        var upper = scaled(4 &* mantissa &+ 2)
        // The interval's ends round to the even mantissa, so they do not belong to the interval of an odd mantissa.
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

    /// Returns the upper 64 bits of a 192-bit product. Their lowest bit is also set if the 64 bits below them are more
    /// than 1. A value of 1 can come from the rounding of the power.
    @inline(__always)
    private static func roundedToOdd(_ power: (high: UInt64, low: UInt64), times factor: UInt64) -> UInt64 {
        let below = factor.multipliedFullWidth(by: power.low).high
        let product = factor.multipliedFullWidth(by: power.high)
        let (middle, carries) = product.low.addingReportingOverflow(below)
        let top = carries ? product.high &+ 1 : product.high
        return top | (middle > 1 ? 1 : 0)
    }
}
