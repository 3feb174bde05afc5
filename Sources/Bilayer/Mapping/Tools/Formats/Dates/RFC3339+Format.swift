public import Foundation

extension RFC3339: NamedFormat {
    /// Dates as RFC 3339 text.
    public static var format: ValueFormat<Date> { .rfc3339 }
}

extension ValueFormat where Value == Date {
    /// A date and time by RFC 3339 §5.6: `2026-11-21T09:41:00.25+01:00`, with any fraction and any offset. The format
    /// writes UTC, with the fewest of 0, 3 or 6 fraction digits that keep the date exact, otherwise with 9.
    public static var rfc3339: Self { .rfc3339() }

    /// A date and time by RFC 3339 §5.6.
    /// - Parameters:
    ///   - fractionDigits: The number of digits to write after the second, 0 to 9. `nil` chooses the fewest of 0, 3 or
    ///     6 that keep the date exact, otherwise 9.
    ///   - acceptingSpace: Whether a space is accepted instead of the `T`, as RFC 3339 allows.
    /// - Returns: The format.
    public static func rfc3339(fractionDigits: Int? = nil, acceptingSpace: Bool = false) -> Self {
        Self("an RFC 3339 date", kind: .string) { raw in
            raw.rfc3339Instant(acceptingSpace: acceptingSpace).map { Date($0) }
        } write: { date in
            date.rfc3339(fractionDigits: fractionDigits).map { Json($0) }
        }
        .reading { nodes, position in
            nodes.rfc3339Instant(at: position, acceptingSpace: acceptingSpace).map { Date($0) }
        }
    }
}

extension Date {
    /// Makes the date of an RFC 3339 text such as `2026-11-21T09:41:00Z`; returns `nil` for any other text.
    /// - Parameter text: The text.
    public init?(rfc3339 text: String) {
        guard let instant = RFC3339.parse(text) else { return nil }
        self.init(instant)
    }

    /// Returns the date as RFC 3339 text in UTC, or `nil` outside the years 0 to 9999.
    /// - Parameter fractionDigits: The number of digits after the second, 0 to 9. `nil` chooses the fewest of 0, 3 or
    ///   6 that keep the date exact, otherwise 9.
    /// - Returns: The text.
    public func rfc3339(fractionDigits: Int? = nil) -> String? {
        RFC3339.Instant(self)
            .flatMap { instant in
                RFC3339.format(instant, fractionDigits: fractionDigits ?? instant.digits(for: self))
            }
    }
}
