import Foundation

/// A number in its normal form, `±digits × 10^exponent` without leading and trailing zeros. Each value has one normal
/// form, which equality, hashing and exact conversions use. Zero has no digits and no sign.
struct JsonNumber: Hashable {
    /// The digits as numbers from 0 to 9. The first and the last are not 0.
    let digits: [UInt8]
    let isNegative: Bool
    /// The power of ten of the last digit.
    let exponent: JsonExponent
}

extension JsonNumber {
    /// Makes the normal form of a number's text, which must follow RFC 8259 §6.
    init(text: some Sequence<UInt8>) {
        var digits: [UInt8] = []
        var decimals = 0
        var isAfterPoint = false
        var exponentText: [UInt8]?
        var isNegative = false
        for byte in text {
            switch byte {
            case _ where exponentText != nil: exponentText?.append(byte)
            case Ascii.minus: isNegative = true
            case Ascii.point: isAfterPoint = true
            case Ascii.e, Ascii.e & ~0x20: exponentText = []
            default:
                decimals += isAfterPoint ? 1 : 0
                if !digits.isEmpty || byte != Ascii.zero { digits.append(byte &- Ascii.zero) }
            }
        }
        let trailingZeros = digits.reversed().prefix { $0 == 0 }.count
        digits.removeLast(trailingZeros)
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
        exponent = digits.isEmpty ? .zero : JsonExponent(exponentText ?? [], plus: trailingZeros - decimals)
    }

    /// The absolute value as an integer; nil if the value is not an integer or does not fit.
    var integerMagnitude: UInt64? {
        if digits.isEmpty { return 0 }
        guard let exponent = exponent.value, exponent >= 0, exponent + Int64(digits.count) <= 20 else {
            return nil
        }
        var value: UInt64 = 0
        for digit in digits + repeatElement(0, count: Int(exponent)) {
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
            if overflows || carries { return nil }
            value = sum
        }
        return value
    }

    /// Returns the value as an integer of up to 128 bits; nil if the value is not an integer or does not fit.
    func longInteger<Integer: FixedWidthInteger>() -> Integer? {
        if digits.isEmpty { return 0 }
        guard let exponent = exponent.value, exponent >= 0, exponent + Int64(digits.count) <= 39 else { return nil }
        let text = (digits + repeatElement(0, count: Int(exponent))).map(String.init).joined()
        return Integer((isNegative ? "-" : "") + text)
    }

    /// The value as a `Decimal`; nil if a `Decimal` cannot hold all digits or the exponent.
    var decimal: Decimal? {
        if digits.isEmpty { return 0 }
        guard let exponent = exponent.value, exponent >= -128, exponent <= 127 + 38 else { return nil }
        if digits.count > 38 || exponent > 127 { return longDecimal(exponent: Int(exponent)) }
        // The digits are read in groups of 19, which always fit into 64 bits, because arithmetic with decimals is slow.
        let low = Self.value(of: digits.suffix(19))
        let high = digits.count > 19 ? Decimal(Self.value(of: digits.dropLast(19))) * Self.tenToThe19 : 0
        return Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: high + Decimal(low))
    }

    /// Makes a decimal of 39 digits, or one with an exponent over 127 (the maximum of `Decimal`). The part of the
    /// exponent over 127 becomes zeros after the digits. `Decimal` preserves such zeros only if it is made from text.
    private func longDecimal(exponent: Int) -> Decimal? {
        let digits = digits + repeatElement(0, count: max(0, exponent - 127))
        guard Self.fitInto128Bits(digits) else { return nil }
        let text = digits.map(String.init).joined()
        return Decimal(string: (isNegative ? "-" : "") + text + "e\(min(exponent, 127))")
    }

    /// Whether the digits fit in the 128 bits of a `Decimal`.
    private static func fitInto128Bits(_ digits: [UInt8]) -> Bool {
        guard digits.count == 39 else { return digits.count < 39 }
        let greatest = "340282366920938463463374607431768211455".utf8.map { $0 &- Ascii.zero }
        return !greatest.lexicographicallyPrecedes(digits)
    }

    private static let tenToThe19 = Decimal(10_000_000_000_000_000_000 as UInt64)

    /// Returns the value of at most 19 digits.
    private static func value(of digits: ArraySlice<UInt8>) -> UInt64 {
        digits.reduce(0) { $0 &* 10 &+ UInt64($1) }
    }
}
