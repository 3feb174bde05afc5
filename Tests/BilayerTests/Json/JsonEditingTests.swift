import Foundation
import Testing

@testable import Bilayer

@Suite("Json: edits")
struct JsonEditingTests {
    static let text = #"{"a":1,"b":[10,20,{"c":null}],"d":{"e":"x"}}"#

    /// One value as received, as written by the library, and as made in code.
    static func forms() throws -> [Json] {
        let received = try Json(parsing: text)
        return [
            received, Json(.written(WrittenJson(received.serialized()))), Json(members: received.members),
            ["a": 1, "b": [10, 20, ["c": nil]], "d": ["e": "x"]],
        ]
    }

    @Test("a member keeps its place when it is replaced, a new one goes last, nil removes", arguments: try forms())
    func members(json: Json) {
        var json = json
        json["b"] = false
        json["z"] = .null
        json["a"] = nil
        json["missing"] = nil
        #expect(json.description == #"{"b":false,"d":{"e":"x"},"z":null}"#)
        json["a"] = 2
        #expect(json.keys == ["b", "d", "z", "a"])
    }

    @Test("an element is replaced, removed, appended; out of range nothing happens", arguments: try forms())
    func elements(json: Json) throws {
        var array = try #require(json["b"])
        array[0] = "first"
        array[1] = nil
        array[2] = true
        array[7] = 1
        array[-1] = 1
        array[3] = nil
        #expect(array.description == #"["first",{"c":null},true]"#)
        var object = json
        object[0] = 1
        #expect(object == json)
    }

    @Test("setting at a path makes objects on the way", arguments: try forms())
    func paths(json: Json) {
        var json = json
        let before = json
        let isSet = [
            json.set(5, at: [.key("b"), .index(2), .key("c")]), json.set(6, at: [.key("n"), .key("m"), .key("o")]),
            json.set(7, at: [.key("b"), .index(3)]), json.set(8, at: [.key("b"), .index(9)]),
            json.set(8, at: [.key("a"), .index(0)]),
        ]
        #expect(isSet == [true, true, true, false, false])
        let removed = [
            json.remove(at: [.key("d"), .key("e")]), json.remove(at: [.key("d"), .key("e")]),
            json.remove(at: [.key("b"), .index(0)]),
        ]
        #expect(removed == ["x", nil, 10])
        #expect(json.description == #"{"a":1,"b":[20,{"c":5},7],"d":{},"n":{"m":{"o":6}}}"#)
        #expect(before.description == Self.text)
        json.set("all", at: .root)
        #expect(json == "all")
        json.remove(at: .root)
        #expect(json == .null)
    }

    @Test("a value that is no object becomes one when a member is set, not when one is removed")
    func becomesObject() {
        var json: Json = 1
        json["a"] = nil
        #expect(json == 1)
        json["a"] = 2
        #expect(json == ["a": 2])
    }

    // RFC 7396, appendix A.
    @Test(
        "merge patches of the standard",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#), (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
    )
    func merges(target: String, patch: String, result: String) throws {
        var json = try Json(parsing: target)
        json.merge(try Json(parsing: patch))
        #expect(json.description == result)
    }

    @Test("copies are independent")
    func copies() throws {
        var first = try Json(parsing: Self.text)
        first["a"] = 2
        var second = first
        second["a"] = 3
        second["b"]?[0] = 11
        #expect(first["a"] == 2)
        #expect(first["b"]?[0] == 10)
        #expect(second["a"] == 3)
        #expect(second["b"]?[0] == 11)
    }

    @Test("many members stay in order and are found, whatever is removed")
    func manyMembers() {
        let seed: UInt64 = 7
        var random = SplitMix64(seed: seed)
        var json: Json = [:]
        var expected: [(String, Int)] = []
        for round in 0..<500 {
            let key = "k\(random.next(below: 60))"
            if random.next(below: 3) == 0 {
                json[key] = nil
                expected.removeAll { $0.0 == key }
            } else {
                json[key] = Json(round)
                if let place = expected.firstIndex(where: { $0.0 == key }) {
                    expected[place].1 = round
                } else {
                    expected.append((key, round))
                }
            }
            #expect(json.keys == expected.map(\.0), "seed \(seed), round \(round)")
            #expect(expected.allSatisfy { json[$0.0]?.int == $0.1 }, "seed \(seed), round \(round)")
        }
    }
}
