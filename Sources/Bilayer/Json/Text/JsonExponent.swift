/// An exponent of ten of any size, with one representation for each value. Numbers in a text can have exponents of a
/// million digits.
struct JsonExponent: Hashable {
    /// The exponent; nil if it has 19 digits or more.
    let value: Int64?
    /// The digits of an exponent that ``value`` cannot hold, as numbers from 0 to 9. The first is not 0. Empty if
    /// ``value`` is not nil.
    private let digits: [UInt8]
    private let isNegative: Bool

    static let zero = JsonExponent([], isNegative: false)

    /// Makes the sum of the exponent in a text and a small number, such as a count of digits.
    /// - Parameters:
    ///   - text: The text after the `e`: an optional sign, and digits. If it is empty, the exponent is 0.
    ///   - offset: The number to add. Its magnitude must be less than 10^17.
    init(_ text: [UInt8], plus offset: Int) {
        let isNegative = text.first == Ascii.minus
        let written = text.drop { $0 == Ascii.minus || $0 == Ascii.plus }.drop { $0 == Ascii.zero }
        if written.count <= Self.greatestCount {
            let value = written.reduce(0) { $0 * 10 + Int64($1 &- Ascii.zero) }
            let sum = (isNegative ? -value : value) + Int64(offset)
            if let exponent = Self(sum) {
                self = exponent
            } else {
                self.init(String(sum.magnitude).utf8.map { $0 &- Ascii.zero }, isNegative: sum < 0)
            }
        } else {
            let digits = written.map { $0 &- Ascii.zero }
            self.init(Self.sum(digits, Int64(isNegative ? -offset : offset)), isNegative: isNegative)
        }
    }

    /// Returns nil for an exponent of 19 digits. An `Int64` has at most 19.
    private init?(_ value: Int64) {
        guard value.magnitude < 1_000_000_000_000_000_000 else { return nil }
        self.value = value
        digits = []
        isNegative = false
    }

    private init(_ digits: [UInt8], isNegative: Bool) {
        if digits.count > Self.greatestCount {
            value = nil
            self.digits = digits
            self.isNegative = isNegative
        } else {
            value = (isNegative ? -1 : 1) * Self.value(of: digits)
            self.digits = []
            self.isNegative = false
        }
    }

    /// The greatest number of digits that fit into an `Int64` even after a small number is added.
    private static let greatestCount = 18

    private static func value(of digits: [UInt8]) -> Int64 { digits.reduce(0) { $0 * 10 + Int64($1) } }

    /// Adds `offset`, which may be negative, to a number given by its decimal digits. The most significant digit is the
    /// first. The result has no leading zeros.
    private static func sum(_ digits: [UInt8], _ offset: Int64) -> [UInt8] {
        var sum = digits
        var carry = offset
        for index in sum.indices.reversed() where carry != 0 {
            let total = Int64(sum[index]) + carry
            let digit = (total % 10 + 10) % 10
            sum[index] = UInt8(digit)
            carry = (total - digit) / 10
        }
        if carry > 0 { sum.insert(UInt8(carry), at: 0) }
        return Array(sum.drop { $0 == 0 })
    }
}
