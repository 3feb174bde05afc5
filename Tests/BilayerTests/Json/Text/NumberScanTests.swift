import Foundation
import Testing

@testable import Bilayer

/// A number far from the end of its text is scanned by whole words, one close to it in smaller steps. The results must
/// be equal.
@Suite("Numbers with little and with much text behind them")
struct NumberScanTests {
    private enum Outcome: Equatable {
        case number(text: String, tag: IndexWord.Tag)
        case fault(JsonSyntaxError)
    }

    private func outcome(_ number: [UInt8], blanksBehind: Int = 0) -> Outcome {
        let blanks = [UInt8](repeating: Ascii.space, count: blanksBehind)
        let text = Data([Ascii.openBracket] + number + [Ascii.closeBracket] + blanks)
        do {
            let document = try JsonDocument.parse(text, options: .init())
            return document.withNodes { .number(text: $0.text(at: 3), tag: $0.tag(at: 3)) }
        } catch {
            return .fault(error)
        }
    }

    @Test(
        "every start with up to three characters of -0.5e behind it is a number or a fault by the grammar",
        arguments: [
            "", "7", "-123456", "-1234567", "12345678", "1234567890123456", "5.123456", "-65.6136169999",
            "1.23456789012345678901",
        ]
    )
    func grammar(head: String) {
        let grammar = /-?(0|[1-9][0-9]*)(?<fraction>\.[0-9]+)?(?<exponent>[eE][+\-]?[0-9]+)?/
        var tails = [""]
        for length in 0...3 {
            for tail in tails where !(head + tail).isEmpty {
                let text = head + tail
                let found = outcome(Array(text.utf8), blanksBehind: 40)
                #expect(outcome(Array(text.utf8)) == found, "\(text)")
                if let match = text.wholeMatch(of: grammar) {
                    let tag: IndexWord.Tag =
                        match.exponent != nil ? .exponent : match.fraction != nil ? .fraction : .integer
                    #expect(found == .number(text: text, tag: tag), "\(text)")
                } else if case .number = found {
                    Issue.record("\(text) is no number")
                }
            }
            if length < 3 { tails = tails.flatMap { tail in "-0.5e".map { tail + String($0) } } }
        }
    }

    @Test(
        "every byte behind a number is found",
        arguments: ["7", "-65", "1234567", "123456789", "0.5", "-65.613616", "43.420273000000009"]
    )
    func nextBytes(number: String) {
        for byte in UInt8.min...UInt8.max {
            let text = Array(number.utf8) + [byte]
            #expect(outcome(text, blanksBehind: 40) == outcome(text), "\(number) before byte \(byte)")
            // More bytes of the same sort, as they could carry into each other where a word is taken as one number.
            let run = text + [byte, byte]
            #expect(outcome(run, blanksBehind: 40) == outcome(run), "\(number) before bytes \(byte)")
        }
    }
}
