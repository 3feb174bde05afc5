import Bilayer
import Foundation
import Testing

@Suite("RFC 3339 as a format")
struct RFC3339FormatTests {
    @Test(
        "reads every form that the RFC allows",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-21T09:41:00Z", 1_795_254_060),
            ("2026-11-21t09:41:00z", 1_795_254_060),
            ("2026-11-21T10:41:00+01:00", 1_795_254_060),
            ("2026-11-21T04:11:00-05:30", 1_795_254_060),
            ("2026-11-21T09:41:00.5Z", 1_795_254_060.5),
            ("2026-11-21T09:41:00.250000000000000000000000Z", 1_795_254_060.25),
            ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("2000-02-29T00:00:00Z", 951_782_400),
        ]
    )
    func reads(text: String, seconds: Double) throws {
        #expect(try ValueFormat.rfc3339.read(Json(text)) == Date(timeIntervalSince1970: seconds))
        #expect(Date(rfc3339: text) == Date(timeIntervalSince1970: seconds))
    }

    @Test("writes as many digits as asked for", arguments: 0...9)
    func writesDigits(count: Int) throws {
        let digits = "250000000".prefix(count)
        let text = "1970-01-01T00:00:00" + (count == 0 ? "" : ".\(digits)") + "Z"
        // With one digit, a quarter of a second is rounded away from zero.
        let expected = count == 1 ? "1970-01-01T00:00:00.3Z" : text
        #expect(Date(timeIntervalSince1970: 0.25).rfc3339(fractionDigits: count) == expected)
        #expect(
            try ValueFormat.rfc3339(fractionDigits: count).write(Date(timeIntervalSince1970: 0.25)) == Json(expected)
        )
        let nearly = Date(timeIntervalSince1970: 1 - 0x1p-20)
        #expect(nearly.rfc3339(fractionDigits: 2) == "1970-01-01T00:00:00.99Z")
    }

    @Test(
        "refuses everything else, and never makes a date of it",
        arguments: [
            "", "0", "abc", "1795254060", "2026-11-21", "2026-11-21T09:41Z", "2026-11-21T09:41:00",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T09:41:60Z", "2026-11-21T09:41:00.Z",
            "2026-11-21T09:41:00+0100", "2026-11-21T09:41:00ZZ", " 2026-11-21T09:41:00Z", "2026-11-21 09:41:00Z",
            "２０２６-11-21T09:41:00Z",
        ]
    )
    func refuses(text: String) {
        let expected =
            "$: invalid value: expected an RFC 3339 date, found string (\(text.count) character\(text.count == 1 ? "" : "s"))"
        #expect(failure { try ValueFormat.rfc3339.read(Json(text)) } == expected)
    }

    @Test("a blank in place of the T is accepted on request, in received and in escaped texts")
    func blank() throws {
        let raw = try Json(parsing: #"{"a": "2026-11-21 09:41:00Z", "b": "2026-11-21\u002009:41:00Z"}"#)
        for key in ["a", "b"] {
            #expect(throws: MappingError.self) { try raw.decode(key, as: .rfc3339) }
            let date = try raw.decode(key, as: .rfc3339(acceptingSpace: true))
            #expect(date == Date(timeIntervalSince1970: 1_795_254_060))
        }
    }

    @Test("other JSON types are named in the error, nulls too")
    func wrongTypes() {
        #expect(failure { try ValueFormat.rfc3339.read(7) } == "$: wrong type: expected an RFC 3339 date, found number")
        #expect(failure { try ValueFormat.rfc3339.read(.null) } == "$: null: expected an RFC 3339 date, found null")
    }

    @Test(
        "writes the fewest digits that keep the date",
        arguments: [
            "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.500Z", "1969-12-31T23:59:59.750Z", "2026-11-21T09:41:00.001Z",
            "2026-11-21T09:41:00.000125Z", "2001-01-01T00:00:00.000000001Z", "9999-12-31T23:59:59Z",
        ]
    )
    func writes(text: String) throws {
        let date = try #require(Date(rfc3339: text))
        #expect(try ValueFormat.rfc3339.write(date) == Json(text))
    }

    @Test("writes a number of digits on request, and no date out of the RFC's years")
    func writesOnRequest() {
        let date = Date(timeIntervalSince1970: 0.5)
        #expect(date.rfc3339(fractionDigits: 0) == "1970-01-01T00:00:00Z")
        #expect(date.rfc3339(fractionDigits: 3) == "1970-01-01T00:00:00.500Z")
        #expect(Date(timeIntervalSince1970: 1e15).rfc3339() == nil)
        #expect(Date(timeIntervalSince1970: .nan).rfc3339() == nil)
        #expect(throws: MappingError.self) { try ValueFormat.rfc3339.write(.distantFuture.addingTimeInterval(1e13)) }
    }

    @Test("what is written reads back as the same date")
    func roundTrips() throws {
        for seed in 0..<20 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            for _ in 0..<200 {
                let seconds = Double(Int64.random(in: -62_000_000_000...253_000_000_000, using: &random))
                let date = Date(
                    timeIntervalSince1970: seconds + Double(Int.random(in: 0..<1000, using: &random)) / 1000
                )
                let raw = try ValueFormat.rfc3339.write(date)
                let read = try ValueFormat.rfc3339.read(raw)
                #expect(abs(read.timeIntervalSince(date)) < 1e-9, "seed \(seed): \(raw)")
            }
        }
    }

    @Test("agrees with Foundation where Foundation reads a date")
    func agreesWithFoundation() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for seed in 0..<5 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            for _ in 0..<100 {
                let milliseconds = Int64.random(in: -2_000_000_000_000...4_000_000_000_000, using: &random)
                let text = Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(style)
                let date = try #require(Date(rfc3339: text), "seed \(seed): \(text)")
                #expect(abs(date.timeIntervalSince(try style.parse(text))) < 1e-6, "seed \(seed): \(text)")
            }
        }
    }
}
