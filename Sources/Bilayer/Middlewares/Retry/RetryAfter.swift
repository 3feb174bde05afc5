import Foundation

extension HTTPResponse {
    /// The wait that the server states in `Retry-After` (RFC 9110 §10.2.3), in seconds or as a date.
    ///
    /// A date is measured against the response's own `Date`, because the clocks of client and server may differ. `nil`
    /// if the field is missing or in neither form, or if it is a date and the response has no valid `Date`. A date in
    /// the past is a wait of zero.
    var retryAfter: Duration? {
        guard let text = headers.values(for: .retryAfter).first?.trimmingBlanks else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than a hundred years become a hundred years, also if the number is too large for an `Int64`.
            return .seconds(min(Int64(text) ?? .max, Self.longestRetryAfter))
        }
        guard let until = HTTPDate.parse(text),
            let now = headers.values(for: .date).first.flatMap({ HTTPDate.parse($0.trimmingBlanks) })
        else { return nil }
        return .seconds(max(until.timeIntervalSince(now), 0))
    }

    /// A hundred years, in seconds.
    private static let longestRetryAfter: Int64 = 3_155_760_000
}
