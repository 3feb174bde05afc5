import Foundation

/// A number in its one normal form, `±digits × 10^exponent` with neither leading nor trailing zeros: what equality, hashing and the
/// conversions that must be exact go by. Zero has no digits and no sign.
struct JsonNumber: Hashable {
    /// Digits from 0 to 9, the first and the last not 0.
    let digits: [UInt8]
    let isNegative: Bool
    /// The power of ten of the last digit; held within ±`Int.max / 2`.
    let exponent: Int
}

extension JsonNumber {
    /// The normal form of the number at an index position, nil if there is none.
    init?(_ nodes: JsonNodes, at position: Int) {
        guard nodes.tag(at: position).isNumber else { return nil }
        let range = nodes.range(at: position)
        self.init(text: range.lazy.map { nodes.bytes[$0] })
    }

    /// The normal form of a number's text, which must follow RFC 8259 §6.
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
        exponent = digits.isEmpty ? 0 : Self.value(ofExponent: exponentText ?? []) - decimals + trailingZeros
    }

    /// Exponents beyond what a text could balance with its digits are all the same.
    private static func value(ofExponent text: [UInt8]) -> Int {
        let isNegative = text.first == Ascii.minus
        let magnitude = text.drop { $0 == Ascii.minus || $0 == Ascii.plus }
            .reduce(0) { value, byte in
                min(value * 10 + Int(byte &- Ascii.zero), Int.max / 32)
            }
        return isNegative ? -magnitude : magnitude
    }

    /// The absolute value as an integer, if it is one and fits.
    var integerMagnitude: UInt64? {
        if digits.isEmpty { return 0 }
        guard exponent >= 0, exponent + digits.count <= 20 else { return nil }
        var value: UInt64 = 0
        for digit in digits + repeatElement(0, count: exponent) {
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
            if overflows || carries { return nil }
            value = sum
        }
        return value
    }

    /// The value as a `Decimal`, if it has at most 38 digits and the exponent fits.
    var decimal: Decimal? {
        if digits.isEmpty { return 0 }
        guard digits.count <= 38, exponent >= -128 else { return nil }
        if exponent > 127 { return decimalWithZeros }
        // 19 digits at a time, as many as 64 bits are sure to hold: arithmetic with decimals is slow.
        let low = Self.value(of: digits.suffix(19))
        let high = digits.count > 19 ? Decimal(Self.value(of: digits.dropLast(19))) * Self.tenToThe19 : 0
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: high + Decimal(low))
    }

    /// What is over the greatest exponent goes into the digits, as zeros. Only from text does `Decimal` keep those.
    private var decimalWithZeros: Decimal? {
        let zeros = exponent - 127
        guard digits.count + zeros <= 38 else { return nil }
        let text = (digits + repeatElement(0, count: zeros)).map(String.init).joined()
        return Decimal(string: (isNegative ? "-" : "") + text + "e127")
    }

    private static let tenToThe19 = Decimal(10_000_000_000_000_000_000 as UInt64)

    /// The value of at most 19 digits.
    private static func value(of digits: ArraySlice<UInt8>) -> UInt64 {
        digits.reduce(0) { $0 &* 10 &+ UInt64($1) }
    }
}
