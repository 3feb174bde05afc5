public import Foundation

/// A complete response of a server, with any status: the result of a ``Transport``.
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
    /// The address of the response after all redirects; `nil` means unknown.
    public var url: URL?
    /// Where a cache took the response from; `nil` without a cache.
    public internal(set) var cacheStatus: CacheStatus?
    /// The attempt that received the response, to find its request.
    var attempt: AttemptMark?

    /// Makes a response.
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - url: The address of the response.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:], body: Data = Data(), url: URL? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// The media type in `Content-Type`; `nil` if that field is missing or malformed.
    public var mediaType: MediaType? { headers[.contentType].flatMap(MediaType.init) }
}

extension HTTPResponse {
    /// Whether two responses have equal parts. Their attempts and sources are not compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body && left.url == right.url
    }

    /// Hashes the message, without the attempt.
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
