public import Bilayer
public import Foundation

/// An HTTP/1.1 server on the loopback interface for an app's own tests, scripted request by request, faults included.
///
/// Choose it for tests that need real sockets: retry, cancellation, time limits, broken responses. Choose
/// ``StubTransport`` if only the response matters.
///
/// ```swift
/// let server = try await FaultServer.start()
/// server.on(.get, "/users", .json("[]"), .delayed(.seconds(2)), .resetInBody(after: 10))  // one a request
/// let client = Client(baseURL: server.url)
/// let users = try await client.fetch(.users)
/// #expect(server.requests.count == 1)
/// ```
///
/// Each server listens on another port, which the system chooses, so tests can run in parallel. It ends with the last
/// reference to it, or with ``stop()``; connections and threads end with it.
public final class FaultServer: Sendable {
    /// The server's address: `http://127.0.0.1:` and its port, `https:` with a certificate.
    public let url: URL
    /// The path of a file with the server's certificate, for a client that is to trust it; `nil` without TLS. The file
    /// is there for as long as the server.
    public var authorityFile: String? { authority?.path }
    let engine: ServerEngine
    private let authority: AuthorityFile?

    private init(url: URL, engine: ServerEngine, authority: AuthorityFile?) {
        self.url = url
        self.engine = engine
        self.authority = authority
    }

    deinit { engine.stop() }

    /// Starts a server; it listens when this returns.
    /// - Parameters:
    ///   - bodyLimit: The most bytes of a request's body; longer ones are answered with 413.
    ///   - certificate: The certificate of a server with TLS, on Linux; `nil` means a server without.
    /// - Returns: The running server.
    /// - Throws: ``FaultServerError`` if the system cannot make a socket, or a certificate.
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

    /// Scripts the replies to a method and path: the first reply for the first request, the second for the second, and
    /// the last one for all further requests.
    ///
    /// Another call for that method and path replaces the script. A request without a script receives a 404 with a JSON
    /// body that names the reason.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path exactly as sent, `/users/a%2Fb`. A path with a query (`/users?page=2`) is for requests with
    ///     exactly that query and takes precedence; one without is for every query. A segment in braces
    ///     (`/users/{id}`) is for any text there; a path without braces takes precedence.
    ///   - first: The reply to the first request.
    ///   - others: The replies to further requests.
    public func on(_ method: HTTPMethod, _ path: String, _ first: Reply, _ others: Reply...) {
        engine.state.withLock { $0.book.set([first] + others, for: method, path) }
    }

    /// Computes the answer to each request of a method and path.
    ///
    /// ```swift
    /// server.on(.post, "/echo") { request in .data(request.body, contentType: request.headers[.contentType] ?? "") }
    /// ```
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path exactly as sent, with or without a query.
    ///   - answer: Returns the reply to a request; called on the connection's thread.
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        answering answer: @escaping @Sendable (RecordedRequest) -> Reply
    ) {
        engine.state.withLock { $0.book.set(answer, for: method, path) }
    }

    /// All requests so far, in the order of arrival. A request is included once all of it has arrived, before the
    /// reply.
    public var requests: [RecordedRequest] { engine.state.withLock { $0.requests } }

    /// Waits until that many requests have arrived.
    ///
    /// ```swift
    /// server.on(.get, "/users", .hold)
    /// let call = Task { try await client.fetch(.users) }
    /// try await server.waitForRequests(count: 1)
    /// call.cancel()
    /// ```
    /// - Parameter count: The number of requests to wait for, counted from the server's start.
    /// - Returns: All requests so far, at least `count`.
    /// - Throws: `CancellationError` when the task is cancelled, ``FaultServerError`` when the server is stopped.
    @discardableResult
    public func waitForRequests(count: Int) async throws -> [RecordedRequest] {
        let requests: [RecordedRequest]? = try await engine.state.wait { state in
            if state.requests.count >= count { return .some(state.requests) }
            return state.isStopped ? .some(nil) : nil
        }
        guard let requests else { throw FaultServerError("stopped before \(count) requests arrived") }
        return requests
    }

    /// Releases every held request that has arrived so far; later requests are held again.
    public func release() { engine.release() }

    /// Ends the server: refuses new connections and closes all open ones. Those with a reply that is held or delayed
    /// are reset. Returns at once.
    public func stop() { engine.stop() }

    /// Waits until the server is stopped and its last connection and thread have ended.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitUntilStopped() async throws {
        try await engine.state.wait { $0.isStopped && $0.threads == 0 ? () : nil }
    }
}

/// The error of a ``FaultServer`` that cannot start or that was stopped.
public struct FaultServerError: Error, Sendable, Redacted {
    /// The reason as text.
    public let description: String

    init(_ description: String) { self.description = description }
}
