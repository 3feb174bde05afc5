import Foundation

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

    /// An integer of at most 18 digits, or 19 without a sign: any value that is sure to fit 64 bits.
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
        // Digits after the point that do not end in 0 are not all 0: no integer, and mostly an attempt of several.
        if tag(at: position) == .fraction, bytes[range(at: position).upperBound &- 1] != Ascii.zero { return nil }
        guard let number = JsonNumber(self, at: position), let magnitude = number.integerMagnitude else { return nil }
        if !number.isNegative { return Integer(exactly: magnitude) }
        guard magnitude <= Int64.min.magnitude else { return nil }
        return Integer(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// The number at a position as the nearest double, nil if it is none or lies beyond the largest.
    @inline(never)
    func double(at position: Int) -> Double? {
        if hasWords(around: position), let value = fraction(at: position) { return value }
        return tag(at: position).isNumber ? anyDouble(at: position) : nil
    }

    /// Whether ``fraction(at:)`` may be asked about the value at a position, or about its elements.
    @inline(__always)
    func hasWords(around position: Int) -> Bool {
        let word = unsafe words[unchecked: position]
        return word.shortLength < IndexWord.unknownLength
            && bytes.hasWords(around: word.offset, count: word.shortLength)
    }

    /// The double nearest to a number with a point and no exponent, if it has as few digits as almost all have; else
    /// nil.
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

    /// The numbers that need all their digits, or are subnormal, or too large: the standard library reads those, and
    /// rounds exactly.
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
        // Bound: the range of a number is inside the text, which is held meanwhile.
        unsafe self.init(text: unsafe nodes.bytes.buffer(from: range.lowerBound, count: range.count))
    }
}
