import Foundation
import Testing

@testable import Bilayer

/// Equality of two values in all forms: both parsed, both made in code, one of each.
@Suite("Json: equality of large and odd objects")
struct LargeEqualityTests {
    /// One value: parsed, parsed from a text with a blank before it, and as if it was made in code.
    private func forms(_ text: String, _ keys: Json.ParsingOptions.DuplicateKeys = .firstWins) throws -> [Json] {
        let parsed = try Json(parsing: text, options: .init(duplicateKeys: keys))
        var inCode = parsed
        switch parsed.kind {
        case .object:
            inCode["only while it is changed"] = 1
            inCode["only while it is changed"] = nil
        case .array:
            inCode[parsed.count] = 1
            inCode[parsed.count] = nil
        default: break
        }
        return [parsed, try Json(parsing: " " + text, options: .init(duplicateKeys: keys)), inCode]
    }

    private func expect(_ left: [Json], areEqual: Bool, to right: [Json], _ comment: Comment) {
        for first in left {
            for second in right {
                #expect((first == second) == areEqual, comment)
                #expect((second == first) == areEqual, comment)
                if areEqual { #expect(first.hashValue == second.hashValue, comment) }
            }
        }
    }

    @Test("of equal keys the one counts that look-up finds")
    func equalKeys() throws {
        let text = #"{"a":1,"b":[1],"a":{"c":2},"b":[2]}"#
        let first = try forms(text, .firstWins)
        let last = try forms(text, .lastWins)
        expect(first, areEqual: true, to: try forms(#"{"b":[1.0],"a":1}"#), "first wins")
        expect(last, areEqual: true, to: try forms(#"{"b":[2],"\u0061":{"c":2}}"#), "last wins")
        expect(first, areEqual: false, to: last, "one of each")
        expect(first, areEqual: false, to: try forms(#"{"a":1}"#), "a key less")
        expect(first, areEqual: false, to: try forms(#"{"a":1,"b":[1],"c":1}"#), "a key more")
        expect(first, areEqual: false, to: try forms(#"{"a":1,"c":[1]}"#), "another key")
    }

    @Test("keys with escapes, of any length, in any order", arguments: [3, 15, 16, 17, 40, 200])
    func shuffledKeys(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        func text(_ numbers: [Int], changing changed: Int? = nil) -> String {
            let members = numbers.map { number in
                let key = String(repeating: "k", count: number % 23) + (number % 2 == 0 ? "\\u00e9" : "é") + "\(number)"
                return "\"\(key)\":[\(number == changed ? -1 : number),{\"x\":\"\(number)\"}]"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        let ordered = try forms(text(Array(0..<count)))
        let shuffled = Array(0..<count).shuffled(using: &random)
        expect(ordered, areEqual: true, to: try forms(text(shuffled)), "\(count) members")
        expect(ordered, areEqual: false, to: try forms(text(shuffled, changing: count - 1)), "a value changed")
        expect(ordered, areEqual: false, to: try forms(text(Array(0...count))), "a member more")
        expect(ordered, areEqual: false, to: try forms(text(Array(1...count))), "another member")
    }

    @Test("parts of one document, and parts of different sizes after one another")
    func parts() throws {
        let json = try Json(
            parsing: #"[{"a":1},{"b":1,"a":{}},{"a":1.0},{},{},[{}],[{},1],"{}","\u007b}",{"a":{},"b":1}]"#
        )
        let elements = Array(json.elements)
        let equal = [(0, 2), (1, 9), (3, 4), (7, 8)]
        for first in elements.indices {
            for second in elements.indices {
                let areEqual = first == second || equal.contains { $0 == (min(first, second), max(first, second)) }
                #expect((elements[first] == elements[second]) == areEqual, "\(first) and \(second)")
            }
        }
        #expect(json == (try Json(parsing: json.serialized(.pretty))))
    }
}
