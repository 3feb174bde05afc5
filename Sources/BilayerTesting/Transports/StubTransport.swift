public import Bilayer
import Foundation

/// A transport that responds from memory, by a script or a closure. It sends no requests.
///
/// Use it if only the response matters. Use ``FaultServer`` for faults of the connection, such as cuts, resets and slow
/// bytes.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/v1/users", .json("[]"), .failure(TransportError(.timedOut)))   // first, second request
/// let client = Client(baseURL: URL(string: "https://api.example.com/v1")!, transport: stub)
/// _ = try await client.fetch(.users)
/// #expect(stub.requests.map(\.method) == [.get])
/// ```
///
/// A segment in braces matches every segment that is not empty: `/users/{id}`. If several scripts match a request, the
/// script with its exact query takes precedence. Next is the script with its exact path, then the pattern with the
/// fewest segments in braces.
///
/// To replace the transport of a single route's pipeline:
///
/// ```swift
/// let offline = client.pipeline(for: .users).replacing(transport: StubTransport(.json("[]")))
/// ```
public final class StubTransport: Transport {
    private struct State: Sendable {
        var book = ScriptBook<HTTPRequest, Answer>()
        var requests: [HTTPRequest] = []
    }

    private let state = Watched(State())
    private let fallback: Answer?

    /// Makes a stub without a fallback. A request without a script fails with a `TransportError` that names the request
    /// and the existing scripts.
    ///
    /// For a 404 instead of the error, script the request: `stub.on(.get, "/users/{id}", .status(404))`. For all
    /// requests without a script, use `StubTransport(.status(404))`.
    public init() { fallback = nil }

    /// Makes a stub that gives one answer to every request without a script.
    public init(_ answer: Answer) { fallback = answer }

    /// Makes a stub that computes the answer to every request without a script.
    /// - Parameter answer: Returns the response, or throws the transport's error.
    public convenience init(
        _ answer: @escaping @Sendable (_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse
    ) {
        self.init(Answer(answer))
    }

    /// Scripts the answers to a method and path. The first request receives the first answer, the second request the
    /// second. All further requests receive the last answer. A later call for the same method and path replaces the
    /// script.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The whole path of the address, percent-encoded. A path without a query matches every query. A path
    ///     with a query (`/users?page=2`) matches only this query, and takes precedence. A segment in braces matches
    ///     every segment that is not empty: `/users/{id}`. Such a path has no query.
    ///   - first: The answer to the first request.
    ///   - others: The answers to further requests.
    public func on(_ method: HTTPMethod, _ path: String, _ first: Answer, _ others: Answer...) {
        state.withLock { $0.book.set([first] + others, for: method, path) }
    }

    /// Scripts a closure that chooses the answer to each request of a method and path.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The whole path of the address, percent-encoded, with or without a query, or a pattern: `/users/{id}`.
    ///   - answer: Returns the answer to a request.
    public func on(_ method: HTTPMethod, _ path: String, answering answer: @escaping @Sendable (HTTPRequest) -> Answer)
    {
        state.withLock { $0.book.set(answer, for: method, path) }
    }

    /// All requests so far, in the order of arrival. An invalid request is refused and not added.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Waits until at least `count` requests have arrived.
    /// - Parameter count: The number of requests to wait for, counted from the first request.
    /// - Returns: All requests so far, at least `count`.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    @discardableResult
    public func waitForRequests(count: Int) async throws -> [HTTPRequest] {
        try await state.wait { $0.requests.count >= count ? $0.requests : nil }
    }

    /// Always `true`, because an answer can be a response with a stream.
    public var streamsResponses: Bool { true }

    /// Returns the next answer to the request.
    /// - Throws: The error of the answer. `TransportError` if the request is invalid, or if it has no script and the
    ///   stub has no fallback. `CancellationError` if the task was cancelled before. `CacheMissError` under
    ///   `CachePolicy.cacheOnly`.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try Task.checkCancellation()
        try context.checkMaySend()
        try request.validate()
        context.recordSent(request)
        let target = target(of: request)
        let answering = state.withLock { state in
            state.requests.append(request)
            return state.book.next(for: request.method, target)
        }
        let answer = answering?(request) ?? fallback ?? unscripted(request.method, target)
        var response = try await answer.respond(request, context)
        if request.method == .head { response.body = Data() }
        if response.url == nil { response.url = request.url }
        return response
    }

    private func target(of request: HTTPRequest) -> String {
        let path = request.url.path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (request.url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    }

    private func unscripted(_ method: HTTPMethod, _ target: String) -> Answer {
        let known = state.withLock { $0.book.known }
        let request = "\(method) \(redactedAddress(target))"
        return .failure(
            TransportError(
                .unsupported,
                detail: "nothing is scripted for \(request); scripted: \(known.isEmpty ? "nothing" : known)"
            )
        )
    }
}

extension StubTransport: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
