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
    /// The path and the query exactly as sent, including percent-encoding. If the request line has a whole address, as
    /// for a proxy (RFC 9112 §3.2.2), the target is the part after the host.
    public let target: String
    /// The header fields, in the order of arrival.
    public let headers: HTTPHeaders
    /// The body. If it was sent in chunks, these are joined. Empty if the request has no body.
    public private(set) var body: Data
    /// The number of bytes of the body that arrived. ``body`` can have fewer bytes (``FaultServer/keepBodies(upTo:)``).
    public let bodyCount: Int
    /// The position among the requests of this server, counted from 0.
    public internal(set) var number = 0
    /// The number of the connection, counted from 0. Requests with equal numbers were sent over the same connection.
    public internal(set) var connection = 0
    /// The request line and the header fields, byte for byte as received, including the empty line at the end and
    /// empty lines before the request line.
    public internal(set) var head = Data()
    /// Whether a fault interrupted the upload. If true, ``body`` has the bytes that arrived before the fault.
    public internal(set) var isCut = false
    /// Whether the connection ends after the response: the client requested it, a client of HTTP/1.0 did not request
    /// `keep-alive`, or a fault interrupted the upload.
    let isLastOfConnection: Bool
    /// Whether the client uses HTTP/1.0, which has no chunks.
    var isHTTP10 = false

    /// The target without its query, as sent.
    public var path: String { pathPart(of: target) }

    /// The query after the first `?`, as sent; `nil` if there is no `?`.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The body as text. Bytes that are not UTF-8 are replaced.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }
}

extension RecordedRequest {
    /// Returns the request with at most `count` bytes of its body.
    func keeping(_ count: Int) -> RecordedRequest {
        var request = self
        if body.count > count { request.body = Data(body.prefix(count)) }
        return request
    }
}

extension RecordedRequest: Redacted {
    /// The method, the target without query values, and the size of the body: `POST /users?page=…, 18 B`.
    public var description: String {
        "\(method) \(redactedAddress(target))" + (bodyCount == 0 ? "" : ", \(byteCountText(bodyCount))")
    }
}
