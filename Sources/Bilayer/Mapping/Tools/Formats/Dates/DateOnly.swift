public import Foundation

/// Days without a time, `2026-11-21` (RFC 3339 §5.6 `full-date`), as the start of that day in UTC.
///
/// Read and show such dates with a calendar whose time zone is UTC. In a zone west of UTC, the instant belongs to the
/// day before.
///
/// ```swift
/// struct PersonEntry: Codable { @Formatted<DateOnly> var birthday: Date }
/// ```
public enum DateOnly: NamedFormat {
    /// Days as text.
    public static var format: ValueFormat<Date> { .dateOnly }
}

extension ValueFormat where Value == Date {
    /// A day without a time, `2026-11-21`, as the start of that day in UTC. A date that is not the start of a day
    /// cannot be written: it would lose its time.
    public static var dateOnly: Self {
        Self(text: "a date like 2026-11-21") {
            Date(day: $0)
        } write: { date in
            let text = date.rfc3339()
            return text?.hasSuffix("T00:00:00Z") == true ? text.map { String($0.prefix(10)) } : nil
        }
        .reading { nodes, position in nodes.stringValue(at: position).flatMap { Date(day: $0) } }
    }
}

extension Date {
    /// Makes the start of a day such as `2026-11-21`; returns `nil` for any other text.
    fileprivate init?(day text: String) {
        guard text.utf8.count == 10, let instant = RFC3339.parse(text + "T00:00:00Z") else { return nil }
        self.init(instant)
    }
}
