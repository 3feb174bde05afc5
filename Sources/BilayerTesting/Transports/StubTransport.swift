public import Bilayer
import Foundation

/// A transport that answers in memory, scripted request by request or computed. Nothing leaves the process.
///
/// Choose it when only the answer matters; choose ``FaultServer`` for what happens on the way (cuts, resets, slow
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
/// In place of one route's transport:
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

    /// Makes a stub. Requests that nothing is scripted for get a 404 whose JSON body says so.
    public init() { fallback = nil }

    /// Makes a stub that gives one answer to every request that nothing is scripted for.
    public init(_ answer: Answer) { fallback = answer }

    /// Makes a stub that computes the answer to every request that nothing is scripted for.
    /// - Parameter answer: Gives the response, or throws what the transport shall throw.
    public convenience init(
        _ answer: @escaping @Sendable (_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse
    ) {
        self.init(Answer(answer))
    }

    /// Scripts what a method and path are answered with: the first answer for the first request, the second for the
    /// second, and the last one for all that follow. A second call for the same method and path takes the place of the
    /// first.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The address' whole path, percent-encoded; one with a query (`/users?page=2`) is for requests with just
    ///     that query and goes first, one without is for every query.
    ///   - first: The answer to the first request.
    ///   - others: The answers to those that follow.
    public func on(_ method: HTTPMethod, _ path: String, _ first: Answer, _ others: Answer...) {
        state.withLock { $0.book.set([first] + others, for: method, path) }
    }

    /// Computes the answer to each request of a method and path.
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The address' whole path, percent-encoded, with or without a query.
    ///   - answer: Gives the answer to a request.
    public func on(_ method: HTTPMethod, _ path: String, answering answer: @escaping @Sendable (HTTPRequest) -> Answer)
    {
        state.withLock { $0.book.set(answer, for: method, path) }
    }

    /// All requests so far, in the order of arrival.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Waits until that many requests have come.
    /// - Parameter count: The number of requests to wait for, over the stub's whole life.
    /// - Returns: All requests so far, at least `count`.
    /// - Throws: `CancellationError` when the task is cancelled.
    @discardableResult
    public func waitForRequests(count: Int) async throws -> [HTTPRequest] {
        try await state.wait { $0.requests.count >= count ? $0.requests : nil }
    }

    /// Gives the next answer for the request.
    /// - Throws: What the answer throws, `TransportError` for a request that may not be sent, and
    ///   `CancellationError` when the task is cancelled already.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try Task.checkCancellation()
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
        .json(state.withLock { $0.book.explanation(for: method, target) }, status: 404)
    }
}
