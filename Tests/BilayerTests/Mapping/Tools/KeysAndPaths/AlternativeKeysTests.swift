import Bilayer
import Foundation
import Testing

@Suite("Alternative keys")
struct AlternativeKeysTests {
    @Test(
        "the first key that is there counts, with a value if possible",
        arguments: [
            (["userName": "a"], "a"), (["user_name": "b"], "b"), (["user_name": "a", "userName": "a"], "a"),
            (["userName": .null, "user_name": "b"], "b"), (["name": "c"], "c"),
        ] as [(Json, String)]
    )
    func first(raw: Json, name: String) throws {
        let (read, issues) = try reported { try raw.decode(anyOf: "userName", "user_name", "name") as String }
        #expect(read == name)
        #expect(issues.isEmpty)
    }

    @Test("different values are reported, and refused by a strict policy")
    func clash() throws {
        let raw: Json = ["users": [["user_name": "b", "userName": "a"]]]
        struct Entry: RawDecodable {
            let name: String
            static func from(raw: Json) throws -> Entry { try Entry(name: raw.decode(anyOf: "userName", "user_name")) }
        }
        let (read, issues) = try reported { try [String: [Entry]].from(raw: raw) }
        #expect(read["users"]?.first?.name == "a")
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("$.*[0].user_name: key clash") == true)
        #expect(issues.first?.contains("differs from \"userName\"; \"userName\" was read") == true)
        #expect(failure(.strict) { try [String: [Entry]].from(raw: raw) }.hasPrefix("$.*[0].user_name: key clash"))
    }

    @Test("nothing there, null, and wrong types")
    func nothing() throws {
        let optional: String? = try (["a": .null] as Json).decodeIfPresent(anyOf: "a", "b")
        #expect(optional == nil)
        #expect(
            failure { try (["c": 1] as Json).decode(anyOf: "a", "b") as String }
                == "$.a: missing: expected String; nor is there \"b\""
        )
        #expect(failure { try (["b": 1] as Json).decode(anyOf: "a", "b") as String }.hasPrefix("$.b: wrong type"))
        #expect(
            try (["at": "2026-11-21"] as Json).decode(anyOf: "day", "at", as: .dateOnly)
                == Date(rfc3339: "2026-11-21T00:00:00Z")
        )
        #expect(try ([:] as Json).decodeIfPresent(anyOf: "day", "at", as: .dateOnly) == nil)
    }
}
