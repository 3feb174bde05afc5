public import Bilayer
public import Foundation

/// An HTTP/1.1 server on the loopback interface for an app's own tests, scripted request by request, faults included.
///
/// Choose it when the way over real sockets matters: retry, cancellation, time limits, broken answers. Choose
/// ``StubTransport`` when only the answer matters.
///
/// ```swift
/// let server = try await FaultServer.start()
/// server.on(.get, "/users", .json("[]"), .delayed(.seconds(2)), .resetInBody(after: 10))  // first, second, third request
/// let client = Client(baseURL: server.url)
/// let users = try await client.fetch(.users)
/// #expect(server.requests.count == 1)
/// ```
///
/// Each server listens on a port of its own, which the system chooses, so tests can run side by side. It ends with the
/// last reference to it, or with ``stop()``; connections and threads end with it.
public final class FaultServer: Sendable {
    /// The server's address: `http://127.0.0.1:` and its port.
    public let url: URL
    let engine: ServerEngine

    private init(url: URL, engine: ServerEngine) {
        self.url = url
        self.engine = engine
    }

    deinit { engine.stop() }

    /// Starts a server; it listens when this returns.
    /// - Parameter bodyLimit: The most bytes of a request's body; longer ones are answered with 413.
    /// - Returns: The running server.
    /// - Throws: ``FaultServerError`` when the system gives no socket.
    public static func start(bodyLimit: Int = 64 << 20) async throws -> FaultServer {
        do {
            let engine = try ServerEngine(limits: RequestLimits(body: max(bodyLimit, 0)))
            guard let url = URL(string: "http://127.0.0.1:\(engine.port)") else {
                throw FaultServerError("no address for port \(engine.port)")
            }
            engine.start()
            return FaultServer(url: url, engine: engine)
        } catch let error as SystemError {
            throw FaultServerError("cannot listen on 127.0.0.1: \(error)")
        }
    }

    /// Scripts what a method and path are answered with: the first reply for the first request, the second for the
    /// second, and the last one for all that follow.
    ///
    /// A second call for the same method and path takes the place of the first, and starts anew. Requests that nothing
    /// is scripted for get a 404 whose JSON body says so.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path exactly as on the wire, `/users/a%2Fb`; one with a query (`/users?page=2`) is for requests
    ///     with just that query and goes first, one without is for every query.
    ///   - first: The reply to the first request.
    ///   - others: The replies to those that follow.
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
    ///   - path: The path exactly as on the wire, with or without a query.
    ///   - answer: Gives the reply to a request; called on the connection's thread.
    public func on(
        _ method: HTTPMethod,
        _ path: String,
        answering answer: @escaping @Sendable (RecordedRequest) -> Reply
    ) {
        engine.state.withLock { $0.book.set(answer, for: method, path) }
    }

    /// All requests so far, in the order of arrival. A request counts as soon as all of it has arrived, before it is
    /// answered.
    public var requests: [RecordedRequest] { engine.state.withLock { $0.requests } }

    /// Waits until that many requests have arrived.
    ///
    /// ```swift
    /// server.on(.get, "/users", .hold)
    /// let call = Task { try await client.fetch(.users) }
    /// try await server.waitForRequests(count: 1)
    /// call.cancel()
    /// ```
    /// - Parameter count: The number of requests to wait for, over the server's whole life.
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

    /// Lets every held request that has arrived so far go on; those that arrive later are held anew.
    public func release() { engine.release() }

    /// Ends the server: refuses new connections and breaks off all that are open, held and delayed ones too. Returns at
    /// once.
    public func stop() { engine.stop() }

    /// Waits until the server is stopped and its last connection and thread have ended.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitUntilStopped() async throws {
        try await engine.state.wait { $0.isStopped && $0.threads == 0 ? () : nil }
    }
}

/// Why a ``FaultServer`` cannot do what it was asked for.
public struct FaultServerError: Error, Sendable, Redacted {
    /// The reason as text.
    public let description: String

    init(_ description: String) { self.description = description }
}
