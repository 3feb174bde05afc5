import Foundation
import Testing

@testable import Bilayer

/// Random programs of container calls, some of which fail: the text has the value of a simple reference encoder, and of Foundation's
/// encoder where that gives one, or there is an error.
@Suite struct EncodingProgramTests {
    @Test("every program writes what the reference has", arguments: 0..<20 as Range<UInt64>)
    func programs(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for number in 0..<1000 {
            let length = Int.random(in: 4..<160, using: &random)
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let fault = EncodingProgram(bytes).fault() {
                Issue.record("seed \(seed), program \(number), \(bytes): \(fault)")
                return
            }
        }
    }
}
