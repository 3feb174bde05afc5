/// A decimal number as `±significand × 10^exponent`, with as many digits as 64 bits can hold.
struct DecimalParts {
    var significand: UInt64
    var exponent: Int
    var isNegative: Bool
    /// Whether the number has more than 19 digits, leading zeros not counted. If true, ``significand`` may not be the
    /// value of its digits.
    var isCut: Bool
}

extension JsonBytes {
    /// Whether whole words can be read before and after a number in a range. False near the start and near the end of a
    /// text.
    @inline(__always)
    func hasWords(around start: Int, count length: Int) -> Bool { start >= 24 && start &+ length &+ 8 <= count }

    /// Reads the digits of a number like `-12.345`. Returns nil for more than 19 digits, and for eight or more before
    /// the point. The scanner has checked the number and found its end.
    ///
    /// **Bound.** 24 bytes precede the number. Eight bytes follow it, unless `mayBeAtEnd` is true. The caller has
    /// checked this, for example by ``hasWords(around:count:)``.
    @inline(__always)
    func fractionParts(from start: Int, count length: Int, mayBeAtEnd: Bool = false) -> DecimalParts? {
        let isNegative = unsafe self[unchecked: start] == Ascii.minus
        let firstDigit = isNegative ? start &+ 1 : start
        let end = start &+ length
        assert(mayBeAtEnd ? start >= 24 : hasWords(around: start, count: length))
        let head = mayBeAtEnd ? lastWord(from: firstDigit) : unsafe word(unchecked: firstDigit)
        let wholes = Swar.firstMark(Swar.points(head))
        let decimals = end &- firstDigit &- wholes &- 1
        guard wholes < 8, UInt(bitPattern: decimals) <= UInt(bitPattern: 19 &- wholes) else { return nil }
        var significand = Swar.firstDigits(wholes, of: head) &* Self.powerOfTen(decimals)
        if decimals <= 8 {
            significand &+= unsafe Swar.lastDigits(decimals, of: word(unchecked: end &- 8))
        } else {
            let mask = Swar.lastDigitsMask(decimals <= 16 ? decimals &- 8 : 8)
            significand &+= unsafe Swar.sixteenDigits(word(unchecked: end &- 16), word(unchecked: end &- 8), mask: mask)
            if decimals > 16 {
                let top = unsafe Swar.lastDigits(decimals &- 16, of: word(unchecked: end &- 24))
                significand &+= top &* 10_000_000_000_000_000
            }
        }
        return DecimalParts(significand: significand, exponent: 0 &- decimals, isNegative: isNegative, isCut: false)
    }

    /// Returns the eight bytes at a position near the end of the text, with zeros after the end. The text must have
    /// eight bytes or more.
    @inline(__always)
    private func lastWord(from position: Int) -> UInt64 {
        let missing = max(0, position &+ 8 &- count)
        return unsafe word(unchecked: position &- missing) &>> UInt64(truncatingIfNeeded: 8 &* missing)
    }

    /// Returns a power of ten; the exponent is 0 to 19.
    @inline(__always)
    private static func powerOfTen(_ exponent: Int) -> UInt64 { powers[exponent] }

    private static let powers: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    /// Reads the digits of a number that the scanner has checked.
    @inline(__always)
    func decimalParts(from start: Int, to end: Int) -> DecimalParts {
        let isNegative = unsafe self[unchecked: start] == Ascii.minus
        let firstDigit = isNegative ? start &+ 1 : start
        var significand: UInt64 = 0
        var position = addDigits(to: &significand, from: firstDigit)
        var digits = position &- firstDigit
        var exponent = 0
        if position < end, unsafe self[unchecked: position] == Ascii.point {
            let firstDecimal = position &+ 1
            position = addDigits(to: &significand, from: firstDecimal)
            exponent = firstDecimal &- position
            digits &-= exponent
        }
        if digits > 19 { digits &-= leadingZeros(from: firstDigit) }
        if position < end { exponent &+= self.exponent(from: position &+ 1, to: end) }
        return DecimalParts(significand: significand, exponent: exponent, isNegative: isNegative, isCut: digits > 19)
    }

    /// Appends digits to a value, eight at a time, and returns the position after them. Beyond 19 digits the value can
    /// wrap around.
    @inline(__always)
    private func addDigits(to value: inout UInt64, from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let word = unsafe word(unchecked: position)
            let stops = Swar.nonDigits(word)
            if stops == 0 {
                value = value &* 100_000_000 &+ Swar.eightDigits(word)
                position &+= 8
                continue
            }
            let length = Swar.firstMark(stops)
            if length == 0 { return position }
            value = value &* Self.powerOfTen(length) &+ Swar.firstDigits(length, of: word)
            return position &+ length
        }
        while position < count, unsafe Ascii.isDigit(self[unchecked: position]) {
            value = unsafe value &* 10 &+ UInt64(truncatingIfNeeded: self[unchecked: position] &- Ascii.zero)
            position &+= 1
        }
        return position
    }

    /// Returns the number of zeros before the first other digit, on both sides of the point. They are digits of the
    /// text, but need no bits of the significand.
    private func leadingZeros(from start: Int) -> Int {
        var position = start
        var zeros = 0
        while position < count,
            unsafe self[unchecked: position] == Ascii.zero || self[unchecked: position] == Ascii.point
        {
            if unsafe self[unchecked: position] == Ascii.zero { zeros &+= 1 }
            position &+= 1
        }
        return zeros
    }

    /// Returns the value after the letter `e`. A value over `Int.max / 20` loses its last digits. It is still larger
    /// than the number of digits of any text, so it decides the result whatever digits the number has.
    private func exponent(from start: Int, to end: Int) -> Int {
        let hasSign = unsafe self[unchecked: start] == Ascii.minus || self[unchecked: start] == Ascii.plus
        var value = 0
        for position in (hasSign ? start &+ 1 : start)..<end where value < Int.max / 20 {
            value = unsafe value &* 10 &+ Int(truncatingIfNeeded: self[unchecked: position] &- Ascii.zero)
        }
        return unsafe self[unchecked: start] == Ascii.minus ? -value : value
    }
}

extension DecimalParts {
    /// The nearest double, with ties rounded to even. Nil if the number has more than 19 digits, if 64 bits do not
    /// decide the rounding, or if the number is not zero and too small or too large for a normal double.
    @inline(__always)
    var nearestDouble: Double? {
        if significand == 0 { return isCut ? nil : isNegative ? -0.0 : 0.0 }
        if isCut { return nil }
        // Both factors are exact doubles, so one operation rounds once (Clinger).
        if significand <= 1 &<< 53, exponent >= -22, exponent <= 22 {
            // A signed integer needs fewer instructions.
            let digits = Double(Int64(truncatingIfNeeded: significand))
            let value =
                exponent < 0 ? digits / Self.exactPowers[-exponent] : digits * Self.exactPowers[exponent]
            return isNegative ? -value : value
        }
        return roundedProduct
    }

    /// The nearest double for a number with at most 19 digits, all of them in ``significand``, and at most 19 after the
    /// point. Always uses the product: lists of coordinates often have too many digits for a division.
    @inline(__always)
    var nearestFraction: Double? { significand == 0 ? isNegative ? -0.0 : 0.0 : roundedProduct }

    /// The result of the algorithm of Eisel and Lemire: the digits times a 128-bit power of ten. Nil if the product is
    /// too close to a tie to decide the rounding, or if the result is not a normal number.
    /// - SeeAlso: Lemire, Number Parsing at a Gigabyte per Second, 2021, <https://arxiv.org/abs/2101.11408>.
    @inline(__always)
    private var roundedProduct: Double? {
        guard exponent >= PowersOfTen.smallestExponent, exponent <= 308 else { return nil }
        let shift = UInt64(truncatingIfNeeded: significand.leadingZeroBitCount)
        let digits = significand &<< shift
        var power = PowersOfTen.truncated(exponent)
        // If the inverse of the power fits in 64 bits, ties can happen. For a tie, the significand from the table must
        // not be below the true value.
        if exponent < 0 && exponent >= -27 { power.low &+= 1 }

        var product = digits.multipliedFullWidth(by: power.high)
        // The lower half of the power matters only if it can carry into the mantissa: if all bits below the mantissa
        // are set.
        if product.high & 0x1FF == 0x1FF {
            let correction = digits.multipliedFullWidth(by: power.low).high
            product.low &+= correction
            if product.low < correction { product.high &+= 1 }
            // The table leaves out further bits of the power. They could carry, too, except from 10^-27 to 10^55.
            if product.low == .max && (exponent < -27 || exponent > 55) { return nil }
        }

        let upperBit = product.high &>> 63
        var mantissa = product.high &>> (upperBit &+ 9)
        // 217706 / 65536 is approximately log2 of 10.
        var binaryExponent = (217_706 &* exponent) &>> 16
        binaryExponent &+= 63 &+ 1023 &+ Int(truncatingIfNeeded: upperBit) &- Int(truncatingIfNeeded: shift)
        if binaryExponent <= 0 { return nil }
        if product.low <= 1, Self.isTie(mantissa, product.high, shift: upperBit &+ 9, exponent) { mantissa &= ~1 }
        mantissa = (mantissa &+ (mantissa & 1)) &>> 1
        // The highest bit of the mantissa adds one to the exponent. Rounding up to a power of two adds one more.
        let magnitude = mantissa &+ UInt64(truncatingIfNeeded: binaryExponent &- 1) &<< 52
        if magnitude >= 0x7FF &<< 52 { return nil }
        return Double(bitPattern: magnitude | (isNegative ? 1 &<< 63 : 0))
    }

    /// Whether a mantissa with one bit more than a double's mantissa lies exactly between two doubles, and rounding up
    /// would give an odd mantissa.
    @inline(never)
    private static func isTie(_ mantissa: UInt64, _ product: UInt64, shift: UInt64, _ exponent: Int) -> Bool {
        exponent >= -4 && exponent <= 23 && mantissa & 3 == 1 && mantissa &<< shift == product
    }

    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
