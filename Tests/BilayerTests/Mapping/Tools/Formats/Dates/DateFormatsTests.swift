import Bilayer
import Foundation
import Testing

@Suite("Dates without a time, and as numbers")
struct DateFormatsTests {
    @Test("a day is its start in UTC")
    func day() throws {
        #expect(try ValueFormat.dateOnly.read("2026-11-21") == Date(rfc3339: "2026-11-21T00:00:00Z"))
        #expect(try ValueFormat.dateOnly.write(Date(timeIntervalSince1970: 951_782_400)) == "2000-02-29")
    }

    @Test("no other text is a day", arguments: ["2026-02-29", "2026-1-1", "20261121", "2026-11-21T", "21.11.2026", ""])
    func noDay(text: String) {
        #expect(failure { try ValueFormat.dateOnly.read(Json(text)) }.contains("expected a date like 2026-11-21"))
    }

    @Test("a date with a time is not written as a day")
    func dayWithTime() {
        let expected = "$: invalid value: expected a date like 2026-11-21, found a Date"
        #expect(failure { try ValueFormat.dateOnly.write(Date(timeIntervalSince1970: 1)) } == expected)
        #expect(failure { try ValueFormat.dateOnly.write(Date(timeIntervalSince1970: 0.5)) } == expected)
    }

    @Test("days read and write the same text, all through 800 years")
    func everyDay() throws {
        for day in stride(from: -146_097, to: 146_097, by: 17) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let raw = try ValueFormat.dateOnly.write(date)
            #expect(try ValueFormat.dateOnly.read(raw) == date, "\(raw)")
        }
    }

    @Test(
        "seconds and milliseconds since 1970",
        arguments: [("0", 0), ("1795254060", 1_795_254_060), ("-1.5", -1.5), ("1795254060.25", 1_795_254_060.25)]
    )
    func seconds(text: String, seconds: Double) throws {
        let raw = try Json(parsing: text)
        #expect(try ValueFormat.unixSeconds.read(raw) == Date(timeIntervalSince1970: seconds))
        #expect(try ValueFormat.unixMilliseconds.read(raw) == Date(timeIntervalSince1970: seconds / 1000))
        #expect(try ValueFormat.unixSeconds.write(Date(timeIntervalSince1970: seconds)) == raw)
    }

    @Test("the last second of the year 9999 is known to its end")
    func lastSecond() throws {
        let date = Date(timeIntervalSince1970: 253_402_300_799.5)
        #expect(try ValueFormat.unixSeconds.read(253_402_300_799.5) == date)
        #expect(try ValueFormat.unixSeconds.write(date) == 253_402_300_799.5)
        #expect(try ValueFormat.unixMilliseconds.read(253_402_300_799_500) == date)
        #expect(throws: MappingError.self) { try ValueFormat.unixSeconds.read(253_402_300_800) }
    }

    @Test("milliseconds that are taken for seconds are refused")
    func mistakenUnit() {
        let text = failure { try ValueFormat.unixSeconds.read(1_795_254_060_000) }
        #expect(text == "$: out of range: expected a number of seconds since 1970, found number")
    }

    @Test("whole milliseconds stay whole")
    func wholeMilliseconds() throws {
        for seed in 0..<20 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            for _ in 0..<200 {
                let number = Int64.random(in: -62_000_000_000_000...253_000_000_000_000, using: &random)
                let date = try ValueFormat.unixMilliseconds.read(Json(number))
                #expect(try ValueFormat.unixMilliseconds.write(date).int64 == number, "seed \(seed)")
            }
        }
    }

    @Test("numbers in quotes: strictly, or with a report", arguments: ["1795254060", "1795254060.0", "17952540.6e2"])
    func quoted(text: String) throws {
        let date = Date(timeIntervalSince1970: 1_795_254_060)
        #expect(throws: MappingError.self) { try ValueFormat.unixSeconds.read(Json(text)) }
        #expect(try ValueFormat.quoted(.unixSeconds).read(Json(text)) == date)
        let (read, issues) = try reported { try ValueFormat.lenient(.unixSeconds).read(Json(text)) }
        #expect(read == date)
        #expect(
            issues == [
                "$: coerced: expected a number of seconds since 1970, found string (\(text.count) characters); "
                    + "read as a number of seconds since 1970 in quotes"
            ]
        )
    }

    @Test(
        "text that is no number is never a date",
        arguments: ["", "abc", "1 ", " 1", "+1", "0x10", "1,5", "NaN", "true", "null"]
    )
    func neverADate(text: String) {
        #expect(failure { try ValueFormat.quoted(.unixSeconds).read(Json(text)) } != "nothing")
        #expect(failure { try ValueFormat.lenient(.unixSeconds).read(Json(text)) } != "nothing")
    }
}
