public import Bilayer

/// A transport around another one that keeps what went out and what came back.
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
/// Where it stands in the chain decides what it sees: inside of a retry each attempt, outside of it the call as a
/// whole.
public final class RecordingTransport: Transport {
    /// One request and how it ended.
    public struct Exchange: Sendable {
        /// The request as it reached this transport.
        public let request: HTTPRequest
        /// The response, or the error that was thrown.
        public let result: Result<HTTPResponse, any Error>
    }

    private let base: AnyNode<HTTPRequest, HTTPResponse>
    private let log = Watched<[Exchange]>([])

    /// Makes a recording transport.
    /// - Parameter base: The transport that does the work.
    public init(_ base: some Node<HTTPRequest, HTTPResponse>) { self.base = base.erased() }

    /// Everything that has ended so far, in the order of the ends.
    public var exchanges: [Exchange] { log.withLock { $0 } }

    /// Hands the request on and keeps how it ended.
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
    /// The transport inside, and that it is recorded: `RecordingTransport(URLSessionTransport)`.
    public var description: String { "RecordingTransport(\(base))" }
}
