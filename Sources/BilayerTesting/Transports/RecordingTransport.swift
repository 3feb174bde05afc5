public import Bilayer

/// A transport that wraps another one and records requests and responses.
///
/// ```swift
/// let recording = RecordingTransport(URLSessionTransport())
/// let client = Client(baseURL: server.url, transport: recording)
/// _ = try await client.fetch(.users)
/// let exchange = try #require(recording.exchanges.first)
/// #expect(exchange.request.headers[.accept] == "application/json")
/// #expect(try exchange.result.get().status == 200)
/// ```
///
/// Its position in the chain decides what it records: inside a retry each attempt, outside it the whole call.
public final class RecordingTransport: Transport {
    /// One request and its outcome.
    public struct Exchange: Sendable {
        /// The request that this transport received.
        public let request: HTTPRequest
        /// The response, or the error that was thrown.
        public let result: Result<HTTPResponse, any Error>
    }

    private let base: AnyNode<HTTPRequest, HTTPResponse>
    private let log = Watched<[Exchange]>([])

    /// Makes a recording transport.
    /// - Parameter base: The transport that sends the requests.
    public init(_ base: some Node<HTTPRequest, HTTPResponse>) { self.base = base.erased() }

    /// All ended exchanges so far, in the order in which they ended.
    public var exchanges: [Exchange] { log.withLock { $0 } }

    /// Passes the request on and records the outcome.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        let result: Result<HTTPResponse, any Error>
        do {
            result = .success(try await base.process(request, in: context))
        } catch {
            result = .failure(error)
        }
        log.withLock { $0.append(Exchange(request: request, result: result)) }
        return try result.get()
    }
}

extension RecordingTransport: Redacted {
    /// The type with the wrapped transport: `RecordingTransport(URLSessionTransport)`.
    public var description: String { "RecordingTransport(\(base))" }
}
