import Bilayer
import Foundation
import Testing

@Suite("Formats by hand")
struct JsonFormatsTests {
    let raw: Json = [
        "start": "2026-11-21T09:41:00Z", "bad": "today", "none": .null, "list": ["2026-11-21"],
        "inner": ["day": "21.11.2026"],
    ]
    let date = Date(timeIntervalSince1970: 1_795_254_060)

    @Test("members and elements")
    func reads() throws {
        #expect(try raw.decode("start", as: .rfc3339) == date)
        #expect(try raw.decodeIfPresent("start", as: .rfc3339) == date)
        #expect(try raw.decodeIfPresent("none", as: .rfc3339) == nil)
        #expect(try raw.decodeIfPresent("absent", as: .rfc3339) == nil)
        #expect(try raw["start"]?.decode(as: .rfc3339) == date)
        #expect(try raw.decode("none", as: .optional(.rfc3339)) == nil)
        #expect(try raw["list"]?.decode(at: 0, as: .dateOnly) == Date(rfc3339: "2026-11-21T00:00:00Z"))
        #expect(try raw.decode("list", as: .array(of: .dateOnly)).count == 1)
    }

    @Test("errors say what was expected, found, and where")
    func errors() {
        #expect(
            failure { try raw.decode("bad", as: .rfc3339) }
                == "$.bad: invalid value: expected an RFC 3339 date, found string (5 characters)"
        )
        #expect(failure { try raw.decode("absent", as: .rfc3339) } == "$.absent: missing: expected an RFC 3339 date")
        #expect(
            failure { try raw.decode("none", as: .rfc3339) } == "$.none: null: expected an RFC 3339 date, found null"
        )
        #expect(failure { try raw.decodeIfPresent("bad", as: .rfc3339) }.hasPrefix("$.bad: invalid value"))
        #expect(
            failure { try Json("text").decode("key", as: .rfc3339) }
                == "$: wrong type: expected an object, found string (4 characters)"
        )
        let list: Json = ["2026-11-21"]
        #expect(failure { try list.decode(at: 1, as: .dateOnly) }.hasPrefix("$[1]: missing"))
    }

    @Test("an error about a scalar in quotes describes the string")
    func quotedScalars() throws {
        func issue(_ text: String, _ format: ValueFormat<Int>) -> MappingIssue? {
            let raw: Json = ["max_age": Json(text)]
            return mapping { try raw.decode("max_age", as: format) }.issues.first
        }
        for (text, kind) in [("1.5", MappingIssue.Kind.outOfRange), ("true", .wrongType), ("12a", .invalidValue)] {
            let issue = try #require(issue(text, .quoted))
            #expect(issue.kind == kind && issue.expected == "Int in quotes", "\(text)")
            #expect(issue.found?.description == "string (\(text.count) characters)", "\(text)")
        }
        let coerced = try #require(
            issue(
                "12",
                .quoted(
                    .firstOf(
                        ValueFormat("seconds") { _ in
                            nil
                        } write: { _ in
                            nil
                        },
                        .plain
                    )
                )
            )
        )
        #expect(coerced.kind == .coerced && coerced.found?.type == "string")
        let lenient = try #require(issue("1.5", .lenient))
        #expect(lenient.expected == "Int or Int in quotes" && lenient.found?.type == "string")
    }

    struct Event: DTODecodable {
        let start: Date
        let end: Date?

        static func from(dto: [String: String]) throws -> Event {
            try Event(
                start: dto["start"].parsed(as: .rfc3339, "start"),
                end: dto["end"]?.parsed(as: .firstOf(.rfc3339, .dateOnly), "end")
            )
        }
    }

    @Test("fields of a DTO, with the place of the rule")
    func parsed() throws {
        let event = try [Event].from(dto: [["start": "2026-11-21T09:41:00Z"]])
        #expect(event.first?.start == date)
        let (_, issues) = try reported {
            try [Event].from(dto: [["start": "2026-11-21T09:41:00Z", "end": "2026-11-22"]])
        }
        #expect(
            issues == [
                "$[0].end: coerced: expected an RFC 3339 date, found string (10 characters); "
                    + "read as a date like 2026-11-21 in Dictionary<String, String> -> JsonFormatsTests.Event"
            ]
        )
        let missing = failure { try [Event].from(dto: [[:]]) }
        #expect(missing.hasPrefix("$[0].start: missing: expected String, required by"))
        let wrong = failure { try [Event].from(dto: [["start": "soon"]]) }
        #expect(wrong.hasPrefix("$[0].start: invalid value: expected an RFC 3339 date, found string (4 characters)"))
        #expect(wrong.contains("JsonFormatsTests.swift:"))
        #expect(wrong.hasSuffix("from(dto:)"))
    }

    @Test("an element that fails behind a format has its path")
    func nested() {
        #expect(
            failure { try raw.decode("inner", as: .members(of: .dateOnly)) }
                == "$.inner.*: invalid value: expected a date like 2026-11-21, found string (10 characters)"
        )
    }

    @Test("a format of one's own")
    func custom() throws {
        let format = ValueFormat<ClosedRange<Int>>(text: "a range of pages") { text in
            let ends = text.split(separator: "-").compactMap { Int($0) }
            return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
        } write: {
            "\($0.lowerBound)-\($0.upperBound)"
        }
        #expect(try format.read("2-5") == 2...5)
        #expect(try format.write(2...5, as: String.self) == "2-5")
        #expect(
            failure { try format.read("5-2") }
                == "$: invalid value: expected a range of pages, found string (3 characters)"
        )
    }
}
