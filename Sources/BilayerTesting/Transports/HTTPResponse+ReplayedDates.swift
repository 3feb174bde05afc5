import Bilayer
import Foundation

extension HTTPResponse {
    /// Whether the response states times that have a meaning only together with its `Date`: `Expires`, or a
    /// `Retry-After` that is a date.
    var hasTimesAfterDate: Bool {
        Self.timesAfterDate.contains { headers[$0].flatMap { HTTPDate.parse($0) } != nil }
    }

    /// Returns this recorded response as if its server had sent it now: with the present `Date`. The distance from
    /// `Date` to `Expires`, and to a `Retry-After` that is a date, stays as it was recorded.
    ///
    /// A response with a `Last-Modified` and no `Date` gets a `Date`, too. A client needs both to prove that a file has
    /// not changed (RFC 9110 §8.8.2.2), for example before it resumes a download. A response with neither of them is
    /// not changed.
    func sent(at now: Date) -> HTTPResponse {
        var response = self
        if let recorded = headers[.date].flatMap({ HTTPDate.parse($0) }) {
            for name in Self.timesAfterDate {
                guard let time = headers[name].flatMap({ HTTPDate.parse($0) }) else { continue }
                response.headers[name] = HTTPDate.text(of: now + time.timeIntervalSince(recorded))
            }
        } else if headers[.lastModified] == nil {
            return self
        }
        response.headers[.date] = HTTPDate.text(of: now)
        return response
    }

    private static let timesAfterDate: [HTTPHeaders.Name] = ["Expires", .retryAfter]
}
