#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// The built-in transport, on `URLSession`.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.process(HTTPRequest(url: url))
/// print(response)                                      // 200 OK, 18.4 kB, application/json
/// ```
///
/// What it does the same on every platform:
/// - Every complete answer is a response, whatever its status; everything else is a ``TransportError``, or
///   `CancellationError` when the calling task was cancelled before the answer was complete.
/// - A request that ``HTTPRequest/validate()`` refuses is not sent.
/// - A body larger than ``maximumResponseBytes`` ends the transfer as soon as that is known.
/// - Up to 20 redirects are followed: 307 and 308 with the body sent again, credentials never to another origin, and
///   never from `https` to `http`. A redirect that may not be followed is given as the response that it is.
/// - A 401 is a response; credentials are a matter of the nodes before this one.
///
/// What `URLSession` does to a message: header fields lose their order both ways (those of a response are sorted by
/// name here), repeated ones are joined by `", "`, and names may be spelled with other case; a compressed body
/// arrives decompressed. On Linux time limits are rounded up to whole seconds, and a server that closes the connection
/// before the end of the head ends the whole process: a fault of `FoundationNetworking` up to Swift 6.3.1 that nothing
/// above it can catch (swift-corelibs-foundation issue 5285).
public struct URLSessionTransport: Transport {
    /// The largest body that a response may have, in bytes after decompression.
    public let maximumResponseBytes: Int
    let connection: SessionConnection

    /// Makes a transport with a session of its own, which ends with the last copy of the transport.
    /// - Parameters:
    ///   - configuration: The session's settings; the default shares no cache, cookies or credentials with anything.
    ///   - maximumResponseBytes: The largest body that a response may have.
    public init(
        configuration: URLSessionConfiguration = Self.defaultConfiguration,
        maximumResponseBytes: Int = 64 * 1024 * 1024
    ) {
        self.maximumResponseBytes = maximumResponseBytes
        connection = SessionConnection(configuration: configuration)
    }

    /// Makes a transport that uses the connections, settings and delegate of a session that exists.
    ///
    /// The session stays its owner's: end it when the last call is done, not before. On Linux tasks have no delegates
    /// of their own; there the transport makes a session with the same configuration, and the delegate of the given
    /// one receives no calls.
    /// - Parameters:
    ///   - session: The session to use.
    ///   - maximumResponseBytes: The largest body that a response may have.
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

    /// Sends the request, follows redirects and collects the answer.
    /// - Throws: ``TransportError`` when there is no complete answer, `CancellationError` when the task was cancelled
    ///   before there was one.
    @concurrent
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        var request = request
        for _ in 0...maximumRedirects {
            let response = try await exchange(request, in: context)
            guard let next = request.redirected(by: response) else { return response }
            request = next
        }
        throw TransportError(.tooManyRedirects, detail: "expected at most \(maximumRedirects)")
    }

    /// One request and its answer. The handler is installed before there is a task, so that no cancel falls between.
    private func exchange(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        let wireRequest = try URLRequest(request)
        try Task.checkCancellation()
        context.recordSent(request)
        let transfer = Transfer(limit: maximumResponseBytes, hasBody: request.method != .head)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(continuation) { connection.task(for: wireRequest, reportingTo: transfer) }
            }
        } onCancel: {
            transfer.cancel()
        }
    }
}

/// As many as `URLSession` follows by itself.
private let maximumRedirects = 20

extension URLSessionTransport: Redacted {
    /// The name of the type: the session's configuration can hold credentials.
    public var description: String { typeName(Self.self) }
}
