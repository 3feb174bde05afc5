public import Bilayer
public import Foundation

/// A request as the server received it.
///
/// ```swift
/// let request = try #require(server.requests.first)
/// #expect(request.target == "/users?page=2")
/// #expect(request.headers[.accept] == "application/json")
/// ```
public struct RecordedRequest: Sendable, Hashable {
    /// The request's method.
    public let method: HTTPMethod
    /// Path and query exactly as sent, percent-encoding included. Of a whole address, as clients send it to a proxy
    /// (RFC 9112 §3.2.2), what follows the host.
    public let target: String
    /// The header fields, in the order of arrival.
    public let headers: HTTPHeaders
    /// The body; the chunks of a chunked one are joined. Empty if there is none.
    public private(set) var body: Data
    /// The bytes of the whole body, of which the server may keep fewer (``FaultServer/keepBodies(upTo:)``).
    public let bodyCount: Int
    /// The position in the order of arrival at this server, from 0.
    public internal(set) var number = 0
    /// The index of the connection, from 0: requests with equal indices were sent over one connection.
    public internal(set) var connection = 0
    /// The request line and the header fields byte for byte as received, up to and with the empty line.
    public internal(set) var head = Data()
    /// Whether a fault ended the upload before its end: ``body`` is what had arrived.
    public internal(set) var isCut = false
    /// Whether the client requests that the connection is closed after the response.
    let isLastOfConnection: Bool
    /// Whether the request is of HTTP/1.0, which has no chunks.
    var isHTTP10 = false

    /// The target up to the query, as sent.
    public var path: String { pathPart(of: target) }

    /// The target after the first `?`, as sent; `nil` if there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The body as text; bytes that are not UTF-8 are replaced.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }
}

extension RecordedRequest {
    /// The request with at most this much of its body.
    func keeping(_ count: Int) -> RecordedRequest {
        var request = self
        if body.count > count { request.body = Data(body.prefix(count)) }
        return request
    }
}

extension RecordedRequest: Redacted {
    /// Method and target without values, and the body's size: `POST /users?page=…, 18 B`.
    public var description: String {
        "\(method) \(redactedAddress(target))" + (bodyCount == 0 ? "" : ", \(byteCountText(bodyCount))")
    }
}
