public import Bilayer

/// Answers requests from a ``Recording``, without a network.
///
/// A request gets the response of the recorded one with the same method, path, query items and body, in whatever order
/// the requests come. If there are several, it gets the first, then the second, and the last one from then on. Host,
/// header fields, redacted values and bodies that are streams do not matter.
///
/// ```swift
/// let recording = try Recording(contentsOf: URL(fileURLWithPath: "users.json"))
/// let client = Client(baseURL: server.url, transport: ReplayingTransport(recording))
/// let users = try await client.fetch(.users)
/// ```
public final class ReplayingTransport: Transport {
    private let recording: Recording
    private let responses: [Recording.RequestKey: [HTTPResponse]]
    private let used = Watched<[Recording.RequestKey: Int]>([:])

    /// Makes a transport.
    /// - Parameter recording: The exchanges.
    public init(_ recording: Recording) {
        self.recording = recording
        responses = Dictionary(grouping: recording.exchanges, by: \.request).mapValues { $0.map(\.response) }
    }

    /// Answers from the recording.
    /// - Throws: `TransportError` that names the recorded requests of this path if there is no such exchange.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let key = recording.redaction.key(of: request)
        guard let known = responses[key], let last = known.last else { throw unknown(key) }
        let turn = used.withLock { used in
            defer { used[key, default: 0] += 1 }
            return used[key, default: 0]
        }
        var response = turn < known.count ? known[turn] : last
        response.url = request.url
        return response
    }

    /// The recorded requests that were never sent: `GET /users`.
    public var unusedRequests: [String] {
        let used = used.withLock { $0 }
        return responses.keys.filter { used[$0] == nil }.map(\.text).sorted()
    }

    private func unknown(_ key: Recording.RequestKey) -> TransportError {
        let path = key.target.prefix { $0 != "?" }
        let similar = responses.keys.filter { $0.target.prefix { $0 != "?" } == path }
        let reason =
            similar.isEmpty
            ? "no request of this path is recorded"
            : similar.contains { $0.method == key.method && $0.target == key.target }
                ? "recorded with another body" : "recorded with another method or query"
        return TransportError(.unsupported, detail: "found \(key.method) \(redactedAddress(String(path))), \(reason)")
    }
}

extension ReplayingTransport: Redacted {
    /// The number of exchanges.
    public var description: String { "ReplayingTransport(\(recording.exchanges.count))" }
}
