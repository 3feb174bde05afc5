import Foundation
import Testing

@testable import Bilayer

/// Numbers of every spelling as integers, decimals and doubles, compared with Foundation and with exact arithmetic.
@Suite("Numbers of both decoders", .smallStack)
struct NumberParityTests {
    private func outcomes<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) -> (Value?, Value?) {
        let data = Data("[\(text)]".utf8)
        return (
            try? JsonDecoder().decode([Value].self, from: data).first,
            try? JSONDecoder().decode([Value].self, from: data).first
        )
    }

    private func expectExact<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, _ text: String) {
        let (found, foundation) = outcomes(type, text)
        guard let exact = Decimal(string: text) else {
            Issue.record("\(text) is no decimal")
            return
        }
        let isInteger = exact == exact.rounded
        let fits =
            isInteger && exact >= Decimal(string: "\(Value.min)") ?? 0 && exact <= Decimal(string: "\(Value.max)") ?? 0
        #expect((found != nil) == fits, "\(text) as \(type)")
        if let found { #expect(Decimal(string: "\(found)") == exact, "\(text) as \(type)") }
        // Foundation goes through a double where there is a point or an exponent, so its integers may be rounded, or
        // missing.
        if let foundation, isInteger { #expect(found == foundation, "\(text) as \(type)") }
    }

    private func expectSame(_ text: String) {
        expectExact(Int64.self, text)
        expectExact(UInt64.self, text)
        expectExact(Int32.self, text)
        expectExact(UInt8.self, text)
        let decimals = outcomes(Decimal.self, text)
        #expect(decimals.0 == decimals.1, "\(text) as a decimal")
        #expect(decimals.0 == Decimal(string: text), "\(text) as a decimal")
        let doubles = outcomes(Double.self, text)
        #expect(doubles.0?.bitPattern == doubles.1?.bitPattern, "\(text) as a double")
    }

    @Test(
        "at the edges of their types",
        arguments: [
            "9007199254740993.0", "9007199254740993", "9007199254740993e0", "1e18", "1e19", "-1e18",
            "9223372036854775807",
            "9223372036854775807.0", "9223372036854775808", "-9223372036854775808.0", "18446744073709551615.0",
            "18446744073709551616", "123456789012345678901234567890", "123456789012345678901234567890.5", "255.0",
            "255.5",
            "2.55e2", "256e0", "-0.0", "0.0", "0e-5", "100000000000000000000e-2", "1.5e1", "15e-1", "10e-1",
            "0.99999999999999999999", "1.00000000000000000001", "4503599627370497.5", "1e127", "1e-128",
            "12345678901234567890123456789012345678", "3.141592653589793238462643",
        ]
    )
    func edges(text: String) {
        expectSame(text)
    }

    @Test("of every length, with and without fraction and exponent", arguments: 0..<8 as Range<UInt64>)
    func generated(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<250 {
            var text = Bool.random(using: &random) ? "-" : ""
            text += String(Int.random(in: 1...9, using: &random))
            for _ in 0..<Int.random(in: 0...21, using: &random) {
                text += String(Int.random(in: 0...9, using: &random))
            }
            if Bool.random(using: &random) {
                let mostlyZeros = Bool.random(using: &random)
                text += "."
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    text += String(mostlyZeros ? 0 : Int.random(in: 0...9, using: &random))
                }
            }
            if Bool.random(using: &random) { text += "e\(Int.random(in: -25...25, using: &random))" }
            expectSame(text)
        }
    }
}

extension Decimal {
    /// The nearest integer.
    fileprivate var rounded: Decimal {
        var value = self
        var result = Decimal()
        unsafe NSDecimalRound(&result, &value, 0, .plain)
        return result
    }
}
