import Foundation
import Testing

@testable import Bilayer

@Suite struct RFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, 0.0), ("1985-04-12T23:20:50.52Z", 482_196_050, 0.52),
        ("1996-12-19T16:39:57-08:00", 851_042_397, 0), ("1990-12-31T23:59:60Z", 662_688_000, 0),
        ("1990-12-31T15:59:60-08:00", 662_688_000, 0), ("1937-01-01T12:00:27.87+00:20", -1_041_337_173, 0.87),
        ("2000-02-29t00:00:00z", 951_782_400, 0), ("2026-11-21 09:41:00Z", 1_795_254_060, 0),
        ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
        ("9999-12-31T23:59:59.999999999999999999999Z", 253_402_300_799, 1.0.nextDown),
        ("2024-01-01T00:00:00.1234567890123456789012345Z", 1_704_067_200, 0.123456789012345678),
        ("2024-01-01T00:00:00-00:00", 1_704_067_200, 0), ("2024-01-01T23:59:59+23:59", 1_704_067_259, 0),
    ])
    func reads(_ text: String, _ seconds: Int64, _ fraction: Double) throws {
        let instant = try #require(RFC3339.parse(text))
        #expect(instant.seconds == seconds)
        #expect(abs(instant.fraction - fraction) < 1e-15)
    }

    @Test(arguments: [
        "", "x", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T00:00Z", "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T12:00:60Z",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00.1", "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+01:60",
        "2024-01-01T00:00:00ZZ", "2024-01-01T00:00:00Z ", " 2024-01-01T00:00:00Z", "24-01-01T00:00:00Z",
        "2024-1-1T00:00:00Z",
        "+2024-01-01T00:00:00Z", "2024-01-01T00:00:00,5Z", "2024-01-01X00:00:00Z", "2024/01/01T00:00:00Z",
        "２024-01-01T00:00:00Z",
        "2024-01-01T00:00:00+01", "2024-01-01T00:00:00+01:0", "-2024-01-01T00:00:00Z", "2024-01-01T0a:00:00Z",
    ])
    func refuses(_ text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test(
        "a leap second is the last of a month in UTC, as RFC 3339 §5.7 has it",
        arguments: [
            ("2015-06-30T23:59:60Z", true), ("2015-07-01T01:59:60+02:00", true), ("2024-02-29T23:59:60Z", true),
            ("1969-12-31T23:59:60Z", true), ("1966-11-30T23:59:60Z", true), ("2023-02-28T13:29:60-10:30", true),
            ("2015-06-29T23:59:60Z", false), ("2024-02-28T23:59:60Z", false), ("2015-06-30T23:59:60+01:00", false),
            ("2015-06-30T23:58:60Z", false), ("2015-06-30T22:59:60Z", false), ("1969-12-30T23:59:60Z", false),
            ("2015-06-30T23:59:61Z", false),
        ]
    )
    func leapSeconds(_ text: String, isOne: Bool) {
        let next = text.replacing(":60", with: ":59")
        #expect(RFC3339.parse(text)?.seconds == (isOne ? RFC3339.parse(next).map { $0.seconds + 1 } : nil))
    }

    @Test func everyDayGoesThereAndBack() throws {
        // From year 0 to year 9999, in steps of 37 days and 481 seconds, so that all times of day come up.
        for seconds in stride(from: -62_167_219_200, through: 253_402_300_799, by: 86_413 * 37) {
            let instant = RFC3339.Instant(seconds: Int64(seconds))
            let text = try #require(RFC3339.format(instant))
            #expect(RFC3339.parse(text) == instant, "\(text)")
        }
    }

    /// On a system where `Int` has 32 bits, a date from 2038 on would be wrong, or end the process, if its seconds were
    /// an `Int`.
    @Test func secondsAreCountedIn64Bits() {
        let days: (Int64, Int64, Int64) -> Int64 = GregorianCalendar.daysSince1970(year:month:day:)
        let date: (Int64) -> (year: Int64, month: Int64, day: Int64) = GregorianCalendar.date(daysSince1970:)
        let scaled: (Double, Int) -> Int64 = RFC3339.scaled(_:digits:)
        #expect(days(2038, 1, 20) * 86_400 > Int64(Int32.max))
        #expect(date(days(9999, 12, 31)) == (9999, 12, 31))
        #expect(scaled(0.999_999_999, 9) == 999_999_999)
        let late = RFC3339.Instant(seconds: Int64(Int32.max) + 1)
        #expect(RFC3339.format(late) == "2038-01-19T03:14:08Z")
        #expect(RFC3339.parse("2038-01-19T03:14:08Z") == late)
    }

    @Test func agreesWithFoundation() throws {
        var random = SplitMix64(seed: 3339)
        let style = Date.ISO8601FormatStyle()
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -2_000_000_000...20_000_000_000, using: &random)
            let text = style.format(Date(timeIntervalSince1970: Double(seconds)))
            #expect(RFC3339.parse(text)?.seconds == seconds, "seed 3339, \(text)")
            #expect(RFC3339.format(.init(seconds: seconds)) == text, "seed 3339")
        }
    }

    @Test func fractionsAreWrittenInThrees() {
        #expect(RFC3339.format(.init(seconds: 0, fraction: 0.5), fractionDigits: 3) == "1970-01-01T00:00:00.500Z")
        #expect(
            RFC3339.format(.init(seconds: 0, fraction: 0.000_25), fractionDigits: 6) == "1970-01-01T00:00:00.000250Z"
        )
        #expect(
            RFC3339.format(.init(seconds: -1, fraction: 0.9999), fractionDigits: 9) == "1969-12-31T23:59:59.999900000Z"
        )
        #expect(RFC3339.format(.init(seconds: 253_402_300_800)) == nil)
        #expect(RFC3339.format(.init(seconds: -62_167_219_201)) == nil)
    }

    @Test func datesGoThereAndBack() throws {
        var random = SplitMix64(seed: 7)
        var encoder = JsonEncoder()
        encoder.dates = .rfc3339
        var decoder = JsonDecoder()
        decoder.dates = .rfc3339
        for _ in 0..<2000 {
            let milliseconds = Double(Int.random(in: 1_100_000_000_000...4_000_000_000_000, using: &random))
            // All dates are in 2004 or later: within weeks of 2001, a `Date` has more digits than the nine that are
            // written.
            let dates = [
                Date(timeIntervalSince1970: milliseconds / 1000),
                Date(timeIntervalSinceReferenceDate: 1e8 + milliseconds / 1e6),
            ]
            let text = try encoder.encode(dates)
            #expect(
                try decoder.decode([Date].self, from: text) == dates,
                "seed 7, \(String(decoding: text, as: UTF8.self))"
            )
        }
        #expect(throws: EncodingError.self) { try encoder.encode([Date.distantFuture.addingTimeInterval(1e12)]) }
        #expect(throws: EncodingError.self) { try encoder.encode([Date(timeIntervalSince1970: .nan)]) }
    }
}
