import Foundation
import Testing

@testable import Bilayer

@Suite("Json: what a newcomer tries first")
struct JsonTests {
    static let order =
        #"{"id":7,"items":[{"sku":"A-1","price":9.90},{"sku":"é\n\u00e9","price":1e2}],"open":true,"note":null,"tags":[],"odd key":{}}"#

    @Test("a text is read and written back as it came")
    func readAndWrite() throws {
        let json = try Json(parsing: Self.order)
        #expect(json.description == Self.order)
        #expect(json.kind == .object)
        #expect(json.count == 6)
        #expect(json.keys == ["id", "items", "open", "note", "tags", "odd key"])
        #expect(json["id"]?.int == 7)
        #expect(json.path("items[0].price")?.decimal == Decimal(string: "9.9"))
        #expect(json.path("items[0].price")?.numberText == "9.90")
        #expect(json.path("$.items[1].price")?.int == 100)
        #expect(json.path("items[1].sku")?.string == "é\né")
        #expect(json.path(#"["odd key"]"#)?.kind == .object)
        #expect(json["open"]?.bool == true)
        #expect(json["note"]?.isNull == true)
        #expect(json["missing"] == nil)
        #expect(json["items"]?[2] == nil)
        #expect(json["items"]?[-1] == nil)
    }

    @Test("a pretty text and a text with blanks are the same value")
    func layout() throws {
        let json = try Json(parsing: Self.order)
        let pretty = json.serialized(.pretty)
        let again = try Json(parsing: pretty)
        #expect(again == json)
        #expect(again.hashValue == json.hashValue)
        #expect(again.description == Self.order)
        #expect(again.serialized(.pretty) == pretty)
        #expect(
            String(
                decoding: try Json(parsing: #"{"b":1,"a":{"d":[1],"c":{}}}"#).serialized([.pretty, .sortedKeys]),
                as: UTF8.self
            ) == """
                {
                  "a": {
                    "c": {},
                    "d": [
                      1
                    ]
                  },
                  "b": 1
                }
                """
        )
    }

    @Test("indentation grows for 32 levels: a pretty text stays in proportion to the compact one")
    func deepLayout() throws {
        let (levels, list) = (400, String(repeating: "1,", count: 999) + "1")
        let start = String(repeating: "[", count: levels) + list
        let json = try Json(parsing: start + String(repeating: "]", count: levels))
        let lines = json.serialized(.pretty).split(separator: Ascii.newline)
        #expect(lines.count == 2 * levels + 1000)
        #expect(lines.map { $0.prefix { $0 == Ascii.space }.count }.max() == 64)
        #expect(json.debugDescription.utf8.count < 70 * lines.count)
        #expect(try Json(parsing: Data(json.debugDescription.utf8)) == json)
    }

    @Test("literals and edits")
    func edits() throws {
        var json: Json = ["a": 1, "b": [true, nil, "x", 1.5]]
        #expect(json.description == #"{"a":1,"b":[true,null,"x",1.5]}"#)
        #expect(Json(["a": 1, "b": [true, nil, "x", 1.5]]) == json)
        #expect(Json([1, "x"]) == [1, "x"] && Json([:]) == [:] && Json([]) == [])
        json["a"] = nil
        json["c"] = 3
        json["b"] = "two"
        #expect(json.description == #"{"b":"two","c":3}"#)
        var order = try Json(parsing: Self.order)
        let before = order
        order.set("B-2", at: [.key("items"), .index(0), .key("sku")])
        #expect(order.path("items[0].sku")?.string == "B-2")
        #expect(before.path("items[0].sku")?.string == "A-1")
    }

    @Test(
        "a fault names its place",
        arguments: [
            (#"{"a": tru}"#, 6, 1, 7), ("[1,\n 2,\n]", 8, 3, 1), ("", 0, 1, 1), ("[1", 2, 1, 3), ("[1]]", 3, 1, 4),
        ]
    )
    func faults(text: String, offset: Int, line: Int, column: Int) throws {
        let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: text) }
        #expect(error.byteOffset == offset)
        #expect(error.line == line)
        #expect(error.column == column)
    }

    @Test("100,000 brackets are an error, not a crash")
    func depth() throws {
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: String(repeating: "[", count: 100_000)) }
        var json: Json = 1
        for _ in 0..<20_000 { json = [json] }
        #expect(json.count == 1)
    }
}
