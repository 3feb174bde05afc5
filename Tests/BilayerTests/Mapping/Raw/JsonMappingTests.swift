import Foundation
import Testing

@testable import Bilayer

@Suite("Json: reading fields by hand")
struct JsonMappingTests {
    struct Point: RawDecodable, Equatable {
        let x: Double
        let y: Int
        let label: String?
        let tags: [String]

        static func from(raw: Json) throws -> Point {
            try Point(
                x: raw.decode("x"),
                y: raw.decode("y"),
                label: raw.decodeIfPresent("label"),
                tags: raw.decode("tags")
            )
        }
    }

    static let text = #"{"x": 1.5, "y": 2, "label": null, "tags": ["a", "b"], "\u006eame": "escaped"}"#

    /// One value as received, as written by the library, and as made in code.
    static func forms(_ text: String) throws -> [Json] {
        let received = try Json(parsing: text)
        return [
            received, Json(.written(WrittenJson(received.serialized()))),
            received.kind == .object ? Json(members: received.members) : Json(received.elements),
        ]
    }

    @Test("all members are read, whatever the value is held in", arguments: try forms(text))
    func reads(json: Json) throws {
        #expect(try Point.from(raw: json) == Point(x: 1.5, y: 2, label: nil, tags: ["a", "b"]))
        #expect(try json.decode("name") == "escaped")
        #expect(try json.decodeIfPresent("missing") as Int? == nil)
        #expect(try json["tags"]?.decode(at: 1) == "b")
    }

    @Test(
        "an error says kind, path, expected and found",
        arguments: [
            (#"{"y": 2, "tags": []}"#, "$.x", "missing", "expected Double"),
            (#"{"x": null, "y": 2, "tags": []}"#, "$.x", "null", "expected Double, found null"),
            (
                #"{"x": "abcde", "y": 2, "tags": []}"#, "$.x", "wrong type",
                "expected Double, found string (5 characters)"
            ),
            (#"{"x": 1, "y": 2.5, "tags": []}"#, "$.y", "out of range", "expected Int, found number"),
            (#"{"x": 1, "y": 9223372036854775808, "tags": []}"#, "$.y", "out of range", "expected Int, found number"),
            (
                #"{"x": 1, "y": 2, "tags": ["a", {"b": 1}]}"#, "$.tags[1]", "wrong type",
                "expected String, found object (1 member)"
            ),
            (#"{"x": 1, "y": 2, "label": true, "tags": []}"#, "$.label", "wrong type", "expected String, found bool"),
            (
                #"{"x": 1, "y": 2, "tags": {}}"#, "$.tags", "wrong type",
                "expected Array<String>, found object (0 members)"
            ),
            (#"[1, 2]"#, "$", "wrong type", "expected an object, found array (2 elements)"),
            ("null", "$", "null", "expected an object, found null"),
        ]
    )
    func errors(text: String, path: String, kind: String, message: String) throws {
        for json in text == "null" ? [.null] : try Self.forms(text) {
            let error = try #require(throws: MappingError.self) { try Point.from(raw: json) }
            #expect(error.path.description == path)
            #expect(error.issues.first?.kind.rawValue == kind)
            #expect(error.issues.first?.message.hasSuffix(message) == true, "\(error)")
        }
    }

    @Test("an element that is not there is missing")
    func missingElement() throws {
        let error = try #require(throws: MappingError.self) { try Json(parsing: "[1]").decode(at: 1) as Int }
        #expect(error.path.description == "$[1]")
        #expect(error.issues.first?.kind == .missing)
    }

    @Test("enums with raw values are read by hand as by Codable")
    func enums() throws {
        enum Plain: String, RawDecodable { case a }
        enum Coded: Int, Codable, RawDecodable { case one = 1 }
        #expect(try Plain.from(raw: "a") == .a)
        #expect(try Coded.from(raw: 1) == .one)
        let error = try #require(throws: MappingError.self) { try (["x": "b"] as Json).decode("x") as Plain }
        #expect(error.issues.first?.kind == .invalidValue)
        #expect(throws: MappingError.self) { try Coded.from(raw: 2) }
    }
}
