public import Bilayer
public import Foundation

/// A request as the server read it off the wire.
///
/// ```swift
/// let request = try #require(server.requests.first)
/// #expect(request.target == "/users?page=2")
/// #expect(request.headers[.accept] == "application/json")
/// ```
public struct RecordedRequest: Sendable, Hashable {
    /// The request's method.
    public let method: HTTPMethod
    /// Path and query exactly as sent, percent-encoding included.
    public let target: String
    /// The header fields, in the order of arrival.
    public let headers: HTTPHeaders
    /// The body; the pieces of a chunked one are joined. Empty if there is none.
    public let body: Data
    /// The place in the order of arrival at this server, from 0.
    public internal(set) var number = 0
    /// Which connection it came on, from 0: requests that share one were sent over a connection kept alive.
    public internal(set) var connection = 0
    /// Whether the client wants the connection closed after the answer.
    let isLastOfConnection: Bool

    /// The target up to the query, as sent.
    public var path: String { pathPart(of: target) }

    /// The target after the first `?`, as sent; `nil` if there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The body as text; bytes that are not UTF-8 are replaced.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }
}

extension RecordedRequest: Redacted {
    /// Method and target without values, and the body's size: `POST /users?page=…, 18 B`.
    public var description: String {
        "\(method) \(redactedAddress(target))" + (body.isEmpty ? "" : ", \(byteCountText(body.count))")
    }
}
