import Foundation
import Testing

@testable import Bilayer

/// Random programs of container calls, some of which fail: the text has the value of a simple reference encoder, and of Foundation's
/// encoder where that gives one, or there is an error.
@Suite struct EncodingProgramTests {
    private static let programsOfASeed = 150

    private func forEachProgram(of seed: UInt64, _ body: (_ number: Int, _ bytes: [UInt8]) throws -> Void) rethrows {
        var random = SplitMix64(seed: seed)
        for number in 0..<Self.programsOfASeed {
            let length = Int.random(in: 4..<160, using: &random)
            try body(number, (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test("every program writes what the reference has", arguments: 0..<20 as Range<UInt64>)
    func programs(seed: UInt64) throws {
        forEachProgram(of: seed) { number, bytes in
            if let fault = EncodingProgram(bytes).fault() {
                Issue.record("seed \(seed), program \(number), \(bytes): \(fault)")
            }
        }
    }

    @Test("the programs of a run make every kind of call", arguments: [0, 1] as [UInt64])
    func kinds(seed: UInt64) {
        var missing: Set = [
            "Step.write(", "Step.nested(", "Step.superEncoder(", "Step.use(", "Step.superNow(", "Step.again(",
            "Step.fail",
            "Form.few", "Form.many", "Form.any", "Form.unkeyed", "Form.single", "Form.nothing",
            "Value.null", "Value.number(", "Value.text(", "Value.ratio(", "Value.date(", "Value.list(", "Value.ratios(",
            "Value.table(", "Value.optional(", "Value.body(", "Recovery.none", "Recovery.ignoring", "Recovery.writing(",
            "isOuter: true", "isOuter: false",
        ]
        forEachProgram(of: seed) { _, bytes in
            if missing.isEmpty { return }
            let program = "\([EncodingProgram(bytes).root])"
            missing = missing.filter { !program.contains($0) }
        }
        #expect(missing == [])
    }
}
