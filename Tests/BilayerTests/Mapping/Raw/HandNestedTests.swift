import Foundation
import Testing

@testable import Bilayer

/// Values that code has nested 100,000 levels deep, objects in arrays in objects. The library takes no stack for each
/// level: the tests run on a thread with 512 KB. Other coders need more, and get it in the last test.
@Suite("Json nested by hand")
struct HandNestedTests {
    private static let depth = 100_000

    private static func nested(_ inner: Json, levels: Int = depth) -> Json {
        var json = inner
        for _ in 0..<levels / 2 {
            json = [json]
            json = ["child": json]
        }
        return json
    }

    private static func nestedObjects(_ inner: Json) -> Json {
        var json = inner
        for _ in 0..<depth { json = ["child": json] }
        return json
    }

    /// Whether a closure throws an error of a type. `#expect(throws:)` would print the value that the error holds.
    private static func fails<Failure: Error>(with type: Failure.Type, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return error is Failure
        }
    }

    @Test("is made, described, and let go")
    func textAndEnd() throws {
        try onStack(ofBytes: SmallStackTrait.stackBytes) {
            var json = Self.nested("inner")
            let start = String(repeating: #"{"child":["#, count: Self.depth / 2)
            #expect(json.description == start + #""inner""# + String(repeating: "]}", count: Self.depth / 2))
            // Two lines a level, each indented by 64 blanks at most.
            #expect(json.debugDescription.utf8.count < 15_000_000)
            json = .null
        }
    }

    @Test("is compared and hashed")
    func comparing() throws {
        try onStack(ofBytes: SmallStackTrait.stackBytes) {
            let (json, same, other) = (Self.nested("inner"), Self.nested("inner"), Self.nested("other"))
            #expect(json == same)
            #expect(json != other)
            #expect(json.hashValue == same.hashValue)
        }
    }

    @Test("is read, set and removed at its end")
    func editing() throws {
        try onStack(ofBytes: SmallStackTrait.stackBytes) {
            let steps: [JsonPath.Component] = [.key("child"), .index(0)]
            let path = JsonPath((0..<Self.depth).map { steps[$0 % 2] })
            var json = Self.nested("inner")
            let isSet = json.set("other", at: path)
            #expect(isSet)
            let removed = json.remove(at: path)
            #expect(removed == "other")
            #expect(json.value(at: path) == nil)
        }
    }

    @Test("is merged with another one")
    func merging() throws {
        try onStack(ofBytes: SmallStackTrait.stackBytes) {
            var json = Self.nestedObjects(["kept": 1, "gone": 2])
            json.merge(Self.nestedObjects(["gone": nil, "new": 3]))
            #expect(json.description.hasSuffix(#"{"kept":1,"new":3}"# + String(repeating: "}", count: Self.depth)))
        }
    }

    @Test("is encoded as a text up to the encoder's limit, and refused by coders that need stack for each level")
    func encoding() throws {
        try onStack(ofBytes: SmallStackTrait.stackBytes) {
            let json = Self.nested("inner")
            #expect(Self.fails(with: EncodingError.self) { _ = try JsonEncoder().encode(json) })
            var encoder = JsonEncoder()
            encoder.maximumDepth = .max
            let text = try encoder.encode(json)
            #expect(text == json.serialized())
            #expect(try Json(encoding: ["value": json], using: encoder).description.utf8.count == text.count + 10)
            #expect(Self.fails(with: DecodingError.self) { _ = try JsonDecoder().decode(Json.self, from: text) })
            #expect(Self.fails(with: EncodingError.self) { _ = try JSONEncoder().encode(json) })
            #expect(Self.fails(with: EncodingError.self) { _ = try PropertyListEncoder().encode(json) })
        }
    }

    @Test("other coders write and read 500 levels where the stack has room, and fail where it has none")
    func otherCoders() throws {
        let json = Self.nested("inner", levels: 500)
        try onStack(ofBytes: SmallStackTrait.stackBytes) {
            #expect(Self.fails(with: EncodingError.self) { _ = try JSONEncoder().encode(json) })
            let data = json.serialized()
            #expect(Self.fails(with: DecodingError.self) { _ = try JSONDecoder().decode(Json.self, from: data) })
        }
        try onStack(ofBytes: 16 * 1024 * 1024) {
            let text = try JSONEncoder().encode(json)
            #expect(text == json.serialized())
            let back = try JSONDecoder().decode(Json.self, from: text)
            #expect(back == json)
        }
    }
}
