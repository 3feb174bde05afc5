// **Bound.** Before digits are stored, the function or its caller has reserved capacity for the longest number and
// eight more bytes, because a store writes eight bytes at once.
extension ByteWriter {
    /// Writes an integer in decimal digits.
    @inline(__always)
    mutating func write(_ value: some FixedWidthInteger & SignedInteger) {
        reserve(Self.capacityForInteger)
        put(value)
    }

    /// Writes an integer. The caller has reserved ``capacityForInteger``.
    @inline(__always)
    mutating func put(_ value: some FixedWidthInteger & SignedInteger) {
        if value < 0 { put(Ascii.minus) }
        put(digits: UInt64(value.magnitude))
    }

    /// The capacity to reserve for an integer: the longest integer, its sign, and the eight bytes of the last store,
    /// rounded up.
    static var capacityForInteger: Int { 32 }

    /// Writes an integer in decimal digits.
    @inline(__always)
    mutating func write(_ value: some FixedWidthInteger & UnsignedInteger) {
        reserve(Self.capacityForInteger)
        put(digits: UInt64(value))
    }

    /// Writes a finite double with the fewest digits that read back as an equal double. Whole numbers below 10^17 have
    /// no point. There is an exponent if the absolute value is 10^17 or more, or if it is less than 10^-5 and not zero.
    mutating func write(_ value: Double) {
        reserve(Self.capacityForDouble)
        put(value)
    }

    /// The capacity to reserve for a double: the longest double, and the eight bytes of the last store, rounded up.
    static var capacityForDouble: Int { 48 }

    /// Writes a finite double. The caller has reserved ``capacityForDouble``.
    @inline(__always)
    mutating func put(_ value: Double) {
        // The sign is always stored, but only counted if the value is negative.
        unsafe base[count] = Ascii.minus
        if value.sign == .minus { count &+= 1 }
        if let whole = value.smallWholeMagnitude { putWhole(whole) } else { put(ShortestDecimal(value)) }
    }

    /// Writes an array of integers.
    mutating func write(_ values: [Int]) {
        write(byte: Ascii.openBracket)
        var isFirst = true
        for value in values {
            reserve(Self.capacityForInteger)
            if !isFirst { put(Ascii.comma) }
            isFirst = false
            put(value)
        }
        write(byte: Ascii.closeBracket)
    }

    /// Writes an array of finite doubles.
    mutating func write(_ values: [Double]) {
        write(byte: Ascii.openBracket)
        var isFirst = true
        for value in values {
            if !isFirst { write(byte: Ascii.comma) }
            isFirst = false
            write(value)
        }
        write(byte: Ascii.closeBracket)
    }

    /// Writes a finite float with the fewest digits that read back as an equal float. Whole numbers up to 2^24 have no
    /// point.
    mutating func write(_ value: Float) {
        var text = value.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        write(ascii: text)
    }

    /// Writes a shortest decimal: at most 24 bytes, and the eight bytes of the last store.
    @inline(__always)
    private mutating func put(_ decimal: ShortestDecimal) {
        let text = DecimalText(decimal)
        if text.whole > 0, text.whole < text.count { put(text, pointAfter: text.whole) } else { putRare(decimal) }
    }

    /// Writes a decimal that has no point between its significant digits, or has an exponent.
    @inline(never)
    private mutating func putRare(_ decimal: ShortestDecimal) {
        let text = DecimalText(decimal)
        switch text.whole {
        case 1...17:
            putDigits(of: text)
            for _ in text.count..<text.whole { put(Ascii.zero) }
        case -4...0:
            put(Ascii.zero)
            put(Ascii.point)
            for _ in text.whole..<0 { put(Ascii.zero) }
            putDigits(of: text)
        default:
            if text.count > 1 { put(text, pointAfter: 1) } else { putDigits(of: text) }
            putExponent(text.whole &- 1)
        }
    }

    /// Writes the digits without a point.
    private mutating func putDigits(of text: DecimalText) {
        unsafe base[count] = text.lead
        store(text.low, at: count &+ 1)
        store(text.high, at: count &+ 9)
        count &+= text.count
    }

    /// Writes the digits with a point after the first `whole` digits. At least one digit follows the point.
    @inline(__always)
    private mutating func put(_ text: DecimalText, pointAfter whole: Int) {
        let words = text.withPoint(after: whole &- 1)
        unsafe base[count] = text.lead
        store(words.0, at: count &+ 1)
        store(words.1, at: count &+ 9)
        store(words.2, at: count &+ 17)
        count &+= text.count &+ 1
    }

    @inline(never)
    private mutating func putWhole(_ value: UInt64) { put(digits: value) }

    private mutating func putExponent(_ exponent: Int) {
        put(Ascii.e)
        if exponent < 0 { put(Ascii.minus) }
        put(digits: UInt64(exponent.magnitude))
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        unsafe base[count] = byte
        count &+= 1
    }

    /// Writes up to 20 digits, without leading zeros.
    @inline(__always)
    private mutating func put(digits value: UInt64) {
        if value < 100_000_000 {
            putFirst(value)
        } else if value < 10_000_000_000_000_000 {
            putFirst(value / 100_000_000)
            putEight(value % 100_000_000)
        } else {
            putFirst(value / 10_000_000_000_000_000)
            let rest = value % 10_000_000_000_000_000
            putEight(rest / 100_000_000)
            putEight(rest % 100_000_000)
        }
    }

    /// Writes one to eight digits.
    @inline(__always)
    private mutating func putFirst(_ value: UInt64) {
        let digits = Swar.digitValues(value)
        // Leading zeros are in the low bytes. The last digit is written even if it is 0.
        let zeros = min((digits | 1 &<< 56).trailingZeroBitCount &>> 3, 7)
        store((digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros &* 8), at: count)
        count &+= 8 &- zeros
    }

    /// Writes eight digits, leading zeros included.
    @inline(__always)
    private mutating func putEight(_ value: UInt64) {
        store(Swar.digitValues(value) | 0x3030_3030_3030_3030, at: count)
        count &+= 8
    }

    @inline(__always)
    mutating func store(_ word: UInt64, at position: Int) {
        unsafe UnsafeMutableRawPointer(base + position).storeBytes(of: word.littleEndian, as: UInt64.self)
    }
}

extension Double {
    /// The absolute value as an integer; nil if the value is not a whole number below 2^53.
    @inline(__always)
    fileprivate var smallWholeMagnitude: UInt64? {
        // The number of mantissa bits after the point.
        let shift = 1075 &- UInt64(truncatingIfNeeded: exponentBitPattern)
        guard shift <= 52 else { return self == 0 ? 0 : nil }
        let mantissa = significandBitPattern | 1 &<< 52
        return mantissa & (1 &<< shift &- 1) == 0 ? mantissa &>> shift : nil
    }
}
