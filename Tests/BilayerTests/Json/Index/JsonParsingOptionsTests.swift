import Foundation
import Testing

@testable import Bilayer

@Suite("Json.ParsingOptions")
struct JsonParsingOptionsTests {
    @Test("depth is counted exactly", arguments: ["[", #"{"a":"#])
    func depth(open: String) throws {
        let close = open == "[" ? "]" : "}"
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        #expect(try Json(parsing: nested(512)).kind != .number)
        let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: nested(513)) }
        #expect(error.byteOffset == 512 * open.utf8.count)
        #expect(error.expected == "at most 512 containers inside one another")
        #expect(try Json(parsing: "[[]]", options: .init(maximumDepth: 2)).count == 1)
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: "[[]]", options: .init(maximumDepth: 1)) }
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: "[]", options: .init(maximumDepth: 0)) }
    }

    static let repeated = #"{"a":1,"b":2,"\u0061":3,"b":{"c":4,"c":5}}"#

    @Test("of two equal keys the first or the last counts, in look-up, comparison and edits")
    func duplicates() throws {
        let first = try Json(parsing: Self.repeated)
        let last = try Json(parsing: Self.repeated, options: .init(duplicateKeys: .lastWins))
        #expect(first["a"]?.int == 1)
        #expect(last["a"]?.int == 3)
        #expect(first.path("b")?.int == 2)
        #expect(last.path("b.c")?.int == 5)
        #expect(first.keys == ["a", "b", "a", "b"])
        #expect(first.description == Self.repeated)
        #expect(first == ["a": 1, "b": 2])
        #expect(last == ["a": 3, "b": ["c": 5]])
        #expect(first != last)
        var edited = first
        edited["x"] = 0
        #expect(edited.description == #"{"a":1,"b":2,"x":0}"#)
        edited = last
        edited["x"] = 0
        #expect(edited.description == #"{"a":3,"b":{"c":4,"c":5},"x":0}"#)
    }

    @Test(
        "two equal keys are refused on wish",
        arguments: [
            (repeated, 13), (#"[{"a":1},{"a":[{"b":1,"c":2,"b":3}]}]"#, 28), (#"{"":1,"":2}"#, 6),
        ]
    )
    func rejects(text: String, offset: Int) throws {
        let error = try #require(throws: JsonSyntaxError.self) {
            try Json(parsing: text, options: .init(duplicateKeys: .reject))
        }
        #expect(error.byteOffset == offset)
    }

    @Test("keys that only look the same are not the same")
    func canonicallyEquivalent() throws {
        let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        let json = try Json(parsing: text, options: .init(duplicateKeys: .reject))
        #expect(json["\u{E9}"]?.int == 1)
        #expect(json["e\u{301}"]?.int == 2)
        #expect(json.count == 2)
        var edited = json
        edited["e\u{301}"] = 3
        #expect(edited["\u{E9}"]?.int == 1)
        #expect(edited != json)
        #expect(Json("\u{E9}") != Json("e\u{301}"))
    }

    @Test("a byte order mark is accepted or refused")
    func byteOrderMark() throws {
        #expect(try Json(parsing: Data([0xEF, 0xBB, 0xBF]) + Data("[1]".utf8)).description == "[1]")
        let error = try #require(throws: JsonSyntaxError.self) {
            try Json(parsing: Data([0xEF, 0xBB, 0xBF]) + Data("[1]".utf8), options: .init(byteOrderMark: .reject))
        }
        #expect(error.byteOffset == 0)
        for utf16 in [Data([0xFF, 0xFE, 0x31, 0x00]), Data([0xFE, 0xFF, 0x00, 0x31])] {
            #expect(throws: JsonSyntaxError.self) { try Json(parsing: utf16) }
        }
    }

    @Test("members of a large object are found, the first and the last of two, whatever the number of look-ups")
    func largeObjects() throws {
        let members = (0..<1000).map { "\"key\($0 % 900)\":\($0)" }
        let text = "{" + members.joined(separator: ",") + "}"
        let first = try Json(parsing: text)
        let last = try Json(parsing: text, options: .init(duplicateKeys: .lastWins))
        for _ in 0..<3 {
            for key in 0..<900 {
                #expect(first["key\(key)"]?.int == key)
                #expect(last["key\(key)"]?.int == (key < 100 ? key + 900 : key))
            }
            #expect(first["key900"] == nil)
        }
    }

    @Test("large objects are looked into from many tasks at once")
    func largeObjectsAtOnce() async throws {
        let text = "{" + (0..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        for _ in 0..<50 {
            let json = try Json(parsing: text)
            await withTaskGroup(of: Bool.self) { group in
                for task in 0..<8 {
                    group.addTask { (0..<30).allSatisfy { json["k\($0 * 7 + task)"]?.int == $0 * 7 + task } }
                }
                for await isRight in group { #expect(isRight) }
            }
        }
    }
}
