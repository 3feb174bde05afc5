import Foundation
import Testing

@testable import Bilayer

/// Defects that fuzzing (`Tests/Fuzz`) and hostile reviews have found.
@Suite("Found by fuzzing")
struct FuzzRegressionTests {
    @Test(
        "a number nearer to zero than any double is zero, and no integer",
        arguments: ["1e-400", "-1e-400", "5e-3240", "41E-59999999999999990", "4e-648", "0.1e-99999999999999999999"]
    )
    func vanishingNumbers(text: String) throws {
        let json = try Json(parsing: text)
        #expect(json.double == 0)
        #expect(json.double?.sign == (text.hasPrefix("-") ? .minus : .plus))
        #expect(json.int == nil)
        #expect(try json.decode(Double.self) == 0)
        #expect(throws: DecodingError.self) { try json.decode(Int.self) }
        #expect(throws: DecodingError.self) { try json.decode([Int].self) }
    }

    @Test("a depth below zero allows no container")
    func negativeDepth() throws {
        let options = Json.ParsingOptions(maximumDepth: -1)
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: "[[]]", options: options) }
        #expect(try Json(parsing: "1", options: options).int == 1)
    }

    @Test("a patch that removes every member takes one pass")
    func largePatch() throws {
        let keys = (0..<20_000).map { "key \($0)" }
        var json = Json(members: keys.map { ($0, Json($0)) })
        var patch = Json(members: keys.map { ($0, Json.null) })
        patch["key 7"] = "kept"
        patch["new"] = ["inner": .null, "other": 1]
        json.merge(patch)
        #expect(json.description == #"{"key 7":"kept","new":{"other":1}}"#)
    }

    @Test("a patch with equal keys counts as it is read")
    func patchWithEqualKeys() throws {
        var json: Json = ["a": 1]
        json.merge(try Json(parsing: #"{"a":null,"a":2}"#))
        #expect(json == [:])
        json.merge(try Json(parsing: #"{"a":null,"a":2}"#, options: .init(duplicateKeys: .lastWins)))
        #expect(json == ["a": 2])
    }

    /// The document of a parsed text; nil for a value that is no part of one.
    private static func document(of json: Json) -> JsonDocument? {
        guard case .view(let document, _) = json.storage else { return nil }
        return document
    }

    @Test("the end of a token that is too long for its index word is found by reading")
    func longTokens() throws {
        let text = #" {"a\"]}\\": [1, -2.5e+7, "\\\"]", {"b": {}}], "c": [[], ["]"]]}"# + " \n"
        let document = try #require(Self.document(of: Json(parsing: text)))
        document.withNodes { nodes in
            var position = 0
            while position < nodes.words.count {
                let word = unsafe nodes.words[unchecked: position]
                #expect(nodes.fullLength(of: word) == word.shortLength, "index word \(position)")
                position += word.tag.isContainer ? IndexWord.wordsOfContainer : 1
            }
        }
    }

    @Test(
        "every letter after a digit or a sign is large, as with Foundation",
        arguments: [
            "line_2nd", "a_015}saa", "___`p``__2a", "one_two", "one_TWO_three", "x_y1z_é1é", "_a_1b_", "a__b", "_",
            "a_",
        ]
    )
    func snakeCase(key: String) {
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        var bilayer = JsonDecoder()
        bilayer.keys = .convertFromSnakeCase
        expectSameDecoding(Dynamic.self, #"{"\#(key)": 5}"#, foundation: foundation, bilayer: bilayer)
    }

    @Test(
        "of members with the same key, those that do not count may be of any sort",
        arguments: [
            #"{"a":1,"b":2,"a":9999999999999999999}"#, #"{"a":1,"a":"x","\u0061":[]}"#,
            #"{"a":1,"b":2,"b":null,"c":{}}"#, #"{"a":"x","a":1}"#, #"{"a":1,"b":[]}"#, #"{"é":1,"e\u0301":"x"}"#,
        ]
    )
    func repeatedKeys(text: String) {
        expectSameDecoding([String: Int].self, text)
        expectSameDecoding([[String: Int]?].self, "[\(text)]")
    }

    @Test("the same where the last one counts")
    func repeatedKeysLastWins() throws {
        for optimizations in trickSets {
            var decoder = JsonDecoder()
            decoder.parsing.duplicateKeys = .lastWins
            decoder.optimizations = optimizations
            func decode(_ text: String) throws -> [String: Int] {
                try decoder.decode([String: Int].self, from: Data(text.utf8))
            }
            #expect(try decode(#"{"a":"x","b":[],"a":{},"b":2,"a":1}"#) == ["a": 1, "b": 2])
            let error = #expect(throws: DecodingError.self) { try decode(#"{"a":1,"b":"x","b":2,"a":"x"}"#) }
            guard case .typeMismatch(_, let context) = error else { throw try #require(error) }
            #expect(context.codingPath.map(\.stringValue) == ["a"])
        }
    }
}
