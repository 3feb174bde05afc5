import Bilayer
import Foundation
import Testing

private struct Entry: Codable, RawMappable, Hashable {
    let id: Int
}

private enum Day: String, CodingKeyRepresentable, Hashable { case monday, tuesday }

private func json(_ text: String) throws -> Json { try Json(parsing: Data(text.utf8)) }

private func expectPath<Value: RawDecodable>(
    _ path: JsonPath,
    _ kind: MappingIssue.Kind,
    reading type: Value.Type,
    from text: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws where Value.Raw == Json {
    let json = try json(text)
    let error = #expect(throws: MappingError.self, sourceLocation: sourceLocation) { try Value.from(raw: json) }
    #expect(error?.path == path, sourceLocation: sourceLocation)
    #expect(error?.issues.first?.kind == kind, sourceLocation: sourceLocation)
}

@Suite("Raw mapping of arrays, optionals, sets and dictionaries")
struct RawCollectionsTests {
    /// Two keys (`é` as one scalar and as two) differ in their bytes, but are equal as `String`s. So a dictionary has
    /// one member for both.
    @Test("of members whose keys look the same the first counts, or the last", arguments: [2, 40, 400])
    func keysThatLookTheSame(count: Int) throws {
        let others = (2..<count).map { #","k\#($0)":\#($0)"# }.joined()
        let text = "{\"\u{E9}\":1\(others),\"e\u{301}\":2}"
        let format = ValueFormat<[String: Json]>.members(of: .plain)
        for (choice, value) in [(Json.ParsingOptions.DuplicateKeys.firstWins, 1), (.lastWins, 2)] {
            let raw = try Json(parsing: text, options: .init(duplicateKeys: choice))
            let outer: Json = ["m": raw]
            let reads: [() throws -> [String: Int]] = [
                { try [String: Int].from(raw: raw) },
                { try outer.decodeLossy("m") },
                { try format.read(raw).mapValues { try Int.from(raw: $0) } },
            ]
            for (place, read) in reads.enumerated() {
                for members in [try read(), try CollectingReporter().mapping(policy: .collectingAll(), read)] {
                    #expect(members["\u{E9}"] == value && members.count == count - 1, "\(choice), \(place)")
                }
            }
        }
    }

    /// The object has few members, or so many that it gets a table. It is read with and without a mapping in progress.
    @Test("of members with one key the first counts, or the last if the text was parsed so", arguments: [2, 40])
    func repeatedKeys(count: Int) throws {
        let others = (2..<count).map { #","k\#($0)":\#($0)"# }.joined()
        let text = #"{"a":1\#(others),"b":2,"a":"x","a":3}"#
        let format = ValueFormat<[String: Json]>.members(of: .plain)
        for (choice, value) in [(Json.ParsingOptions.DuplicateKeys.firstWins, 1), (.lastWins, 3)] {
            let raw = try Json(parsing: text, options: .init(duplicateKeys: choice))
            let outer: Json = ["m": raw]
            let reads: [() throws -> [String: Int]] = [
                { try [String: Int].from(raw: raw) },
                { try outer.decode("m") },
                { try outer.decodeLossy("m") },
                { try format.read(raw).mapValues { try Int.from(raw: $0) } },
                { try raw.decode([String: Json].self).mapValues { try Int.from(raw: $0) } },
            ]
            for (place, read) in reads.enumerated() {
                for members in [try read(), try CollectingReporter().mapping(policy: .collectingAll(), read)] {
                    #expect(members["a"] == value && members.count == count, "\(choice), \(place)")
                }
            }
        }
        let numbers = try Json(parsing: #"{"1":10,"1":20}"#)
        #expect(try [Int: Int].from(raw: numbers) == [1: 10])
    }

    @Test("the value of a member that does not count may be of another type")
    func membersThatDoNotCount() throws {
        let first = try Json(parsing: #"{"a":1,"b":2,"a":"x","a":"y"}"#)
        #expect(try [String: Int].from(raw: first) == ["a": 1, "b": 2])
        let options = Json.ParsingOptions(duplicateKeys: .lastWins)
        let last = try Json(parsing: #"{"a":"x","b":2,"a":"y","a":3}"#, options: options)
        #expect(try [String: Int].from(raw: last) == ["a": 3, "b": 2])
        let none = try Json(parsing: #"{"a":"x","b":2,"a":3}"#)
        let error = #expect(throws: MappingError.self) { try [String: Int].from(raw: none) }
        #expect(error?.path == [.entry("a")])
    }

    /// If a repeated key started the reading again, the work would double with each level.
    @Test("objects with repeated keys inside each other are read once", arguments: ["y", "e\u{301}"], ["{}", "5"])
    func repeatedKeysInside(key: String, leaf: String) throws {
        let other = key == "y" ? "y" : "\u{E9}"
        let text = (0..<60).reduce(leaf) { inside, _ in #"{"x":\#(inside),"\#(other)":{},"\#(key)":{}}"# }
        let raw = try Json(parsing: text)
        if leaf == "{}" {
            let tree = try [String: Tree].from(raw: raw)
            #expect(tree.count == 2)
        } else {
            let error = #expect(throws: MappingError.self) { try [String: Tree].from(raw: raw) }
            #expect(error?.path.components == Array(repeating: .entry("x"), count: 60))
        }
    }

    private struct Tree: RawDecodable {
        let members: [String: Tree]

        static func from(raw: Json) throws -> Tree { Tree(members: try .from(raw: raw)) }
    }

    @Test func arraysKeepTheirOrder() throws {
        #expect(try [Entry].from(raw: json(#"[{"id":2},{"id":1}]"#)) == [Entry(id: 2), Entry(id: 1)])
        #expect(try [Entry].from(raw: json("[]")) == [])
        #expect(try [Entry(id: 2), Entry(id: 1)].toRaw() == json(#"[{"id":2},{"id":1}]"#))
    }

    @Test func nullIsNilForAnOptional() throws {
        #expect(try Entry?.from(raw: .null) == nil)
        #expect(try Entry?.from(raw: json(#"{"id":1}"#)) == Entry(id: 1))
        #expect(try [Entry?].from(raw: json(#"[null,{"id":1}]"#)) == [nil, Entry(id: 1)])
        #expect(try Entry?.none.toRaw() == .null)
        #expect(try [Entry?.none, Entry(id: 1)].toRaw() == json(#"[null,{"id":1}]"#))
    }

    @Test func setsKeepEqualElementsOnce() throws {
        #expect(try Set<Entry>.from(raw: json(#"[{"id":1},{"id":1},{"id":2}]"#)) == [Entry(id: 1), Entry(id: 2)])
        #expect(try Set<Entry>.from(raw: Set([Entry(id: 1)]).toRaw()) == [Entry(id: 1)])
    }

    @Test func dictionariesHaveStringsOrWhatStandsForThemAsKeys() throws {
        let text = #"{"monday":[{"id":1}],"tuesday":[]}"#
        #expect(try [String: [Entry]].from(raw: json(text)) == ["monday": [Entry(id: 1)], "tuesday": []])
        #expect(try [Day: [Entry]].from(raw: json(text)) == [.monday: [Entry(id: 1)], .tuesday: []])
        #expect(try [Int: Entry].from(raw: json(#"{"7":{"id":1}}"#)) == [7: Entry(id: 1)])
        for key in [Int.min, Int.min + 1, -1, 0, .max] {
            #expect(try [Int: Entry].from(raw: json("{\"\(key)\":{\"id\":1}}")) == [key: Entry(id: 1)])
        }
        #expect(throws: MappingError.self) { try [Int: Entry].from(raw: json(#"{"9223372036854775808":{"id":1}}"#)) }
        #expect(try [Day.monday: Entry(id: 1)].toRaw() == json(#"{"monday":{"id":1}}"#))
    }

    @Test func theFailingElementIsNamed() throws {
        try expectPath([.index(1), .key("id")], .missing, reading: [Entry].self, from: #"[{"id":1},{}]"#)
        try expectPath([.index(0), .key("id")], .wrongType, reading: Set<Entry>.self, from: #"[{"id":"x"}]"#)
        try expectPath(
            [.key("b c"), .index(1), .key("id")],
            .missing,
            reading: [String: [Entry]].self,
            from: #"{"a":[],"b c":[{"id":1},{}]}"#
        )
        try expectPath([.index(1), .key("id")], .missing, reading: [Entry?].self, from: #"[null,{}]"#)
        try expectPath([.key("sunday")], .invalidValue, reading: [Day: Entry].self, from: #"{"sunday":{"id":1}}"#)
    }

    @Test func nullForANonOptionalSaysSo() throws {
        try expectPath(.root, .null, reading: [Entry].self, from: "null")
        try expectPath([.index(1)], .null, reading: [Entry].self, from: #"[{"id":1},null]"#)
        try expectPath([.key("id")], .null, reading: Entry.self, from: #"{"id":null}"#)
        try expectPath([.key("a")], .null, reading: [String: Entry].self, from: #"{"a":null}"#)
    }

    @Test func anotherTypeIsNotAnEmptyArray() throws {
        try expectPath(.root, .wrongType, reading: [Entry].self, from: "{}")
        try expectPath(.root, .wrongType, reading: [String: Entry].self, from: "[]")
        try expectPath(.root, .wrongType, reading: Set<Entry>.self, from: "1")
    }

    /// Mapping is synchronous and ends with a value or an error of its own: whether the task was cancelled, and when,
    /// changes nothing.
    @Test(arguments: [1, 63, 64, 1_000, 5_000]) func aCancelledTaskGetsItsValue(_ count: Int) async throws {
        let list = try json("[" + Array(repeating: #"{"id":1}"#, count: count).joined(separator: ",") + "]")
        let object = Json(members: (0..<count).map { (key: "\($0)", value: ["id": 1]) })
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let entries = try [Entry].from(raw: list)
            return [
                entries.count, try Set<Entry>.from(raw: list).count, try [String: Entry].from(raw: object).count,
                try entries.toRaw().count,
                try CollectingReporter().mapping { try [Entry].from(raw: list) }.count,
            ]
        }
        task.cancel()
        #expect(try await task.value == [count, 1, count, count, count])
    }
}
