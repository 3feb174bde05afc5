#if os(Linux)
import Foundation

/// A transport on Linux that uses the machine's own libcurl.
///
/// ```swift
/// let transport = try CurlTransport()
/// let client = Client(baseURL: URL(string: "https://api.example.com/v1")!, transport: transport)
/// ```
///
/// Choose it on Linux instead of ``URLSessionTransport``. On Linux, `URLSession` uses libcurl, too, but it ends the
/// process in some cases, applies limits late, and is several times slower. <doc:Transports> lists the differences.
///
/// - Every complete response is returned, with any status. Otherwise the transport throws a ``TransportError``, or
///   `CancellationError` as soon as the calling task is cancelled. If a response is cut or refused after its head, the
///   error has the status, the fields and the received part of the body (``TransportError/response``). A body that is
///   too large is dropped.
/// - A request that ``HTTPRequest/validate()`` refuses is not sent. Neither is a `HEAD` with a body.
/// - A collected body larger than ``maximumResponseBytes`` after decompression ends the transfer while it arrives. A
///   second limit, 256 KiB higher, applies to the bytes before decompression. For a stream, only the second limit
///   applies, to the compressed bytes since the last decompressed part. A head and its trailers have at most 1,000
///   fields and 256 KiB. The error is ``TransportError/Kind-swift.struct/responseTooLarge``.
/// - ``HTTPRequest/timeout`` is the longest time without a byte, to the millisecond: looking up the name, connecting,
///   waiting for the response, and every gap in it. Time spent waiting for a free connection, for the reader of a
///   stream or for the source of a body does not count.
/// - A body that is a file or a stream is read by a separate task. The task is cancelled when the exchange ends, for
///   example by an early response. The call does not wait for a source that ignores the cancel.
/// - Up to 20 redirects are followed, unless a ``RedirectPolicy`` says otherwise, by the rules of
///   ``URLSessionTransport``. The limits apply to the bodies of redirects, too.
/// - Bytes that arrive over an idle connection are not the response to the next request (RFC 9112 §6.3). If there are
///   such bytes, the next request uses a new connection. This check needs libcurl 7.80.
/// - In some responses, only the end of the connection marks the end of the body. Over TLS, such a body is complete
///   only if the closing alert has arrived (RFC 9112 §8). This check needs OpenSSL 3 or newer. Without the check, the
///   body may be cut, so a cache does not store it.
/// - The path is sent as it is. Field values are read as UTF-8, or as ISO-8859-1 if they are not valid UTF-8. Entity
///   tags are always read as ISO-8859-1, and written so in `If-Match`, `If-None-Match` and `If-Range`.
/// - Fields of a response keep their order, and repeated fields stay separate. Trailers are left out, and so are
///   interim responses (1xx), except the 101 that opens a WebSocket.
/// - `gzip`, `deflate` and the other encodings that the library supports are accepted and decompressed. A malformed
///   compressed body is a ``TransportError/Kind-swift.struct/brokenBody``; so is `gzip` of several members, which
///   libcurl does not read. A body in an encoding that the library does not support is an
///   ``TransportError/Kind-swift.struct/unsupported`` error. A request for a stream accepts only `gzip` and `deflate`.
///   A stream in any other encoding is the same error, because a few bytes of it could expand without a bound.
/// - A cut compressed body in a complete message is detected only if it has fewer than 20 bytes (`gzip`) or 8
///   (`deflate`). libcurl reports a longer one as complete.
/// - A request with ``HTTPRequest/opensWebSocket`` needs libcurl 8.14 or newer, built with WebSockets. Otherwise the
///   error is ``TransportError/Kind-swift.struct/unsupported``. A received message is at most ``maximumResponseBytes``
///   long.
/// - The transport uses no cookies, no `.netrc` and no credentials of the library. User and password of an address are
///   sent as `Basic`, unless the request has an `Authorization`.
///
/// The library is opened at run time, so that a package needs no C target. All copies of a transport share its
/// connections and its two threads: one for exchanges, one for WebSockets. So make one transport and keep it.
public struct CurlTransport: Transport {
    /// The largest collected body of a response, in bytes after decompression. A streamed body may be larger.
    public let maximumResponseBytes: Int
    /// The settings.
    public let settings: CurlSettings
    private let connections: CurlConnections

    /// Makes a transport. Its thread starts with the first exchange. The thread ends when the last copy of the
    /// transport, its last stream and its last WebSocket are released.
    /// - Parameters:
    ///   - settings: Connections, certificates, proxy.
    ///   - maximumResponseBytes: The largest collected body of a response.
    /// - Throws: ``CurlUnavailableError`` if the machine has no libcurl 7.68 or newer; if libcurl lacks a function,
    ///   cannot be started, or has no memory or descriptor; if the platform is not one of 64 bits; or if
    ///   FoundationNetworking is linked statically.
    public init(_ settings: CurlSettings = CurlSettings(), maximumResponseBytes: Int = 64 * 1024 * 1024) throws {
        try self.init(settings, maximumResponseBytes: maximumResponseBytes, library: CurlLibrary.shared.get())
    }

    init(_ settings: CurlSettings, maximumResponseBytes: Int, library: CurlLibrary) throws(CurlUnavailableError) {
        self.settings = settings
        self.maximumResponseBytes = maximumResponseBytes
        connections = CurlConnections(try CurlEngine(library, settings))
    }

    /// Always `true`.
    public var streamsResponses: Bool { true }

    /// Sends the request, follows redirects and collects the response. With ``HTTPRequest/streamsResponse``, the body
    /// of a 2xx response remains a stream.
    /// - Throws: ``TransportError`` if there is no complete response, if there are too many redirects, or if a redirect
    ///   needs a body that can be sent only once. `CancellationError` if the task was cancelled before the response was
    ///   complete. ``CacheMissError`` under ``CachePolicy/cacheOnly``.
    @concurrent
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try context.checkMaySend()
        return try await request.followingRedirects(in: context) { try await exchange($0, in: context) }
    }

    /// Sends one request and returns its response. The cancellation handler is installed before the start, so no
    /// cancellation is missed.
    private func exchange(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try request.validate()
        if request.opensWebSocket { return try await openWebSocket(request, in: context) }
        if request.method == .head, request.body?.isEmpty == false {
            throw TransportError(.invalidRequest, detail: "found a body, expected none: libcurl sends no HEAD with one")
        }
        try Task.checkCancellation()
        context.recordSent(request)
        let engine = connections.engine
        defer { withExtendedLifetime(connections) {} }
        let exchange = CurlExchange(
            try await request.withSettledLength(),
            timeout: request.timeout ?? settings.timeout,
            limit: maximumResponseBytes,
            obstacle: context.obstacle(toRepeating: request)
        )
        let goOn: @Sendable () -> Void = { [weak exchange] in if let exchange { engine.goOn(exchange) } }
        if request.streamsResponse {
            exchange.incoming = IncomingBody(goOn: goOn)
            exchange.onStreamEnd = { context.recordTransfer($0) }
        }
        if let progress = context.progress {
            let total = request.body?.length
            exchange.onSent = { progress.note(TransferProgress(bytes: $0, total: total)) }
        }
        // Not a child task: the call would wait for a child task, and the source of the body may ignore a cancel.
        // The task retains only the source and the bytes that were read from it.
        let feeding = exchange.outgoing.map { outgoing in Task { await outgoing.feed(goOn: goOn) } }
        defer { feeding?.cancel() }
        let outcome = await end(of: exchange, on: engine)
        if let metrics = outcome.metrics { context.recordTransfer(metrics) }
        if outcome.isSentAgain { context.noteSentAgain() }
        var response = try outcome.result.get()
        if outcome.isHead, let incoming = exchange.incoming {
            let reader = IncomingReader(incoming) { [connections] in connections.engine.cancel(exchange) }
            response.stream = reader.stream(length: response.streamLength)
        }
        return response
    }

    /// Starts an exchange and waits for its end, or for its head if it is streamed.
    private func end(of exchange: CurlExchange, on engine: CurlEngine) async -> CurlExchange.Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { call in
                if exchange.wait(call) { engine.start(exchange) }
            }
        } onCancel: {
            exchange.cancel()
            engine.cancel(exchange)
        }
    }
}

extension CurlTransport {
    /// Opens a WebSocket. Each WebSocket has a connection of its own. Other requests do not use this connection, and do
    /// not wait for it.
    private func openWebSocket(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let engine = try connections.socketEngine()
        context.recordSent(request)
        defer { withExtendedLifetime(connections) {} }
        let exchange = CurlExchange(
            request,
            timeout: request.timeout ?? settings.timeout,
            limit: maximumResponseBytes
        )
        let outcome = await end(of: exchange, on: engine)
        if let metrics = outcome.metrics { context.recordTransfer(metrics) }
        var response = try outcome.result.get()
        if let socket = outcome.socket { response.webSocket = CurlWebSocketConnection(socket, connections) }
        return response
    }
}

extension CurlTransport: Redacted {
    /// The name of the type alone, because the settings can hold credentials.
    public var description: String { typeName(Self.self) }
}
#endif
