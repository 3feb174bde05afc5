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
    /// The body, decompressed; empty if there is none, or if it is a stream.
    public var body: Data
    /// The body while it arrives, decompressed, for a request with ``HTTPRequest/streamsResponse``.
    ///
    /// It can be read once. The transport receives no more than a few hundred KiB ahead of the reader, and ends the
    /// exchange when the last reference to the stream is released.
    public var stream: HTTPBody?
    /// The open connection, for a request that ``HTTPRequest/opensWebSocket``; `nil` if the server refused it.
    public var webSocket: (any WebSocketConnection)?
    /// The address of the response after all redirects; `nil` means unknown.
    public var url: URL?
    /// How a cache obtained the response; `nil` without a cache.
    public internal(set) var cacheStatus: CacheStatus?
    /// The address of the request before a ``Failover`` changed it; `nil` if none did.
    var askedAddress: URL?
    /// The failure that this stored response replaces; `nil` if there was none.
    var replaced: ReplacedOutcome?
    /// Whether the body was a stream, which the reader of the response has.
    private var wasStreamed = false
    /// Whether the body may be a part of the server's: its end cannot be distinguished from a cut (RFC 9112 §8).
    var mayBeCut = false
    /// The attempt that received the response, to find its request.
    var attempt: AttemptIdentity?

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

    /// The address that the response belongs to: its own, or the one that it was stored for.
    var target: URL? { askedAddress ?? url }

    /// Whether the end of the body is that of a connection of TLS, if the response is of HTTP/1.
    var endsWithConnection: Bool {
        url?.scheme?.lowercased() == "https" && headers[.contentLength] == nil && headers["Transfer-Encoding"] == nil
            && status != 204 && status != 304
    }

    /// The response for those who do not read its stream.
    var withoutStream: HTTPResponse {
        var response = self
        response.wasStreamed = wasStreamed || stream != nil
        response.stream = nil
        return response
    }

    /// The body as chunks, be it a stream or whole.
    public var chunks: HTTPBody { stream ?? .data(body) }

    /// The announced number of bytes of a stream. `nil` if they are compressed, because the stream has them
    /// decompressed. `nil` also if they come in chunks or not at all, where the announcement does not count (RFC 9112
    /// §6.3).
    var streamLength: Int? {
        guard headers[.contentEncoding] == nil, headers["Transfer-Encoding"] == nil, status != 204, status != 304 else {
            return nil
        }
        return headers[.contentLength].flatMap { Int($0) }
    }

    /// The response with its whole body, for a stage that needs it.
    /// - Parameter maximumBytes: The largest body.
    /// - Returns: The response without a stream.
    /// - Throws: The errors of the stream (``HTTPBody/collected(maximumBytes:)``).
    public func collected(maximumBytes: Int = 64 * 1024 * 1024) async throws -> HTTPResponse {
        guard let stream else { return self }
        var whole = self
        whole.stream = nil
        whole.body = try await stream.collected(maximumBytes: maximumBytes)
        return whole
    }

    /// The media type in `Content-Type`; `nil` if that field is missing or malformed.
    public var mediaType: MediaType? { headers[.contentType].flatMap(MediaType.init) }
}

extension HTTPResponse {
    /// Whether two responses have equal parts. Their attempts and sources are not compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
            && left.stream == right.stream && left.url == right.url
    }

    /// Hashes the message, without the attempt.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(headers)
        hasher.combine(body)
        hasher.combine(stream)
        hasher.combine(url)
    }
}

extension HTTPResponse: Redacted {
    /// Status, size and type: `200 OK, 18.4 kB, application/json`.
    public var description: String {
        let size = wasStreamed ? "stream" : byteCountText(body.count)
        let head = "\(status), \(stream?.description ?? size)"
        return mediaType.map { "\(head), \($0.essence)" } ?? head
    }
}

/// The failure that a stored response has replaced: what a retry around the cache decides by.
final class ReplacedOutcome: Sendable {
    /// A response without its body, or an error.
    let outcome: Result<HTTPResponse, any Error>

    init(_ outcome: Result<HTTPResponse, any Error>) { self.outcome = outcome }
}
