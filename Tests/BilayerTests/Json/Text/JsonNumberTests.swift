import Foundation
import Testing

@testable import Bilayer

@Suite("JSON numbers")
struct JsonNumberTests {
    /// Texts whose nearest double is hard to find: half way between two, at the ends of the range, with very many
    /// digits.
    static let hard: [String] = [
        "9007199254740993", "9007199254740992.999999999999999999",
        "9007199254740993.00000000000000000000000000000000001", "9007199254740991.5",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000033306690738754696212708950042724609375",
        "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
        "2.225073858507201136057409796709131975934819546351645648023426109724822222021076945516529523908135087914149158913039621106870086438694594645527657207407820621743379988141063267329253552286881372149012981122451451889849057222307285255133155755015914397476397983411801999323962548289017107081850690630666655994938275772572015763062690663332647565300009245888316433037779791869612049497390377829704905051080609940730262937128958950003583799967207254304360284078895771796150945516748243471030702609144621572289880258182545180325707018860872113128079512233426288368622321503775666622503982534335974568884423900265498198385487948292206894721689831099698365846814022854243330660339850886445804001034933970427567186443383770486037861622771738545623065874679014086723327636718751",
        "4.9406564584124654e-324", "2.4703282292062327208e-324", "2.4703282292062327209e-324", "5e-324", "2e-324",
        "3e-324", "1e-323", "4.9e-322",
        "2.22507385850720088902458687609e-308", "1.7976931348623157e308", "1.7976931348623158e308",
        "1.79769313486231570814527423731704356798e308",
        "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123347747979e-1",
        "8.98846567431158e307", "1e22", "1e23", "9e22", "1e-22", "123456789012345678901234567890", "0.1", "0.3", "1e16",
        "1e17", "5e-1", "7.2057594037927933e16",
        "3.0862e-310", "6.631236846766476e-316", "1.448997445238699",
        "0.000000000000000000000000000000000000000000000001", "1e-340",
        "100000000000000000000000000000000000000000e-40",
        "0." + String(repeating: "0", count: 400) + "1e400", String(repeating: "9", count: 800),
        "0." + String(repeating: "9", count: 800),
        "1" + String(repeating: "0", count: 300), String(repeating: "123456789", count: 89) + "e-600", "0e999999999",
        "-0e-999999999", "1.8446744073709551615e19",
        "1.8446744073709551616e19", "18446744073709551615", "18446744073709551616", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "12345678901234567", "1234567890123456789", "12345678901234567890",
        "0.00000000000000000000000000012345678901234567890", "1e-400", "-1e-400",
    ]

    @Test("the nearest double is found", arguments: hard)
    func hardDoubles(text: String) throws {
        let expected = try #require(Double(text))
        for text in [text, "[\(text)]"] {
            let json = try Json(parsing: text)
            let double = (json[0] ?? json).double
            #expect(double == (expected.isFinite ? expected : nil))
            #expect(double?.sign == (expected.isFinite ? expected.sign : nil))
        }
    }

    @Test(
        "beyond the range of double there is no double",
        arguments: ["1e309", "-1e309", "1.7976931348623159e308", "1e999999999999999999999", "123e400"]
    )
    func tooLarge(text: String) throws {
        let json = try Json(parsing: text)
        #expect(json.double == nil)
        #expect(json.int == nil)
        #expect(json.kind == .number)
        #expect(json.numberText == text)
    }

    @Test("random digits round as the standard library rounds them")
    func randomDigits() throws {
        let seed: UInt64 = 20_260_131
        var random = SplitMix64(seed: seed)
        for round in 0..<20_000 {
            var text = random.next(below: 2) == 0 ? "-" : ""
            text += String(1 + random.next(below: 9))
            for _ in 0..<random.next(below: 25) { text += String(random.next(below: 10)) }
            if random.next(below: 2) == 0 {
                text += "."
                for _ in 0...random.next(below: 25) { text += String(random.next(below: 10)) }
            }
            if random.next(below: 2) == 0 { text += "e\(random.next(below: 660) - 340)" }
            let expected = try #require(Double(text))
            #expect(
                try Json(parsing: text).double == (expected.isFinite ? expected : nil),
                "seed \(seed), round \(round): \(text)"
            )
        }
    }

    @Test(
        "a double beside each power of two is written with as few digits as the standard library needs, and read again"
    )
    func powersOfTwo() throws {
        for exponent in -1074...1023 {
            let power = Double(sign: .plus, exponent: exponent, significand: 1)
            for value in [power.nextDown, power, power.nextUp] where value > 0 {
                try expectShortest(value)
            }
        }
    }

    private func expectShortest(_ value: Double) throws {
        let text = ByteWriter.text { $0.write(value) }
        #expect(try Json(parsing: text).double == value)
        #expect(significantDigits(text) == significantDigits(value.description), "\(text) for \(value)")
    }

    private func significantDigits(_ text: String) -> Int { JsonNumber(text: text.utf8).digits.count }

    @Test(
        "doubles are spelled like this",
        arguments: [
            (0.0, "0"), (-0.0, "-0"), (1.0, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (100, "100"),
            (1e15, "1000000000000000"), (1e16, "10000000000000000"), (1e17, "1e17"),
            (123_456_789_012_345_680, "1.2345678901234568e17"), (1e21, "1e21"), (0.001, "0.001"), (0.00001, "0.00001"),
            (0.000001, "1e-6"), (1.5e-7, "1.5e-7"),
            (.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e308"), (123.456, "123.456"),
            (0.30000000000000004, "0.30000000000000004"), (1e-5, "0.00001"),
            (12_345_678, "12345678"), (1_234_567_890_123_456, "1234567890123456"),
            (9_007_199_254_740_992, "9007199254740992"), (2.5e-5, "0.000025"), (1e100, "1e100"), (1.25e300, "1.25e300"),
        ]
    )
    func conventions(value: Double, text: String) { #expect(Json(value)?.description == text) }

    @Test(
        "integers are read at the ends of each width, and not beyond",
        arguments: [
            ("9223372036854775807", Int64.max as Int64?, UInt64(Int64.max) as UInt64?),
            ("9223372036854775808", nil, 9_223_372_036_854_775_808),
            ("18446744073709551615", nil, .max), ("18446744073709551616", nil, nil),
            ("-9223372036854775808", .min, nil), ("-9223372036854775809", nil, nil),
            ("-0", 0, 0), ("0", 0, 0), ("7.0", 7, 7), ("70e-1", 7, 7), ("7e0", 7, 7),
            ("1e18", 1_000_000_000_000_000_000, 1_000_000_000_000_000_000), ("1e19", nil, 10_000_000_000_000_000_000),
            ("1e20", nil, nil), ("7.5", nil, nil), ("1e-1", nil, nil), ("18446744073709551615.0", nil, .max),
            ("1844674407370955161.5e1", nil, .max), ("0.0", 0, 0), ("0e5", 0, 0),
            ("-7.0", -7, nil), ("99999999", 99_999_999, 99_999_999), ("100000000", 100_000_000, 100_000_000),
            ("1234567890123456789", 1_234_567_890_123_456_789, 1_234_567_890_123_456_789),
            ("12345678901234567890", nil, 12_345_678_901_234_567_890), ("99999999999999999999", nil, nil),
            ("0.7e1", 7, 7), ("1e99999999999999999999", nil, nil),
        ]
    )
    func integers(text: String, signed: Int64?, unsigned: UInt64?) throws {
        for json in [try Json(parsing: text), try Json(parsing: " [\(text)] ")[0] ?? .null] {
            #expect(json.int64 == signed)
            #expect(json.uint64 == unsigned)
            #expect(json.int == signed.map(Int.init))
        }
    }

    @Test("digits of every number before and after the point, at every distance from both ends of the text")
    func lengths() throws {
        var random = SplitMix64(seed: 20)
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
        }
        for wholes in 1...10 {
            for decimals in 0...20 {
                for blanks in [0, 1, 7, 24, 40] {
                    let head = "\(Int.random(in: 1...9, using: &random))" + digits(wholes - 1)
                    let text =
                        (Bool.random(using: &random) ? "-" : "") + head + (decimals > 0 ? "." + digits(decimals) : "")
                    let padded =
                        String(repeating: " ", count: blanks) + text + String(repeating: " ", count: 40 - blanks)
                    let value = try Json(parsing: "[\(padded)]")[0]?.double
                    #expect(value?.bitPattern == Double(text)?.bitPattern, "\(text) after \(blanks) blanks")
                    #expect(try Json(parsing: text).double?.bitPattern == Double(text)?.bitPattern, "\(text)")
                }
            }
        }
    }

    @Test("integers of every length survive")
    func integerLengths() throws {
        var value: UInt64 = 0
        for digit in 1...20 {
            value = value &* 10 &+ UInt64(digit % 10)
            for candidate in [value, value &- 1, UInt64.max / UInt64(digit)] {
                #expect(Json(candidate).description == String(candidate))
                #expect(try Json(parsing: Json(candidate).serialized()).uint64 == candidate)
                let negative = 0 &- Int64(truncatingIfNeeded: candidate >> 1)
                #expect(Json(negative).description == String(negative))
                #expect(try Json(parsing: Json(negative).serialized()).int64 == negative)
            }
        }
    }

    @Test(
        "decimals are read from their digits",
        arguments: [
            ("0.1", "0.1"), ("-12.50", "-12.5"), ("1e2", "100"), ("1E-3", "0.001"), ("0", "0"), ("-0.0", "0"),
            ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("0.1000000000000000055511151231257827021181", nil),
            ("1e127", "1e127"), ("1e128", "10e127"), ("1e164", "10000000000000000000000000000000000000e127"),
            ("1e166", nil),
            ("1e200", nil), ("1e-128", "1e-128"), ("1e-129", nil),
            ("123456789012345678901234567890123456789", "123456789012345678901234567890123456789"),
            ("340282366920938463463374607431768211456", nil),
        ] as [(String, String?)]
    )
    func decimals(text: String, expected: String?) throws {
        let decimal = try Json(parsing: text).decimal
        #expect(decimal == expected.flatMap { Decimal(string: $0) })
        if let decimal { #expect(Json(decimal).flatMap(\.decimal) == decimal) }
    }

    @Test("NaN and infinities cannot be made")
    func notFinite() {
        #expect(Json(Double.nan) == nil)
        #expect(Json(-Double.infinity) == nil)
        #expect(Json(Float.infinity) == nil)
        #expect(Json(Decimal.nan) == nil)
    }

    @Test(
        "floats are written with their own fewest digits",
        arguments: [
            (Float(0.1), "0.1"), (1, "1"), (16_777_216, "16777216"), (1e-10, "1e-10"),
            (.greatestFiniteMagnitude, "3.4028235e+38"),
        ]
    )
    func floats(value: Float, text: String) throws {
        #expect(Json(value)?.description == text)
        #expect(try Float.from(raw: Json(parsing: text)) == value)
    }

    @Test("each row of the table of powers is the exact power, cut off")
    func powersOfTen() {
        let largestExponent = 343
        #expect(PowersOfTen.words.count == 2 * (largestExponent - PowersOfTen.smallestExponent + 1))
        for exponent in PowersOfTen.smallestExponent...largestExponent {
            let (high, low) = PowersOfTen.truncated(exponent)
            #expect(high >> 63 == 1 && low != .max)
            #expect(BigNumber.isTruncatedPowerOfTen(exponent, high: high, low: low), "10^\(exponent)")
        }
    }

    @Test(
        "an exponent of any length counts together with the digits before it",
        arguments: [
            (123_455, "e123456", 1), (123_455, "e123457", 10), (1_234_566, "e1234567", 1),
            (1_234_566, "e1234568", 10), (123_456, "e1234567", nil), (123_456, "e-1234567", 0),
            (9, "e99999999999999999999999999999999999", nil), (9, "e-99999999999999999999999999999999999", 0),
        ] as [(Int, String, Double?)]
    )
    func longExponents(zeros: Int, exponent: String, value: Double?) throws {
        let json = try Json(parsing: "0." + String(repeating: "0", count: zeros) + "1" + exponent)
        #expect(json.double == value)
    }
}

/// Whole numbers without limit, by their 32-bit digits, the lowest first: enough to check a table.
private struct BigNumber: Comparable {
    var digits: [UInt32]

    static func < (left: BigNumber, right: BigNumber) -> Bool {
        if left.digits.count != right.digits.count { return left.digits.count < right.digits.count }
        return left.digits.reversed().lexicographicallyPrecedes(right.digits.reversed())
    }

    func times(_ factor: UInt32) -> BigNumber {
        var carry: UInt64 = 0
        var product = digits.map { digit -> UInt32 in
            carry += UInt64(digit) * UInt64(factor)
            defer { carry >>= 32 }
            return UInt32(truncatingIfNeeded: carry)
        }
        if carry > 0 { product.append(UInt32(carry)) }
        return BigNumber(digits: product)
    }

    func shifted(_ bits: Int) -> BigNumber {
        let whole = BigNumber(digits: Array(repeating: 0, count: bits / 32) + digits)
        return bits % 32 == 0 ? whole : whole.times(1 << UInt32(bits % 32))
    }

    var bitCount: Int { digits.count * 32 - (digits.last?.leadingZeroBitCount ?? 0) }

    static func power(_ base: UInt32, _ exponent: Int) -> BigNumber {
        (0..<exponent).reduce(BigNumber(digits: [1])) { product, _ in product.times(base) }
    }

    /// Whether `row ≤ 10^exponent × 2^shift < row + 1` for the shift that makes the row 128 bits long.
    static func isTruncatedPowerOfTen(_ exponent: Int, high: UInt64, low: UInt64) -> Bool {
        func number(_ high: UInt64, _ low: UInt64) -> BigNumber {
            BigNumber(digits: [low, low >> 32, high, high >> 32].map { UInt32(truncatingIfNeeded: $0) })
        }
        let row = number(high, low)
        let above = number(high, low + 1)
        let power = power(10, abs(exponent))
        if exponent >= 0 {
            let shift = power.bitCount - 128
            if shift < 0 { return row == power.shifted(-shift) }
            return row.shifted(shift) <= power && power < above.shifted(shift)
        }
        // row × 10^-exponent ≤ 2^shift < (row + 1) × 10^-exponent
        func times(_ factor: BigNumber) -> BigNumber {
            (0..<abs(exponent)).reduce(factor) { product, _ in product.times(10) }
        }
        let lower = times(row)
        let one = BigNumber(digits: [1]).shifted(times(above).bitCount - 1)
        return lower <= one && one < times(above)
    }
}
