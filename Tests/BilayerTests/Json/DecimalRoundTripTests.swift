import Foundation
import Testing

@testable import Bilayer

/// Every `Decimal` comes back from its text as it was.
@Suite("Decimal: written and read back")
struct DecimalRoundTripTests {
    private func expectRoundTrip(_ value: Decimal, _ comment: Comment) throws {
        let text = try JsonEncoder().encode([value])
        #expect(try JsonDecoder().decode([Decimal].self, from: text) == [value], comment)
        #expect(try Json(parsing: text)[0]?.decimal == value, comment)
        #expect(Json(value)?.decimal == value, comment)
        #expect(try Json(encoding: [value]).decode([Decimal].self) == [value], comment)
        let back = try JsonDecoder().decode([Decimal].self, from: text).first
        #expect(back?.description == value.description, comment)
    }

    @Test(
        "the ends of the range, and values of 39 digits",
        arguments: [
            .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude,
            .leastFiniteMagnitude, 0, 1, -1, Decimal(22) / 7, Decimal(1) / 3, Decimal(2) / 3, Decimal(UInt64.max),
            Decimal(Int64.min), Decimal(string: "340282366920938463463374607431768211455") ?? 0,
            Decimal(string: "-340282366920938463463374607431768211455e-128") ?? 0, Decimal(string: "1e127") ?? 0,
            Decimal(string: "1e-128") ?? 0, Decimal(string: "10000000000000000000000000000000000000e127") ?? 0,
        ] as [Decimal]
    )
    func special(value: Decimal) throws { try expectRoundTrip(value, "\(value)") }

    @Test("random digits with every exponent", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for exponent in -128...127 {
            let count = Int.random(in: 1...38, using: &random)
            let digits = (0..<count).map { _ in String(random.next(below: 10)) }.joined()
            let sign = Bool.random(using: &random) ? "-" : ""
            let value = try #require(Decimal(string: "\(sign)\(digits)e\(exponent)"))
            try expectRoundTrip(value, "seed \(seed): \(value)")
        }
    }

    @Test("quotients, whose digits fill all bits", arguments: [4, 5] as [UInt64])
    func quotients(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let divisor = Decimal(Int.random(in: 1...100_000, using: &random))
            let value = Decimal(Int.random(in: -1_000_000...1_000_000, using: &random)) / divisor
            try expectRoundTrip(value, "seed \(seed): \(value)")
        }
    }

    @Test("NaN is an error")
    func notANumber() {
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Decimal.nan]) }
        #expect(Json(Decimal.nan) == nil)
    }

    @Test(
        "a number that no decimal holds is an error",
        arguments: [
            "340282366920938463463374607431768211456", "999999999999999999999999999999999999999",
            "3402823669209384634633746074317682114551", "1e166", "1e-129", "1e9999999999999999999999",
            "340282366920938463463374607431768211455e128", "1234567890123456789012345678901234567890.5",
        ]
    )
    func beyond(text: String) throws {
        #expect(try Json(parsing: text).decimal == nil)
        #expect(throws: DecodingError.self) { try JsonDecoder().decode(Decimal.self, from: Data(text.utf8)) }
    }
}
