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
        "every start with up to three characters of -+0.5e behind it is a number or a fault by the grammar",
        arguments: [
            "", "7", "-123456", "-1234567", "12345678", "1234567890123456", "5.123456", "-65.6136169999",
            "1.23456789012345678901",
        ]
    )
    func grammar(head: String) {
        var tails = [""]
        for length in 0...3 {
            for tail in tails where !(head + tail).isEmpty {
                let text = head + tail
                let found = outcome(Array(text.utf8), blanksBehind: 40)
                #expect(outcome(Array(text.utf8)) == found, "\(text)")
                switch found {
                case .number(let number, let tag):
                    #expect(number == text && tag == Self.tag(of: text), "\(text)")
                case .fault(let error):
                    #expect(error.byteOffset == 1 + Self.offsetOfFault(in: text), "\(text): \(error)")
                    #expect(Self.tag(of: text) == nil, "\(text): \(error)")
                }
            }
            if length < 3 { tails = tails.flatMap { tail in "-+0.5e".map { tail + String($0) } } }
        }
    }

    private static var grammar: Regex<(Substring, whole: Substring, fraction: Substring?, exponent: Substring?)> {
        /(?<whole>-?(?:0|[1-9][0-9]*))(?<fraction>\.[0-9]+)?(?<exponent>[eE][+\-]?[0-9]+)?/
    }

    private static func tag(of text: String) -> IndexWord.Tag? {
        guard let match = text.wholeMatch(of: grammar) else { return nil }
        return match.exponent != nil ? .exponent : match.fraction != nil ? .fraction : .integer
    }

    /// The offset of the first byte that no number can have there. For digits after a leading zero, it is that of the
    /// zero.
    private static func offsetOfFault(in text: String) -> Int {
        guard let match = text.prefixMatch(of: grammar) else { return text.hasPrefix("-") ? 1 : 0 }
        let (length, rest) = (match.0.utf8.count, text.dropFirst(match.0.count))
        if match.exponent != nil { return length }
        if let exponent = rest.prefixMatch(of: /e[+\-]?/) { return length + exponent.0.utf8.count }
        if match.fraction != nil { return length }
        if rest.hasPrefix(".") { return length + 1 }
        return match.whole.hasSuffix("0") && rest.first?.isNumber == true ? length - 1 : length
    }

    @Test(
        "every byte behind a number is found",
        arguments: ["7", "-65", "1234567", "123456789", "0.5", "-65.613616", "43.420273000000009"]
    )
    func nextBytes(number: String) {
        for byte in UInt8.min...UInt8.max {
            let text = Array(number.utf8) + [byte]
            #expect(outcome(text, blanksBehind: 40) == outcome(text), "\(number) before byte \(byte)")
            // More equal bytes: the scanner computes with eight bytes as one integer, in which a carry could change the
            // next byte.
            let run = text + [byte, byte]
            #expect(outcome(run, blanksBehind: 40) == outcome(run), "\(number) before bytes \(byte)")
        }
    }
}
