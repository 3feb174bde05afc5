import Foundation
import Testing

@testable import Bilayer

/// Hostile and damaged texts: an error or a value, never a trap, and no more time than their size needs.
@Suite("JSON from hostile and broken servers")
struct JsonRobustnessTests {
    static let sample = #"""
        {"id":7,"big":18446744073709551615,"ratio":-1.25e-3,"name":"é\u00e9😀\ud83d\ude00\n\\","tags":["a","",[],{}],
         "deep":[[[{"x":[null,true,false]}]]],"url":"https:\/\/example.com\/a?b=c","empty":{"":""},"zero":-0.0}
        """#

    /// Reads a value as each scalar type, and also all values inside of it.
    private func exercise(_ json: Json) throws {
        _ = (json.int, json.uint64, json.double, json.decimal, json.string, json.bool, json.numberText)
        for element in json.elements { try exercise(element) }
        for (key, value) in json.members {
            #expect(json[key] != nil)
            try exercise(value)
        }
    }

    private func exercise(_ bytes: [UInt8]) throws {
        guard let json = try? Json(parsing: bytes) else { return }
        try exercise(json)
        #expect(try Json(parsing: json.serialized()) == json)
        #expect(try Json(parsing: json.serialized([.pretty, .sortedKeys])) == json)
    }

    @Test("a text cut at any byte is an error")
    func truncations() throws {
        let bytes = Array(Self.sample.utf8)
        try exercise(bytes)
        for count in 0..<bytes.count {
            let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: Array(bytes.prefix(count))) }
            #expect(error.byteOffset <= count)
        }
    }

    @Test("a text with any byte changed is an error or a value", arguments: 0..<8)
    func mutations(part: Int) throws {
        let bytes = Array(Self.sample.utf8)
        // All 256 values at every position. The test has eight parts, so that it uses several cores.
        for position in stride(from: part, to: bytes.count, by: 8) {
            for value in UInt8.min...UInt8.max {
                var changed = bytes
                changed[position] = value
                try exercise(changed)
            }
        }
    }

    @Test("a text with any byte missing or doubled is an error or a value")
    func lostBytes() throws {
        let bytes = Array(Self.sample.utf8)
        for position in bytes.indices {
            var changed = bytes
            changed.remove(at: position)
            try exercise(changed)
            changed = bytes
            changed.insert(bytes[position], at: position)
            try exercise(changed)
        }
    }

    @Test("100,000 open containers are an error", arguments: ["[", "{\"a\":", "[{\"a\":["])
    func deepTexts(open: String) throws {
        let text = String(repeating: open, count: 100_000)
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: text) }
        // Without a limit the containers are parsed to the end of the text, where a closing bracket is missing.
        let error = try #require(throws: JsonSyntaxError.self) {
            try Json(parsing: text, options: .init(maximumDepth: .max))
        }
        #expect(error.byteOffset == text.utf8.count)
    }

    @Test("a value 100,000 levels deep is read, compared, printed and let go of without the stack growing")
    func deepValue() throws {
        let depth = 100_000
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        var json = try Json(parsing: text, options: .init(maximumDepth: .max))
        #expect(json == (try Json(parsing: " " + text, options: .init(maximumDepth: .max))))
        #expect(json.serialized() == Data(text.utf8))
        _ = json.hashValue
        #expect(json.serialized(.sortedKeys) == Data(text.utf8))
        json = try Json(parsing: " " + text, options: .init(maximumDepth: .max))
        #expect(json.serialized() == Data(text.utf8))
    }

    @Test("a value made in code may be nested as deep as one likes")
    func deepInCode() throws {
        var json: Json = 1
        for level in 0..<3_000 { json = level % 2 == 0 ? [json] : ["a": json] }
        #expect(json.serialized().count == 1_500 * 2 + 1_500 * 6 + 1)
        var same: Json = 1.0
        for level in 0..<3_000 { same = level % 2 == 0 ? [same] : ["a": same] }
        #expect(json == same)
        #expect(json.hashValue == same.hashValue)
    }

    /// A size for an optimised build, or a fiftieth of it in a debug build.
    private func size(_ count: Int) -> Int { _isDebugAssertConfiguration() ? count / 50 : count }

    @Test("100 MB of blanks")
    func blanks() throws {
        let blank = Data(repeating: 0x20, count: size(100_000_000) / 2)
        #expect(try Json(parsing: blank + Data("[1]".utf8) + blank).description == "[1]")
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: blank) }
    }

    @Test(
        "runs of blanks of every length end where something else stands",
        arguments: [" ", "\n", "\t", "\r\n", "\n "]
    )
    func runsOfBlanks(blank: String) throws {
        for length in 0...40 {
            // Many equal blanks; or one, such as the end of a line, and then many spaces.
            for run in [String(repeating: blank, count: length), blank + String(repeating: " ", count: length)] {
                let text =
                    run
                    + ["{", "\"a\"", ":", "[", "1", ",", "2", "]", ",", "\"b\"", ":", "\"\"", "}"]
                    .joined(separator: run) + run
                #expect(try Json(parsing: text) == ["a": [1, 2], "b": ""])
                let wrong = "[1," + run + "\u{B}" + run + "2]"
                let error = #expect(throws: JsonSyntaxError.self) { try Json(parsing: wrong) }
                #expect(error?.byteOffset == 3 + run.utf8.count)
            }
        }
    }

    @Test("a 50 MB string")
    func longString() throws {
        let count = size(50_000_000)
        let data = Data("\"\\n".utf8) + Data(repeating: 0x61, count: count) + Data("\"".utf8)
        #expect(try Json(parsing: data).string?.utf8.count == count + 1)
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: data.dropLast()) }
    }

    @Test("a million keys, alike in their first and last bytes")
    func manyKeys() throws {
        let count = size(1_000_000)
        var text = "{"
        for key in 0..<count { text += "\"aaaaaaaaaaaaaaaa\(key)aaaaaaaaaaaaaaaa\":\(key)," }
        text += "\"last\":null}"
        let json = try Json(parsing: text, options: .init(duplicateKeys: .reject))
        #expect(json.count == count + 1)
        for key in stride(from: 0, to: count, by: max(1, count / 1_000)) {
            #expect(json["aaaaaaaaaaaaaaaa\(key)aaaaaaaaaaaaaaaa"]?.int == key)
        }
        var edited = json
        edited["last"] = nil
        #expect(edited.count == count)
        #expect(edited != json)
    }

    @Test("a million numbers and a million empty arrays")
    func manyElements() throws {
        let count = size(1_000_000)
        let numbers = try Json(parsing: "[" + String(repeating: "1,", count: count) + "1]")
        #expect(numbers.elements.reduce(0) { $0 + ($1.int ?? 0) } == count + 1)
        #expect(numbers[count]?.int == 1)
        let arrays = try Json(parsing: "[" + String(repeating: "[],", count: count) + "[]]")
        #expect(arrays.count == count + 1)
    }

    @Test("a slice of a larger Data is read where it lies, and stays right when the rest changes")
    func slices() throws {
        var data = Data(repeating: 0x78, count: 100) + Data(Self.sample.utf8) + Data(repeating: 0x78, count: 100)
        let json = try Json(parsing: data.dropFirst(100).dropLast(100))
        data.resetBytes(in: 0..<data.count)
        #expect(json["id"]?.int == 7)
        #expect(json.description.utf8.count < Self.sample.utf8.count)
    }

    @Test("a length that does not fit its word is found again")
    func unknownLengths() throws {
        let text = #" {"a\"b":["x\\",-1.5e3,{"]":[]}]}"#
        try Json(parsing: text)
            .withView { nodes in
                var position = 0
                while position < nodes.words.count {
                    let word = unsafe nodes.words[unchecked: position]
                    let unknown = IndexWord(word.tag, offset: word.offset, length: .max)
                    #expect(unknown.shortLength == IndexWord.unknownLength)
                    #expect(nodes.fullLength(of: unknown) == word.shortLength)
                    position += word.tag.isContainer ? IndexWord.wordsOfContainer : 1
                }
            }
    }
}

extension Json {
    /// The nodes of a parsed text.
    fileprivate func withView(_ body: (JsonNodes) throws -> Void) rethrows {
        guard case .view(let document, _) = resolved else {
            Issue.record("no parsed text")
            return
        }
        defer { withExtendedLifetime(document) {} }
        try body(document.nodes)
    }
}
