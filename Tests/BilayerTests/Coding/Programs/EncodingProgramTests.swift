import Foundation
import Testing

@testable import Bilayer

/// Random programs of container calls, some of which fail. The text has the value of a simple reference encoder, or
/// there is an error where the reference has one. For tame programs (``EncodingProgram/isTame``), the text has the
/// value of Foundation's encoder, too.
@Suite(.smallStack) struct EncodingProgramTests {
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

    private static let onceWrongPrograms: [(what: String, bytes: [UInt8])] = [
        (
            "an encoder is used when its body has ended, and a value of it fails",
            [
                110, 0, 0, 109, 214, 0, 0, 0, 133, 0, 0, 74, 0, 0, 0, 0, 0, 0, 0, 0, 9, 95, 9, 125, 0, 0, 0, 0, 0,
                0, 0, 62, 0, 231, 0, 0, 0, 70, 0, 0, 204, 0, 0, 169, 0, 0, 0, 0, 0, 0, 0, 79, 0, 0, 237, 0, 0, 243,
                10, 160,
            ]
        ),
        (
            "the same one value further in",
            [
                102, 130, 15, 0, 138, 230, 118, 14, 0, 0, 0, 0, 103, 19, 228, 0, 0, 0, 151, 0, 0, 0, 0, 0, 88, 0, 0,
                201, 0, 153, 0, 12, 0, 0, 0, 0, 0, 0, 23, 0, 0, 213, 0, 19, 77, 0, 0, 82, 42, 43, 100, 0,
            ]
        ),
        (
            "a container is asked for again inside its own value",
            [
                190, 0, 0, 106, 174, 0, 0, 0, 128, 0, 0, 58, 0, 137, 0, 0, 0, 0, 142, 0, 0, 0, 0, 0, 0, 221, 0, 131,
                0, 0, 49, 38, 0, 0, 0, 0, 131, 137, 0, 0, 234, 0, 0, 0, 0, 252, 0, 0, 0, 119, 0, 0, 0, 114, 236,
                198, 247, 0, 0, 0, 97, 0, 0, 0, 225, 238, 31, 79, 0, 0, 0, 0, 0, 0, 170, 79,
            ]
        ),
        (
            "the same, and that value writes nothing",
            [
                0, 0, 0, 0, 82, 0, 0, 0, 0, 95, 0, 190, 57, 0, 0, 0, 0, 0, 0, 179, 0, 0, 121, 197, 0, 0, 0, 0, 0,
                163, 0, 0, 0, 135, 0, 0, 52, 71, 37, 153, 143, 247, 0, 0, 0, 0, 154, 0, 0, 61, 0, 0, 186, 0, 0, 106,
                47,
            ]
        ),
        (
            "a container at the place of a single value",
            [
                102, 0, 0, 0, 181, 0, 0, 0, 190, 0, 0, 59, 0, 0, 237, 244, 222, 89, 0, 0, 0, 4, 135, 0, 0, 174, 0,
                0, 137, 93, 0, 0, 0, 178,
            ]
        ),
        (
            "a value that fails has written another one for its key, which had a nested container",
            [
                0, 0, 0, 0, 245, 0, 0, 0, 0, 255, 255, 255, 0, 255, 0, 0, 247, 3, 255, 0, 0, 0, 0, 255, 0, 255, 157,
                0, 0, 0, 0, 158, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 89, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 0, 255, 0, 0, 0, 0, 158, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 89,
            ]
        ),
    ]

    @Test("programs that once gave no JSON, lost a value or did not end", arguments: onceWrongPrograms)
    func onceWrong(what: String, bytes: [UInt8]) {
        #expect(EncodingProgram(bytes).fault() == nil)
    }
}
