import Foundation
import Testing

@testable import Bilayer

@Suite("Numbers to text and back")
struct JsonNumberTextTests {
    /// More with `BILAYER_RANDOM_DOUBLES=10000000 swift test -c release --filter JsonNumberTextTests`.
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

    private func digitCount(_ text: String) -> Int { JsonNumber(text: text.utf8).digits.count }
}
