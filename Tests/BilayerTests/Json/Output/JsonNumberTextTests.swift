import Foundation
import Testing

@testable import Bilayer

@Suite("Numbers to text and back")
struct JsonNumberTextTests {
    /// The number of random doubles. More of them: `BILAYER_RANDOM_DOUBLES=10000000 swift test -c release --filter
    /// JsonNumberTextTests`.
    static let rounds = ProcessInfo.processInfo.environment["BILAYER_RANDOM_DOUBLES"].flatMap(Int.init) ?? 20_000

    @Test("random doubles survive bit by bit; every hundredth has as few digits as the standard library needs")
    func randomDoubles() throws {
        let seed: UInt64 = 0xB1_1A_7E_12
        var random = SplitMix64(seed: seed)
        var failures = 0
        for round in 0..<Self.rounds {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            let text = ByteWriter.text { $0.write(value) }
            let back = try Json(parsing: text).double
            let isShort = round % 100 > 0 || digitCount(text) == digitCount(value.description)
            if back?.bitPattern == value.bitPattern && isShort { continue }
            failures += 1
            if failures < 10 { Issue.record("seed \(seed), round \(round): \(value) -> \(text)") }
        }
        #expect(failures == 0)
    }

    /// Doubles for which one product with a power of ten is not enough, or only just.
    enum Kind: CaseIterable {
        case powersOfTwoAndTheirNeighbours, wholeNumbersOf17Digits, shortDecimals, subnormal, fractions

        func value(from random: inout SplitMix64) -> Double {
            let bits = random.next()
            return switch self {
            case .powersOfTwoAndTheirNeighbours:
                Double(bitPattern: bits % 0x7FF &<< 52 &+ bits &>> 60 % 3 &- 1).magnitude
            case .wholeNumbersOf17Digits: Double((1 &<< 53) + bits &>> 7)
            case .shortDecimals: Double("\(bits % 1_000_000)e-\(bits &>> 32 % 25)") ?? 0
            case .subnormal: Double(bitPattern: bits &>> (12 &+ bits & 31))
            case .fractions: Double(bits &>> 11) * 0x1p-53
            }
        }
    }

    @Test("digits are those of the standard library, also where finding them is hardest", arguments: Kind.allCases)
    func sameDigits(kind: Kind) throws {
        let seed: UInt64 = 0xD1_61_75
        var random = SplitMix64(seed: seed)
        for round in 0..<Self.rounds / 5 {
            let value = kind.value(from: &random)
            guard value.isFinite, value != 0 else { continue }
            let text = ByteWriter.text { $0.write(value) }
            let same = Double(text)?.bitPattern == value.bitPattern && digits(text) == digits(value.description)
            try #require(same, "seed \(seed), round \(round): \(value) -> \(text)")
        }
    }

    /// The digits of a number's mantissa, without zeros at either end.
    private func digits(_ text: String) -> String {
        text.prefix { $0 != "e" }.filter(\.isNumber).trimmingCharacters(in: ["0"])
    }

    private func digitCount(_ text: String) -> Int { JsonNumber(text: text.utf8).digits.count }
}
