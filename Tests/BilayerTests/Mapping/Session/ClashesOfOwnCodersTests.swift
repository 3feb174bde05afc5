import Foundation
import Testing

@testable import Bilayer

/// Converts its keys by itself: neither conventions nor a mapping know the naming.
private struct LetterEntry: RawMappable {
    struct Contents: Codable {
        var userName: String
        var firstLine: Line
        struct Line: Codable {
            var lineText: String
            var lineTEXT: String?

            init(lineText: String, lineTEXT: String? = nil) { (self.lineText, self.lineTEXT) = (lineText, lineTEXT) }

            /// Opens the object twice, as a class and its superclass do.
            init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .lineText)
                lineText = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .lineText)
            }
        }
    }

    var contents: Contents

    static func from(raw: Json) throws -> LetterEntry {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        return LetterEntry(contents: try decoder.decode(Contents.self, from: raw))
    }

    func toRaw() throws -> Json {
        var encoder = JsonEncoder()
        encoder.keys = .naming(.snakeCase)
        return try Json(encoding: contents, using: encoder)
    }
}

@Suite("Keys that clash in a decoder or encoder of the app")
struct ClashesOfOwnCodersTests {
    private let twoKeys: Json = ["user_name": "a", "first_line": ["line_text": "b", "lineText": "c"]]
    private let twoProperties = LetterEntry(
        contents: .init(userName: "a", firstLine: .init(lineText: "b", lineTEXT: "c"))
    )

    @Test("are refused by a strict policy, with the keys of the JSON")
    func refused() throws {
        let read = mapping(.strict) { try [LetterEntry].from(raw: [twoKeys]) }
        #expect(read.value == nil)
        #expect(read.lines == ["error key clash $[0].first_line.line_text"])
        let written = mapping(.strict) { try [twoProperties].toRaw() }
        #expect(written.value == nil)
        #expect(written.lines == ["error key clash $[0].first_line.line_text"])
    }

    @Test("are reported by other policies", arguments: [MappingPolicy.standard, .salvaging, .collectingAll()])
    func reported(_ policy: MappingPolicy) throws {
        let read = mapping(policy) { try [LetterEntry].from(raw: [twoKeys]) }
        #expect(read.value?.count == 1)
        #expect(read.lines == ["warning key clash $[0].first_line.line_text"])
        let written = mapping(policy) { try [twoProperties].toRaw() }
        #expect(written.value == [["user_name": "a", "first_line": ["line_text": "c"]]])
        #expect(written.lines == ["warning key clash $[0].first_line.line_text"])
    }

    @Test("are refused under other conventions, too, and leave nothing behind if the error is caught")
    func otherConventions() throws {
        var conventions = CodingConventions()
        conventions.keys = .kebabCase
        let caught = mapping(.strict, conventions) {
            let first = try? [LetterEntry].from(raw: [twoKeys])
            let second = try? [twoProperties].toRaw()
            return first == nil && second == nil
        }
        #expect(caught.value == true)
        #expect(caught.lines.isEmpty)
    }

    @Test("have the keys that the document has, also from a text", arguments: [MappingPolicy.standard, .strict])
    func spellingsOfTheDocument(_ policy: MappingPolicy) throws {
        let text = #"{"user_name":"a","firstLine":{"line_text":"b","lineText":"c"}}"#
        let read = mapping(policy) {
            try locating(at: .key("letter")) {
                var decoder = JsonDecoder()
                decoder.keys = .naming(.snakeCase)
                return try decoder.decode(LetterEntry.Contents.self, from: Data(text.utf8)).userName
            }
        }
        #expect(read.issues.map(\.path.exactDescription) == ["$.letter.firstLine.line_text"])
    }

    @Test("are no warnings beside the error of a reading that a strict policy ends")
    func besideAnError() throws {
        let broken: Json = ["user_name": "a", "first_line": ["line_text": 1, "lineText": "c"]]
        #expect(
            mapping(.strict) { try [LetterEntry].from(raw: [broken]) }.lines
                == ["error wrong type $[0].firstLine.lineText"]
        )
    }

    @Test("a clash is no warning beside the error that ends a strict reading by the mapping's own decoder")
    func besideAnErrorUnderConventions() throws {
        struct Entry: Codable, RawMappable {
            var userName: String
            var age: Int
        }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let raw: Json = [["user_name": "a", "userName": "b", "age": "c"]]
        #expect(
            mapping(.strict, conventions) { try [Entry].from(raw: raw) }.lines == ["error wrong type $[0].age"]
        )
    }

    @Test("outside of a mapping, the last property counts, as always")
    func outside() throws {
        #expect(try LetterEntry.from(raw: twoKeys).contents.firstLine.lineText == "b")
        #expect(try twoProperties.toRaw()["first_line"] == ["line_text": "c"])
    }
}
