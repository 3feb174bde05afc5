import Foundation
import Testing

@testable import Bilayer

@Suite("Json: equality, kinds and paths")
struct JsonEqualityTests {
    @Test(
        "texts that mean the same are equal, with equal hashes",
        arguments: [
            ("1", "1.0"), ("1", "1e0"), ("100", "1E+2"), ("0", "-0.0e5"), ("0.1", "100e-3"), ("-1.50", "-15e-1"),
            ("12345678901234567890123", "12345678901234567890.123e3"),
            (#""\u0041""#, #""A""#), (#"{"a":1,"b":2}"#, #"{"b":2.0,"\u0061":1}"#),
            ("[1,[2,{}]]", " [ 1 , [ 2 , { } ] ] "), (#"{"a":1,"a":2}"#, #"{"a":1}"#),
            (#""é""#, #""\u00E9""#), ("1e999999999999", "10e999999999998"),
        ]
    )
    func equal(left: String, right: String) throws {
        let left = try Json(parsing: left)
        let right = try Json(parsing: right)
        #expect(left == right)
        #expect(right == left)
        #expect(left.hashValue == right.hashValue)
        #expect([left: 1][right] == 1)
    }

    @Test(
        "texts that mean something else are not equal",
        arguments: [
            ("1", "2"), ("1", "-1"), ("1", #""1""#), ("0.1", "0.1000000000000000055511151231257827"),
            ("9007199254740993", "9007199254740992"), ("1e400", "1e401"), ("null", "false"),
            ("[]", "{}"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), (#"{"a":1}"#, #"{"a":1,"b":2}"#),
            (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":2}"#), (#""a""#, #""A""#), (#""e\u0301""#, #""\u00E9""#),
        ]
    )
    func unequal(left: String, right: String) throws {
        #expect(try Json(parsing: left) != Json(parsing: right))
        #expect(try Json(parsing: right) != Json(parsing: left))
    }

    @Test(
        "a literal equals its text",
        arguments: [
            (nil, "null"), (true, "true"), (1, "1"), (-1.5, "-1.5"), ("a\n", #""a\n""#), ([1, [2], [:]], "[1,[2],{}]"),
            (["b": 1, "a": nil], #"{"b":1,"a":null}"#), ([:], "{}"), ([], "[]"),
            (["a": 1, "b": 2, "a": 3], #"{"a":3,"b":2}"#),
        ] as [(Json, String)]
    )
    func literals(json: Json, text: String) throws {
        #expect(json.description == text)
        #expect(json == (try Json(parsing: text)))
        #expect(json.hashValue == (try Json(parsing: text)).hashValue)
    }

    @Test(
        "an accessor answers for its own kind only",
        arguments: [
            ("null", Json.Kind.null), ("true", .bool), ("1", .number), (#""1""#, .string), ("[1]", .array),
            (#"{"1":1}"#, .object),
        ]
    )
    func kinds(text: String, kind: Json.Kind) throws {
        let received = try Json(parsing: text)
        for json in [
            received, Json(.written(WrittenJson(received.serialized()))), try Json(parsing: "[\(text)]")[0] ?? 0,
        ] {
            #expect(json.kind == kind)
            #expect(json.isNull == (kind == .null))
            #expect((json.bool != nil) == (kind == .bool))
            #expect((json.int != nil) == (kind == .number))
            #expect((json.double != nil) == (kind == .number))
            #expect((json.decimal != nil) == (kind == .number))
            #expect((json.numberText != nil) == (kind == .number))
            #expect((json.string != nil) == (kind == .string))
            #expect((json.array != nil) == (kind == .array))
            #expect(json.count == (kind == .array || kind == .object ? 1 : 0))
            #expect(json.elements.count == (kind == .array ? 1 : 0))
            #expect(json.members.count == (kind == .object ? 1 : 0))
            #expect((json["1"] != nil) == (kind == .object))
            #expect((json[0] != nil) == (kind == .array))
        }
    }

    @Test("elements and members are collections")
    func collections() throws {
        for json in [try Json(parsing: #"{"a":[1,[2,3],4],"b":{}}"#), ["a": [1, [2, 3], 4], "b": [:]]] as [Json] {
            let elements = try #require(json["a"]?.elements)
            #expect(Array(elements) == [1, [2, 3], 4])
            #expect(elements.first == 1)
            #expect(elements.dropFirst(2).first == 4)
            #expect(elements[elements.index(elements.startIndex, offsetBy: 1)] == [2, 3])
            #expect(elements.firstIndex(of: 4) == elements.index(elements.startIndex, offsetBy: 2))
            #expect(json.members.map(\.key) == ["a", "b"])
            #expect(json.members.map(\.value.count) == [3, 0])
            #expect(Json.Elements.none.isEmpty)
        }
    }

    @Test(
        "a path as people write it",
        arguments: [
            ("$", "$"), ("", "$"), ("a", "$.a"), ("$.a.b[0]", "$.a.b[0]"), ("[0][12]", "$[0][12]"),
            (#"["odd key"].x"#, #"$["odd key"].x"#), (#"a["q\"\\"]"#, #"$.a["q\"\\"]"#), (".a", "$.a"),
            (#"["a"]"#, "$.a"), ("ключ", "$.ключ"), (#"[""]"#, #"$[""]"#), ("a b", #"$["a b"]"#),
            ("$ref", #"$["$ref"]"#), ("$$", #"$["$$"]"#),
        ]
    )
    func paths(text: String, description: String) throws {
        let path = try #require(JsonPath(text))
        #expect(path.description == description)
        #expect(JsonPath(description) == path)
    }

    @Test(
        "what is no path is none",
        arguments: [
            ".", "a.", "a..b", "[", "[]", "[a]", "[-1]", "[0", #"["a"#, #"["a""#, #"["a"x"#, "a]",
            "[99999999999999999999]", #"["\n"]"#, "[0]a",
        ]
    )
    func noPaths(text: String) {
        #expect(JsonPath(text) == nil)
        #expect(Json.null.path(text) == nil)
    }

    @Test("a path leads to its value or nowhere")
    func followingPaths() throws {
        let json = try Json(parsing: #"{"checks":[{"name":"db","odd key":1}],"":{"":2}}"#)
        #expect(json.path("checks[0].name")?.string == "db")
        #expect(json.path(#"$.checks[0]["odd key"]"#)?.int == 1)
        #expect(json.path(#"[""][""]"#)?.int == 2)
        #expect(json.path("$") == json)
        #expect(json.path("checks[1]") == nil)
        #expect(json.path("checks.name") == nil)
        #expect(json.path("checks[0].name.x") == nil)
    }
}
