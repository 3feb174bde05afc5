public import Foundation

/// A response of a server with any status: the result of a ``Transport``. The body is complete, or a stream.
///
/// ```swift
/// let stub = AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 200, body: Data("[]".utf8)) }
/// ```
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: HTTPStatus
    /// The header fields.
    public var headers: HTTPHeaders
    /// The decompressed body; empty if there is no body, or if the body is a stream.
    public var body: Data
    /// The decompressed body as a stream, for a request with ``HTTPRequest/streamsResponse``; `nil` if the body is
    /// complete.
    ///
    /// The stream can be read once. The transport receives at most a few hundred KiB ahead of the reader.
    /// ``URLSessionTransport`` on Linux cannot wait for the reader: it receives up to its limit for a response. The
    /// transport ends the exchange when the last reference to the stream is released.
    public var stream: HTTPBody?
    /// The open connection, for a request with ``HTTPRequest/opensWebSocket``; `nil` if the server refused it.
    public var webSocket: (any WebSocketConnection)?
    /// The address of the response after all redirects; `nil` means unknown.
    public var url: URL?
    /// How a cache obtained the response; `nil` if the call has no cache.
    public internal(set) var cacheStatus: CacheStatus?
    /// The address of the request before a ``Failover`` changed it; `nil` if no failover did, or if a redirect led to
    /// another address.
    var addressBeforeFailover: URL?
    /// Whether a cache has returned the response without a request: a stored response, or the 504 of `only-if-cached`.
    /// For a stored response that replaces a failure, ``replaced`` decides. A circuit breaker, a retry and a failover
    /// around the cache do not act on such a response, because it says nothing about the host.
    var isWithoutRequest = false
    /// The failure that this stored response replaces; `nil` if there was none.
    var replaced: ReplacedOutcome?
    /// Whether the body was a stream that this copy of the response does not have.
    private var wasStreamed = false
    /// Whether the body may be incomplete, because the body's end cannot be distinguished from a cut (RFC 9112 §8).
    var mayBeIncomplete = false
    /// The identity of the attempt that received the response. It is used to find the request of the attempt.
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

    /// The address that the response belongs to: ``addressBeforeFailover`` if there is one, otherwise ``url``.
    var target: URL? { addressBeforeFailover ?? url }

    /// Whether only the end of the TLS connection ends the body, provided that the response uses HTTP/1 and the request
    /// was no `HEAD`.
    var endsWithConnection: Bool {
        url?.scheme?.lowercased() == "https" && headers[.contentLength] == nil && headers["Transfer-Encoding"] == nil
            && status != 204 && status != 304
    }

    /// A copy without the stream, for code that does not read the stream.
    var withoutStream: HTTPResponse {
        var response = self
        response.wasStreamed = wasStreamed || stream != nil
        response.stream = nil
        return response
    }

    /// The body as chunks, whether it is complete or a stream.
    public var chunks: HTTPBody { stream ?? .data(body) }

    /// The announced number of bytes of a stream. It is `nil` if the body is compressed, because the stream is
    /// decompressed. It is also `nil` for a body in chunks, and for the statuses 204 and 304, which have no body
    /// (RFC 9112 §6.3).
    var streamLength: Int? {
        guard !isEncoded, headers["Transfer-Encoding"] == nil, status != 204, status != 304 else { return nil }
        return headers[.contentLength].flatMap { Int($0) }
    }

    /// Whether the server has compressed the body.
    var isEncoded: Bool { headers.isEncoded }

    /// Returns the response with its whole body, for a stage that needs the whole body.
    /// - Parameter maximumBytes: The largest body of a stream. A complete body is returned without a check.
    /// - Returns: The response without a stream.
    /// - Throws: The errors of the stream (``HTTPBody/collected(maximumBytes:)``).
    public func collected(maximumBytes: Int = 64 * 1024 * 1024) async throws -> HTTPResponse {
        guard let stream else { return self }
        var whole = self
        whole.stream = nil
        whole.body = try await stream.collected(maximumBytes: maximumBytes)
        return whole
    }

    /// The media type in `Content-Type`; `nil` if the field is missing or malformed.
    public var mediaType: MediaType? { headers[.contentType].flatMap(MediaType.init) }
}

extension HTTPResponse {
    /// Whether two responses have equal status, headers, body, stream and address. Other properties are not compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.headers == right.headers && left.body == right.body
            && left.stream == right.stream && left.url == right.url
    }

    /// Hashes the properties that are compared.
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

/// The failure that a stored response has replaced. A retry, a failover and a circuit breaker around the cache act on
/// this failure.
final class ReplacedOutcome: Sendable {
    /// A response without its body, or an error.
    let outcome: Result<HTTPResponse, any Error>

    init(_ outcome: Result<HTTPResponse, any Error>) { self.outcome = outcome }
}
