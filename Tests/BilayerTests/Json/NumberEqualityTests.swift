import Foundation
import Testing

@testable import Bilayer

/// Numbers are equal if and only if their values are, of whatever size, and equal numbers have equal hashes.
@Suite("Json: equality of numbers")
struct NumberEqualityTests {
    /// A value and some of its spellings. The exponent is a `Decimal`: exact far beyond the range of `Int`.
    struct Number {
        let isNegative: Bool
        /// Without zeros at either end; none for zero.
        let digits: String
        let exponent: Decimal

        func conventions(_ random: inout SplitMix64) -> String {
            let sign = isNegative ? "-" : ""
            if digits.isEmpty {
                return ["0", "-0", "0.0", "-0.000", "0e5", "0E-99999999999999999999", "-0e+0"]
                    .randomElement(using: &random) ?? "0"
            }
            let zeros = Int.random(in: 0...30, using: &random)
            var text = digits + String(repeating: "0", count: zeros)
            var exponent = exponent - Decimal(zeros)
            if Bool.random(using: &random) {
                let decimals = Int.random(in: 1...text.count + 3, using: &random)
                let padding = String(repeating: "0", count: max(0, decimals + 1 - text.count))
                text = padding + text
                text.insert(".", at: text.index(text.endIndex, offsetBy: -decimals))
                exponent += Decimal(decimals)
            }
            if exponent == 0, Bool.random(using: &random) { return sign + text }
            let plus = exponent >= 0 && Bool.random(using: &random) ? "+" : ""
            let digits = exponent.magnitude.description
            let leading = String(repeating: "0", count: Int.random(in: 0...3, using: &random))
            return sign + text + (Bool.random(using: &random) ? "e" : "E") + (exponent < 0 ? "-" : plus) + leading
                + digits
        }

        func isEqual(to other: Number) -> Bool {
            if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && other.digits.isEmpty }
            return isNegative == other.isNegative && digits == other.digits && exponent == other.exponent
        }
    }

    /// Exponents around every limit that an implementation may have.
    static let centers: [Decimal] = [
        0, 20, 308, 324, 400, 100_000, Decimal(Int32.max), Decimal(Int64.max / 32), Decimal(Int64.max),
        Decimal(string: "999999999999999999") ?? 0, Decimal(string: "1000000000000000000") ?? 0,
        Decimal(string: "18446744073709551616") ?? 0, Decimal(string: "123456789012345678901234567890") ?? 0,
    ]

    static func number(_ random: inout SplitMix64) -> Number {
        if random.next(below: 20) == 0 { return Number(isNegative: false, digits: "", exponent: 0) }
        let digits = ["1", "12", "7", "9007199254740993", "1000000000000000000000000000001"]
        let center = centers.randomElement(using: &random) ?? 0
        let exponent = center + Decimal(Int.random(in: -2...2, using: &random))
        return Number(
            isNegative: Bool.random(using: &random),
            digits: digits.randomElement(using: &random) ?? "1",
            exponent: Bool.random(using: &random) ? exponent : -exponent
        )
    }

    @Test("two spellings are equal if and only if their values are", arguments: 0..<20 as Range<UInt64>)
    func spellings(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let numbers = (0..<16).map { _ in Self.number(&random) }
        let texts = numbers.map { $0.conventions(&random) }
        let parsed = try texts.map { try Json(parsing: $0) }
        for first in numbers.indices {
            for second in numbers.indices {
                let again = try Json(parsing: numbers[second].conventions(&random))
                let areEqual = numbers[first].isEqual(to: numbers[second])
                let comment: Comment = "seed \(seed): \(texts[first]) and \(again)"
                #expect((parsed[first] == again) == areEqual, comment)
                // Values that are made in code are compared in another way.
                #expect(((["n": parsed[first]] as Json) == ["n": again]) == areEqual, comment)
                if areEqual { #expect(parsed[first].hashValue == again.hashValue, comment) }
            }
        }
    }

    private func parsed(_ text: String) -> Json? { try? Json(parsing: text) }

    @Test("integers, doubles and texts of one value are equal, and each to what the others equal")
    func formsOfOneValue() throws {
        let groups: [[Json?]] = [
            [Json(1), Json(1.0), Json(Decimal(1)), Json(Float(1)), parsed("1.000"), parsed("10e-1")],
            [
                Json(0), Json(0.0), Json(-0.0), Json(Decimal(0)), parsed("-0"),
                parsed("0e99999999999999999999"),
            ],
            [Json(0.1), parsed("0.1"), Json(Decimal(string: "0.1") ?? 0), parsed("1e-1")],
            [parsed("0.1000000000000000055511151231257827021181583404541015625")],
            [Json(UInt64.max), parsed("18446744073709551615"), Json(Decimal(UInt64.max))],
            [parsed("18446744073709551616")], [Json(18446744073709551616.0), parsed("18446744073709552e3")],
            [parsed("1e400"), parsed("10e399")], [parsed("1e401")],
            [parsed("1e-400")], [parsed("-1e400")],
            [parsed("1e9999999999999999999")], [parsed("1e9999999999999999998")],
            [parsed("1e-9999999999999999999")], [parsed("1e99999999999999999990")],
        ]
        for (place, group) in groups.enumerated() {
            for (otherPlace, other) in groups.enumerated() {
                for value in group {
                    for otherValue in other {
                        let (value, otherValue) = (try #require(value), try #require(otherValue))
                        #expect((value == otherValue) == (place == otherPlace), "\(value) and \(otherValue)")
                        if place == otherPlace { #expect(Set([value, otherValue]).count == 1) }
                    }
                }
            }
        }
    }

    @Test("300,000 digits, before the point, after it, or in the exponent")
    func manyDigits() throws {
        let nines = String(repeating: "9", count: 300_000)
        let eight = String(nines.dropLast()) + "8"
        let rows: [(String, String, String)] = [
            (nines, nines + ".0", nines + "e1"), ("0." + nines, nines + "e-300000", "0." + nines + "1"),
            ("1e" + nines, "10e" + eight, "1e" + eight),
            ("1e-" + eight, "0.1e-" + String(eight.dropLast()) + "7", "10e-" + eight),
        ]
        for (text, equal, other) in rows {
            let number = try Json(parsing: text)
            #expect(number == (try Json(parsing: equal)))
            #expect(number.hashValue == (try Json(parsing: equal)).hashValue)
            #expect(number != (try Json(parsing: other)))
        }
    }
}
