public import Bilayer
import Foundation

/// A transport that responds from memory, with a script or a closure. It sends no requests.
///
/// Choose it if only the response matters; choose ``FaultServer`` for faults of the connection (cuts, resets, slow
/// bytes).
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/v1/users", .json("[]"), .failure(TransportError(.timedOut)))   // first, second request
/// let client = Client(baseURL: URL(string: "https://api.example.com/v1")!, transport: stub)
/// _ = try await client.fetch(.users)
/// #expect(stub.requests.map(\.method) == [.get])
/// ```
///
/// A segment in braces matches every segment: `/users/{id}`. Of several scripts for a request, the one with its query
/// takes precedence, then its whole path, then the pattern with the fewest braces.
///
/// As the transport of one route's pipeline:
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

    /// Makes a stub. A request without a script fails with a `TransportError` that names the request and the scripts.
    ///
    /// For a server's 404 script it: `stub.on(.get, "/users/{id}", .status(404))`, or `StubTransport(.status(404))` for
    /// every request without a script.
    public init() { fallback = nil }

    /// Makes a stub with one answer to every request without a script.
    public init(_ answer: Answer) { fallback = answer }

    /// Makes a stub that computes the answer to every request without a script.
    /// - Parameter answer: Returns the response, or throws the transport's error.
    public convenience init(
        _ answer: @escaping @Sendable (_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse
    ) {
        self.init(Answer(answer))
    }

    /// Scripts the answers to a method and path: the first answer for the first request, the second for the second, and
    /// the last one for all further requests. Another call for that method and path replaces the script.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The whole path of the address, percent-encoded. A path with a query (`/users?page=2`) is for requests
    ///     with exactly that query and takes precedence; one without is for every query. A segment in braces matches
    ///     every one that is not empty: `/users/{id}`.
    ///   - first: The answer to the first request.
    ///   - others: The answers to further requests.
    public func on(_ method: HTTPMethod, _ path: String, _ first: Answer, _ others: Answer...) {
        state.withLock { $0.book.set([first] + others, for: method, path) }
    }

    /// Computes the answer to each request of a method and path.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The whole path of the address, percent-encoded, with or without a query, or a pattern: `/users/{id}`.
    ///   - answer: Returns the response to a request, or throws the transport's error.
    public func on(_ method: HTTPMethod, _ path: String, answering answer: @escaping @Sendable (HTTPRequest) -> Answer)
    {
        state.withLock { $0.book.set(answer, for: method, path) }
    }

    /// All requests so far, in the order of arrival.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Waits until that many requests have arrived.
    /// - Parameter count: The number of requests to wait for, counted from the first one.
    /// - Returns: All requests so far, at least `count`.
    /// - Throws: `CancellationError` when the task is cancelled.
    @discardableResult
    public func waitForRequests(count: Int) async throws -> [HTTPRequest] {
        try await state.wait { $0.requests.count >= count ? $0.requests : nil }
    }

    /// `true`: an answer may be a response with a stream.
    public var streamsResponses: Bool { true }

    /// Returns the next answer to the request.
    /// - Throws: The error of the answer, `TransportError` for an invalid request and one without a script, and
    ///   `CancellationError` if the task is cancelled already.
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
