package import Foundation

/// Reads and writes the dates of header fields (RFC 9110 §5.6.7), without the calendar and the formatters of
/// Foundation.
///
/// Reading accepts all three formats: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov 6
/// 08:49:37 1994`. Names of days and months are case-sensitive. A value out of range, such as 30 February, is refused.
/// The day of the week is not compared with the date, because some servers send a wrong one.
package enum HTTPDate {
    /// Returns the date of a text; `nil` if the text has none of the three formats.
    package static func parse(_ text: some StringProtocol) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count <= longest, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        let parts: Parts? =
            switch words.count {
            case 6: imfFixdate(words)
            case 4: rfc850(words)
            case 5: asctime(words)
            default: nil
            }
        return parts?.date
    }

    /// Returns the text of a date in the preferred format. The fraction of the second is removed.
    ///
    /// A date outside the years 0 to 9999 is written as the first or the last second that the format can represent.
    package static func text(of date: Date) -> String {
        let whole = date.timeIntervalSince1970.rounded(.down)
        let seconds = whole.isNaN ? 0 : Int64(min(max(whole, firstSecond), lastSecond))
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let clock = seconds - days * 86_400
        let (year, month, day) = GregorianCalendar.date(daysSince1970: days)
        // 1970-01-01 was a Thursday, the fourth day of the list.
        let weekday = Int(((days + 3) % 7 + 7) % 7)
        let time = [clock / 3600, clock / 60 % 60, clock % 60].map { digits($0, 2) }.joined(separator: ":")
        let date = "\(digits(day, 2)) \(months[Int(month) - 1]) \(digits(year, 4))"
        return "\(weekdays[weekday].prefix(3)), \(date) \(time) GMT"
    }

    private static let longest = 64
    private static let firstSecond = -62_167_219_200.0
    private static let lastSecond = 253_402_300_799.0
    /// The greatest year of two digits that is read as a year of this century: 2076, which is 50 years after 2026. It
    /// is constant, so that equal texts always give equal dates.
    private static let lastShortYear: Int64 = 76
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}

// MARK: - The three forms

extension HTTPDate {
    /// A date, made from fields that are all in range.
    private struct Parts {
        let date: Date

        init?(year: Int64?, month: String, day: Int64?, time: String) {
            guard let year, let day, let month = months.firstIndex(of: month).map({ Int64($0 + 1) }),
                let clock = seconds(of: time), day >= 1
            else { return nil }
            let first = GregorianCalendar.daysSince1970(year: year, month: month, day: 1)
            guard day <= GregorianCalendar.daysInMonth(month, year: year) else { return nil }
            date = Date(timeIntervalSince1970: Double((first + day - 1) * 86_400 + clock))
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func imfFixdate(_ words: [String]) -> Parts? {
        guard isShortWeekday(words[0], comma: true), words[5] == "GMT" else { return nil }
        return Parts(year: number(words[3], 4), month: words[2], day: number(words[1], 2), time: words[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func rfc850(_ words: [String]) -> Parts? {
        let fields = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard weekdays.contains(where: { $0 + "," == words[0] }), words[3] == "GMT", fields.count == 3,
            let short = number(fields[2], 2)
        else { return nil }
        // A date that appears to be more than 50 years in the future is in the past (RFC 9110 §5.6.7).
        let year = short > lastShortYear ? 1900 + short : 2000 + short
        return Parts(year: year, month: fields[1], day: number(fields[0], 2), time: words[2])
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func asctime(_ words: [String]) -> Parts? {
        guard isShortWeekday(words[0], comma: false) else { return nil }
        let day = number(words[2], words[2].utf8.count == 1 ? 1 : 2)
        return Parts(year: number(words[4], 4), month: words[1], day: day, time: words[3])
    }

    private static func isShortWeekday(_ word: String, comma: Bool) -> Bool {
        weekdays.contains { $0.prefix(3) + (comma ? "," : "") == word }
    }

    /// Returns the value of a text of exactly `count` digits; `nil` for every other text.
    private static func number(_ text: String, _ count: Int) -> Int64? {
        guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Returns the second of the day for a time such as `08:49:37`. A second 60, a leap second, is accepted.
    private static func seconds(of text: String) -> Int64? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 3, let hour = number(fields[0], 2), let minute = number(fields[1], 2),
            let second = number(fields[2], 2), hour <= 23, minute <= 59, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
