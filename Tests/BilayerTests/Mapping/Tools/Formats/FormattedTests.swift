import Bilayer
import Foundation
import Testing

@Suite("Formatted")
struct FormattedTests {
    enum ShopDate: NamedFormat {
        static let format = ValueFormat.firstOf(.rfc3339, .dateOnly, .unixSeconds)
    }

    struct EventEntry: Codable, RawMappable, Equatable {
        @Formatted<RFC3339> var start: Date
        @Formatted<RFC3339?> var end: Date?
        @Formatted<[DateOnly]> var holidays: [Date]
        @Formatted<[String: UnixSeconds]> var marks: [String: Date]
        @Formatted<Quoted<Decimal>> var price: Decimal
    }

    struct ListEntry: Codable, RawMappable { let events: [EventEntry] }

    static let text =
        #"{"start":"2026-11-21T09:41:00Z","end":"2026-11-21T10:00:00.500Z","holidays":["2026-12-25","2026-12-26"],"#
        + #""marks":{"a b":7},"price":"9.90"}"#

    static let shortText =
        #"{"start":"2026-11-21T09:41:00Z","holidays":[],"marks":{},"price":"0.1"}"#

    @Test("reads and writes the same with our coders and Foundation's", arguments: [text, shortText])
    func bothCoders(text: String) throws {
        let raw = try Json(parsing: text)
        let entry = try EventEntry.from(raw: raw)
        #expect(try JSONDecoder().decode(EventEntry.self, from: Data(text.utf8)) == entry)
        let written = try Json(parsing: JSONEncoder().encode(entry))
        #expect(try entry.toRaw() == written)
        #expect(try EventEntry.from(raw: written) == entry)
        #expect(written["start"] == raw["start"])
        #expect(written["holidays"] == raw["holidays"])
        #expect(written["price"]?.string == "\(entry.price)")
    }

    @Test("each format of one type has its name")
    func namesOfFormats() throws {
        struct AssetEntry: Codable, RawMappable {
            @Formatted<Base64> var bytes: Data
            @Formatted<Base64URL> var token: Data
            @Formatted<AbsoluteURL> var page: URL
            @Formatted<URLReference> var image: URL
            @Formatted<UnixSeconds> var made: Date
            @Formatted<UnixMilliseconds> var seen: Date
        }
        let raw = try Json(
            parsing: #"{"bytes":"+/8=","token":"-_8","page":"https://example.com/a","image":"/images/7.png","#
                + #""made":1767261600,"seen":1767261600250}"#
        )
        let entry = try AssetEntry.from(raw: raw)
        #expect(entry.bytes == Data([0xFB, 0xFF]))
        #expect(entry.token == entry.bytes)
        #expect(entry.page.host() == "example.com")
        #expect(entry.image.relativeString == "/images/7.png")
        #expect(entry.seen.timeIntervalSince(entry.made) == 0.25)
        #expect(try entry.toRaw() == raw)
    }

    @Test("a missing or null optional is nil, and nil is left out")
    func missingOptional() throws {
        let raw = try Json(parsing: Self.shortText)
        #expect(try EventEntry.from(raw: raw).end == nil)
        var withNull = raw
        withNull["end"] = .null
        let entry = try EventEntry.from(raw: withNull)
        #expect(entry.end == nil)
        #expect(try entry.toRaw()["end"] == nil)
    }

    @Test(
        "errors have the whole path, with both decoders",
        arguments: [
            (
                "start", "\"today\"",
                "$.events[0].start: invalid value: expected an RFC 3339 date, found string (5 characters)"
            ),
            ("end", "3", "$.events[0].end: wrong type: expected an RFC 3339 date, found number"),
            (
                "holidays", "[\"2026-12-25\",\"-\"]",
                "$.events[0].holidays[1]: invalid value: expected a date like 2026-11-21"
            ),
            (
                "marks", "{\"a b\":\"x\"}",
                "$.events[0].marks.*: wrong type: expected a number of seconds since 1970"
            ),
            ("price", "9.90", "$.events[0].price: wrong type: expected Decimal in quotes, found number"),
        ]
    )
    func paths(key: String, value: String, message: String) throws {
        var event = try Json(parsing: Self.text)
        event[key] = try Json(parsing: value)
        let raw: Json = ["events": [event]]
        #expect(failure { try ListEntry.from(raw: raw) }.hasPrefix(message))
        #expect(failure { try JSONDecoder().decode(ListEntry.self, from: raw.serialized()) }.hasPrefix(message))
    }

    @Test("what is tolerated has the whole path, too, with both decoders")
    func toleratedPaths() throws {
        struct OrderEntry: Codable, RawMappable { @Formatted<ShopDate> var created: Date }
        let raw: Json = ["orders": [["created": "2026-11-21"], ["created": 7], ["created": "1970-01-01T00:00:07Z"]]]
        let reports = [
            "$.*[0].created: coerced: expected an RFC 3339 date, found string (10 characters); "
                + "read as a date like 2026-11-21",
            "$.*[1].created: coerced: expected an RFC 3339 date, found number; "
                + "read as a number of seconds since 1970",
        ]
        let ours = try reported { try [String: [OrderEntry]].from(raw: raw) }
        #expect(ours.issues.map { $0.replacing(" in FormattedTests.OrderEntry", with: "") } == reports)
        let theirs = try reported {
            try JSONDecoder().decode([String: [OrderEntry]].self, from: raw.serialized())
        }
        #expect(theirs.issues == reports)
        #expect(ours.value["orders"]?.last?.created == Date(timeIntervalSince1970: 7))
        #expect(
            failure(.strict) { try [String: [OrderEntry]].from(raw: raw) }.hasPrefix("$.*[0].created: coercion refused")
        )
    }

    @Test("a value that cannot be spelled is an error with a path")
    func unspellable() throws {
        struct DayEntry: Codable, RawMappable { @Formatted<DateOnly> var day: Date }
        let entry = [DayEntry(day: Date(timeIntervalSince1970: 1))]
        #expect(failure { try JSONEncoder().encode(entry) }.hasPrefix("$[0].day: invalid value: expected a date like"))
    }
}
