import Bilayer
import Foundation
import Testing

@Suite("Values deep inside")
struct JsonPathsTests {
    let raw: Json = [
        "meta": ["page": ["next": "abc", "size": 20, "last": .null], "at": "2026-11-21"],
        "items": [["unit.price": 7], ["unit.price": "x"]],
        "text": "value", "nothing": .null,
    ]

    @Test("follows keys, indices and keys with dots")
    func follows() throws {
        #expect(try raw.decode(path: "meta.page.next") == "abc")
        #expect(try raw.decode(path: "$.meta.page.size") == 20)
        #expect(try raw.decode(path: #"items[0]["unit.price"]"#) == 7)
        #expect(try raw.decode(path: "meta.at", as: .dateOnly) == Date(rfc3339: "2026-11-21T00:00:00Z"))
        #expect(try raw.decodeIfPresent(path: "meta.at", as: .dateOnly) == Date(rfc3339: "2026-11-21T00:00:00Z"))
    }

    @Test("what is not there is nil, or an error that says where the way ended")
    func missing() throws {
        for path in [
            "meta.page.previous", "meta.pages.next", "nothing.page", "meta.page.last", "items[2]", "items[2].a",
        ] {
            let value: String? = try raw.decodeIfPresent(path: path)
            #expect(value == nil, "\(path)")
        }
        let missing = failure { try raw.decode(path: "meta.pages.next") as String }
        #expect(missing == "$.meta.pages: missing: expected an object")
        #expect(failure { try raw.decode(path: "items[2].sku") as String } == "$.items[2]: missing: expected an object")
        #expect(
            failure { try raw.decode(path: "nothing.page") as String }
                == "$.nothing: null: expected an object or an array, found null"
        )
    }

    @Test(
        "a step into something without parts is an error, also where nil would do",
        arguments: [
            ("text.b", "$.text: wrong type: expected an object, found string (5 characters)"),
            ("text[0]", "$.text: wrong type: expected an array, found string (5 characters)"),
            ("meta.page.size.b", "$.meta.page.size: wrong type: expected an object, found number"),
            ("items.first", "$.items: wrong type: expected an object, found array (2 elements)"),
            ("meta[0]", "$.meta: wrong type: expected an array, found object (2 members)"),
        ]
    )
    func noParts(path: String, message: String) {
        #expect(failure { try raw.decode(path: path) as String } == message)
        #expect(failure { try raw.decodeIfPresent(path: path) as String? } == message)
    }

    @Test("errors and reports out of the value have the whole path")
    func located() throws {
        #expect(
            failure { try raw.decode(path: #"items[1]["unit.price"]"#) as Int }
                == #"$.items[1]["unit.price"]: wrong type: expected Int, found string (1 character)"#
        )
        let (_, issues) = try reported { try raw.decode(path: "meta.at", as: .firstOf(.rfc3339, .dateOnly)) }
        #expect(issues.first?.hasPrefix("$.meta.at: coerced") == true)
    }

    @Test("a text that is no path is said to be none")
    func noPath() {
        #expect(failure { try raw.decode(path: "meta..page") as String }.contains("in the code is no path"))
    }
}
