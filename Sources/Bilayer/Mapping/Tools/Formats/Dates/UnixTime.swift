public import Foundation

/// Dates as a number of seconds since 1970-01-01T00:00:00Z. For a number in quotes use `Quoted<UnixSeconds>` or
/// `Lenient<UnixSeconds>`.
public enum UnixSeconds: NamedFormat {
    /// Dates as seconds.
    public static var format: ValueFormat<Date> { .unixSeconds }
}

/// Dates as a number of milliseconds since 1970-01-01T00:00:00Z. For a number in quotes use `Quoted<UnixMilliseconds>`.
public enum UnixMilliseconds: NamedFormat {
    /// Dates as milliseconds.
    public static var format: ValueFormat<Date> { .unixMilliseconds }
}

extension ValueFormat where Value == Date {
    /// A number of seconds since 1970-01-01T00:00:00Z, in the years 0 to 9999. So a date of today in milliseconds is
    /// refused, and not read as a date more than 50,000 years from now. Milliseconds of a date from 1969 to 1977 are
    /// read as seconds.
    public static var unixSeconds: Self { unixTime("a number of seconds since 1970", unitsPerSecond: 1) }

    /// A number of milliseconds since 1970-01-01T00:00:00Z, in the years 0 to 9999.
    public static var unixMilliseconds: Self { unixTime("a number of milliseconds since 1970", unitsPerSecond: 1000) }

    private static func unixTime(
        _ expectation: @autoclosure @escaping @Sendable () -> String,
        unitsPerSecond: Double
    ) -> Self {
        Self(expectation(), kind: .number) { raw in
            raw.double.flatMap { Date(unixTime: $0 / unitsPerSecond) }
        } write: { date in
            guard knownYears.contains(date) else { return nil }
            let number = date.timeIntervalSince1970 * unitsPerSecond
            let whole = number.rounded()
            // The division may have rounded. A date that was read from a whole number is written as that number.
            let isWhole = Date(timeIntervalSince1970: whole / unitsPerSecond) == date
            return isWhole ? Json(Int64(whole)) : Json(number)
        }
        .reading { nodes, position in
            nodes.double(at: position).flatMap { Date(unixTime: $0 / unitsPerSecond) }
        }
    }
}

extension Date {
    /// Makes the date at a number of seconds after the start of 1970; returns `nil` outside the known years.
    fileprivate init?(unixTime seconds: Double) {
        self.init(timeIntervalSince1970: seconds)
        guard knownYears.contains(self) else { return nil }
    }
}

/// The known years: from the year 0 to the end of the year 9999, the range of RFC 3339.
private let knownYears = Date(timeIntervalSince1970: -62_167_219_200)..<Date(timeIntervalSince1970: 253_402_300_800)
