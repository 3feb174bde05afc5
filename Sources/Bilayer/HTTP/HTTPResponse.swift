public import Foundation

/// A complete answer of a server, whatever its status: the value that a ``Transport`` gives.
///
/// ```swift
/// let stub = AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 200, body: Data("[]".utf8)) }
/// ```
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: HTTPStatus
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, decompressed; empty if there is none.
    public var body: Data
    /// Where the answer came from after all redirects; `nil` if the transport does not know.
    public var url: URL?
    /// The attempt that gave the response, to find the request that it answers.
    var attempt: AttemptMark?

    /// Makes a response.
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - url: Where the answer came from.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:], body: Data = Data(), url: URL? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// What the body is, read from `Content-Type`; `nil` when that is missing or malformed.
    public var mediaType: MediaType? { headers[.contentType].flatMap(MediaType.init) }
}

extension HTTPResponse {
    /// Whether two responses have equal parts. The attempts that gave them do not count.
    public static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body && left.url == right.url
    }

    /// Hashes what was received.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(headers)
        hasher.combine(body)
        hasher.combine(url)
    }
}

extension HTTPResponse: Redacted {
    /// Status, size and type: `200 OK, 18.4 kB, application/json`.
    public var description: String {
        let head = "\(status), \(byteCountText(body.count))"
        return mediaType.map { "\(head), \($0.essence)" } ?? head
    }
}
