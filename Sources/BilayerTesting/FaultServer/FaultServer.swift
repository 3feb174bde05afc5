public import Bilayer
public import Foundation

/// An HTTP/1.1 server on the loopback interface for an app's own tests. Its replies and faults are scripted per
/// request.
///
/// Use it for tests that need real sockets: retry, cancellation, time limits, broken responses. Use ``StubTransport``
/// if only the response matters.
///
/// ```swift
/// let server = try await FaultServer.start()
/// server.on(.get, "/users", .json("[]"), .delayed(.seconds(2)), .resetInBody(after: 10))  // one a request
/// let client = Client(baseURL: server.url)
/// let users = try await client.fetch(.users)
/// #expect(server.requests.count == 1)
/// ```
///
/// The system chooses a new port for each server, so tests can run in parallel. The server ends with ``stop()``, or
/// when its last reference is released. Its connections and threads end with it.
public final class FaultServer: Sendable {
    /// The server's address: `http://127.0.0.1:` and the port. With a certificate it begins with `https:`.
    public let url: URL
    /// The path of a file with the server's certificate, for a client that must trust the certificate. `nil` without
    /// TLS. The file exists as long as the server.
    public var authorityFile: String? { authority?.path }
    let engine: ServerEngine
    private let authority: AuthorityFile?

    private init(url: URL, engine: ServerEngine, authority: AuthorityFile?) {
        self.url = url
        self.engine = engine
        self.authority = authority
    }

    deinit { engine.stop() }

    /// Starts a server. The server accepts connections when the method returns.
    /// - Parameters:
    ///   - bodyLimit: The maximum number of bytes of a request's body. A longer body receives a 413.
    ///   - certificate: The certificate of a server with TLS, which works on Linux only. `nil` starts a server without
    ///     TLS.
    /// - Returns: The running server.
    /// - Throws: ``FaultServerError`` if the system cannot make a socket or a certificate. The error of writing the
    ///   certificate's file.
    public static func start(
        bodyLimit: Int = 64 << 20,
        certificate: ServerCertificate? = nil
    ) async throws -> FaultServer {
        do {
            let identity = try certificate.map { certificate in
                try TLSIdentity(
                    for: certificate.hosts,
                    from: Int(certificate.begin / .seconds(1)),
                    to: Int(certificate.end / .seconds(1))
                )
            }
            let authority = try identity.map { try AuthorityFile($0.pem) }
            let engine = try ServerEngine(limits: RequestLimits(body: max(bodyLimit, 0)), identity: identity)
            guard let url = URL(string: "\(identity == nil ? "http" : "https")://127.0.0.1:\(engine.port)") else {
                throw FaultServerError("no address for port \(engine.port)")
            }
            engine.start()
            return FaultServer(url: url, engine: engine, authority: authority)
        } catch let error as SystemError {
            throw FaultServerError("cannot listen on 127.0.0.1: \(error)")
        }
    }

    /// Scripts the replies to a method and path. The first request receives the first reply, the second request the
    /// second. All further requests receive the last reply.
    ///
    /// A later call for the same method and path replaces the script. A request without a script receives a 404 with a
    /// JSON body that states the reason.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path exactly as it is sent: `/users/a%2Fb`. A path without a query matches every query. A path
    ///     with a query (`/users?page=2`) matches only this query, and takes precedence. A segment in braces
    ///     (`/users/{id}`) matches any text but an empty one; such a path has no query. A path without braces takes
    ///     precedence over one with braces.
    ///   - first: The reply to the first request.
    ///   - others: The replies to further requests.
    public func on(_ method: HTTPMethod, _ path: String, _ first: Reply, _ others: Reply...) {
        engine.state.withLock { $0.book.set([first] + others, for: method, path) }
    }

    /// Scripts a closure that computes the reply to each request of a method and path.
    ///
    /// ```swift
    /// server.on(.post, "/echo") { request in .data(request.body, contentType: request.headers[.contentType] ?? "") }
    /// ```
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path exactly as it is sent, with or without a query.
    ///   - answer: Returns the reply to a request. It is called on the connection's thread.
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        answering answer: @escaping @Sendable (RecordedRequest) -> Reply
    ) {
        engine.state.withLock { $0.book.set(answer, for: method, path) }
    }

    /// All requests since the start or the last ``forgetRequests()``, in the order of arrival. A request is added when
    /// it has arrived completely, or when a fault of ``onUpload(_:_:after:_:times:)`` interrupts it, before the reply
    /// is sent. An invalid request is refused and not added.
    public var requests: [RecordedRequest] { engine.state.withLock { $0.requests } }

    /// Waits until at least `count` requests have arrived.
    ///
    /// ```swift
    /// server.on(.get, "/users", .hold)
    /// let call = Task { try await client.fetch(.users) }
    /// try await server.waitForRequests(count: 1)
    /// call.cancel()
    /// ```
    /// - Parameter count: The number of requests to wait for, counted from the server's start or the last
    ///   ``forgetRequests()``.
    /// - Returns: All requests so far, at least `count`.
    /// - Throws: `CancellationError` if the calling task was cancelled. ``FaultServerError`` when the server is
    ///   stopped.
    @discardableResult
    public func waitForRequests(count: Int) async throws -> [RecordedRequest] {
        let requests: [RecordedRequest]? = try await engine.state.wait { state in
            if state.requests.count >= count { return .some(state.requests) }
            return state.isStopped ? .some(nil) : nil
        }
        guard let requests else { throw FaultServerError("stopped before \(count) requests arrived") }
        return requests
    }

    /// Releases all held requests that have arrived so far. Later requests are held again.
    public func release() { engine.release() }

    /// Stops the server: refuses new connections and closes all open connections. A connection whose reply is held or
    /// delayed is reset. Returns at once. On Apple platforms, new connections are refused only after the server's last
    /// reference is released.
    public func stop() { engine.stop() }

    /// Waits until the server is stopped and all its connections and threads have ended.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    public func waitUntilStopped() async throws {
        try await engine.state.wait { $0.isStopped && $0.threads == 0 ? () : nil }
    }
}

extension FaultServer: Redacted {
    /// The server's address: `FaultServer(http://127.0.0.1:49152)`.
    public var description: String { "FaultServer(\(url))" }
}
