#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A transport on `URLSession`: the default on Apple platforms.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.process(HTTPRequest(url: url))
/// print(response)                                      // 200 OK, 18.4 kB, application/json
/// ```
///
/// On every platform, unless a point says otherwise:
/// - Every complete response is returned, with any status. Otherwise the transport throws a ``TransportError``, or
///   `CancellationError` if the calling task was cancelled before the response was complete.
/// - A request that ``HTTPRequest/validate()`` refuses is not sent.
/// - A collected body larger than ``maximumResponseBytes`` ends the transfer as soon as the transport detects it.
/// - Up to 20 redirects are followed, unless a ``RedirectPolicy`` says otherwise. One more is an error of the kind
///   ``TransportError/Kind-swift.struct/tooManyRedirects``. 307 and 308 send the body again. Credentials are never sent
///   to another origin. A redirect from `https` to `http` is not followed, but returned as the response.
/// - A 401 is returned as a response. Other nodes add credentials.
/// - A body that is a file is read while it is sent. A body that is a stream is first written to a temporary file, so
///   the stream must end. The file can then be sent again for a redirect. On Linux both are read into memory first,
///   because a session that reads a file ends the process if the exchange ends while a part is read.
/// - The task of a streamed response is suspended while its reader is slower than the server. On Linux a suspension
///   would corrupt the stream. So on Linux, more than ``maximumResponseBytes`` of unread bytes end the stream with
///   ``TransportError/Kind-swift.struct/responseTooLarge``.
///
/// `URLSession` changes messages. Header fields lose their order; the transport sorts the fields of a response by name.
/// Repeated fields are joined by `", "`, the case of names can change, and a compressed body is decompressed. On Linux
/// time limits are rounded up to whole seconds. A `Content-Length` of the request is left out: the session sets it.
///
/// On Linux two cases end the process: a connection that is closed inside the head, and a trailer after a chunked body.
/// Those are bugs of `FoundationNetworking` up to Swift 6.3.1 that no caller can catch (swift-corelibs-foundation issue
/// 5285). On Linux prefer ``CurlTransport``. <doc:Transports> lists all differences.
public struct URLSessionTransport: Transport {
    /// The largest collected body of a response, in bytes after decompression. A streamed body may be larger.
    public let maximumResponseBytes: Int
    let connection: SessionConnection

    /// Makes a transport with a new session. The session is invalidated when the last copy of the transport is
    /// released.
    /// - Parameters:
    ///   - configuration: The session's settings; the default shares no cache, cookies or credentials with anything.
    ///   - maximumResponseBytes: The largest collected body of a response.
    public init(
        configuration: URLSessionConfiguration = Self.defaultConfiguration,
        maximumResponseBytes: Int = 64 * 1024 * 1024
    ) {
        self.maximumResponseBytes = maximumResponseBytes
        connection = SessionConnection(configuration: configuration)
    }

    /// Makes a transport that uses the connections, settings and delegate of an existing session.
    ///
    /// The caller owns the session: invalidate it after the last call. On Linux a task cannot have a delegate. So on
    /// Linux the transport makes another session with an equal configuration, and the delegate of the given session
    /// receives no calls.
    /// - Parameters:
    ///   - session: The session to use.
    ///   - maximumResponseBytes: The largest collected body of a response.
    public init(session: URLSession, maximumResponseBytes: Int = 64 * 1024 * 1024) {
        self.maximumResponseBytes = maximumResponseBytes
        #if canImport(FoundationNetworking)
        connection = SessionConnection(configuration: session.configuration)
        #else
        connection = SessionConnection(borrowing: session)
        #endif
    }

    /// New settings without shared state: no cache, no cookies, no stored credentials. Change them as needed.
    public static var defaultConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        return configuration
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
        let body = request.body
        return try await withSessionBody(of: request) { request in
            try await request.followingRedirects(in: context) { request in
                var sent = request
                // The record has the original body, and not the copy for the session.
                if sent.body != nil { sent.body = body }
                return try await exchange(request, recordedAs: sent, in: context)
            }
        }
    }

    /// Sends one request and returns its response. The cancellation handler is installed before the session's task is
    /// made, so no cancellation is missed.
    private func exchange(
        _ request: HTTPRequest,
        recordedAs sent: HTTPRequest,
        in context: CallContext
    ) async throws -> HTTPResponse {
        let wireRequest = try URLRequest(request)
        try Task.checkCancellation()
        if request.opensWebSocket { return try await openWebSocket(request, wireRequest, in: context) }
        context.recordSent(sent)
        let transfer = SessionTransfer(
            limit: maximumResponseBytes,
            hasBody: request.method != .head,
            isStreamed: request.streamsResponse,
            headMayBeOfProxy: request.streamsResponse && request.mayNeedTunnel,
            onSent: context.progress.map { progress in
                let total = request.body?.length
                return { progress.note(TransferProgress(bytes: $0, total: total)) }
            }
        )
        #if canImport(FoundationNetworking)
        // The interval is one second longer than the session's own limit, so that the session's limit ends the call
        // where it applies.
        let timer = StallTimer(every: wireRequest.timeoutInterval + 1) { transfer.endIfStalled() }
        defer { timer.cancel() }
        #endif
        let response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(continuation) {
                    connection.task(for: wireRequest, sending: request.body?.file, reportingTo: transfer)
                }
            }
        } onCancel: {
            transfer.cancel()
        }
        return transfer.opening(response)
    }
}

extension URLSessionTransport {
    private func openWebSocket(
        _ request: HTTPRequest,
        _ wireRequest: URLRequest,
        in context: CallContext
    ) async throws -> HTTPResponse {
        #if canImport(FoundationNetworking)
        throw TransportError.noWebSocket
        #else
        var wireRequest = wireRequest
        var address = wireRequest.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
        address?.scheme = request.url.scheme?.lowercased() == "http" ? "ws" : "wss"
        wireRequest.url = address?.url
        context.recordSent(request)
        let task = connection.webSocketTask(for: wireRequest)
        return try await SessionWebSocket(task, of: connection, maximumBytes: maximumResponseBytes).open()
        #endif
    }
}

extension URLSessionTransport: Redacted {
    /// The name of the type alone, because the session's configuration can hold credentials.
    public var description: String { typeName(Self.self) }
}
