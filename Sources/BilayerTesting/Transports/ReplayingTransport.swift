public import Bilayer
import Foundation

/// A transport that responds to requests from a ``Recording``, without a network.
///
/// A request receives the response of the recorded request with the same method, path, query items and body. The order
/// of query items and of the items of a form (`application/x-www-form-urlencoded`) matters only among equal names, the
/// order of JSON members never. The order of requests that differ in more than secrets does not matter. If several
/// equal requests were recorded, the first request receives the first response, the second the second. All further
/// requests receive the last response. Hosts, header fields and streamed bodies are not compared. A request for a
/// stream receives the body of a successful response as a stream. If the connection of a recorded stream was lost, the
/// replayed stream ends with the same error after the bytes that were received. If its reader left it, the replayed
/// stream ends with an error after the bytes that were read. If the response is not returned as a stream, the error is
/// thrown. There is one exception: an unsuccessful response whose reader left its stream is returned.
///
/// If only one value was recorded in the place of a secret, any value matches it. Otherwise the first value in the test
/// matches the first recorded value, the next different value matches the next recorded value, and so on. If such
/// values are not secret, add their names to `keeping`. If a replayed response contains a recorded placeholder, the app
/// sends that placeholder in later requests. Such a value matches itself.
///
/// ```swift
/// let recording = try Recording(contentsOf: URL(fileURLWithPath: "users.json"))
/// let client = Client(baseURL: server.url, transport: ReplayingTransport(recording))
/// let users = try await client.fetch(.users)
/// ```
public final class ReplayingTransport: Transport {
    private let recording: Recording
    private let variants: [Recording.RequestKey: [Variant]]
    private let state = Watched(State())

    /// The exchanges of one request that have the same secrets.
    fileprivate struct Variant: Sendable {
        let secrets: [String]
        var answers: [Answer]
    }

    fileprivate struct Answer: Sendable {
        var response: HTTPResponse
        /// The address of the response, if that is not the address of the request.
        let place: Recording.Place?
        let cut: Recording.Cut?
    }

    fileprivate struct Place: Hashable {
        let key: Recording.RequestKey
        let index: Int
    }

    fileprivate struct State: Sendable {
        var used: [Place: Int] = [:]
        /// The recorded placeholders, by the values of this run.
        var placeholders: [String: String] = [:]
        /// The placeholders that the app has received.
        var received: Set<String> = []
    }

    /// Makes a transport that replays a recording.
    /// - Parameter recording: The recording.
    public init(_ recording: Recording) {
        self.recording = recording
        var variants: [Recording.RequestKey: [Variant]] = [:]
        for exchange in recording.exchanges {
            var known = variants[exchange.request] ?? []
            let answer = Answer(response: exchange.response, place: exchange.place, cut: exchange.cut)
            if let index = known.firstIndex(where: { $0.secrets == exchange.secrets }) {
                known[index].answers.append(answer)
            } else {
                known.append(Variant(secrets: exchange.secrets, answers: [answer]))
            }
            variants[exchange.request] = known
        }
        self.variants = variants
    }

    /// Always `true`: a successful response has its body as a stream if the request asks for it.
    public var streamsResponses: Bool { true }

    /// Returns the recorded response to the request.
    /// - Throws: `TransportError` if no recorded request matches. It states whether the path, the method or query, the
    ///   body or a redacted value differs. `TransportError` also if the request is invalid, or if the recorded body is
    ///   not whole and is not returned as a stream, unless the reader left an unsuccessful response.
    ///   `CancellationError` if the task was cancelled before. `CacheMissError` under `CachePolicy.cacheOnly`.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try Task.checkCancellation()
        try context.checkMaySend()
        try request.validate()
        context.recordSent(request)
        let (key, secrets) = recording.names.key(of: request)
        guard let known = variants[key] else { throw unknown(key) }
        let found = state.withLock { state -> Answer? in
            guard let index = state.variant(of: known, for: secrets.map(\.text)) else { return nil }
            let turn = state.used[Place(key: key, index: index), default: 0]
            state.used[Place(key: key, index: index)] = turn + 1
            return known[index].answers[min(turn, known[index].answers.count - 1)]
        }
        guard let found else {
            let names = Set(secrets.map(\.name)).sorted().joined(separator: ", ")
            throw unknown(key, "recorded with other values of \(names)")
        }
        var response = found.response.sent(at: Date())
        response.url = found.place?.url(like: request.url) ?? request.url
        if !recording.redactedNames.isEmpty {
            context.note("replayed; redacted: " + recording.redactedNames.joined(separator: ", "))
            let secrets = recording.names.secrets(in: response)
            state.withLock { $0.received.formUnion(secrets) }
        }
        let fault = found.cut.map { $0.error(of: response) }
        if request.streamsResponse, response.status.isSuccess {
            let body = response.body
            response.stream = fault.map { fault in .stream { chunks(body, endingWith: fault) } } ?? .data(body)
            response.body = Data()
        } else if let fault, response.status.isSuccess || found.cut != .left {
            throw fault
        }
        return response
    }

    /// The recorded requests that the test has not sent: `GET /users`.
    public var unusedRequests: [String] {
        let used = state.withLock { $0.used }
        return
            variants.flatMap { key, known in
                known.indices.filter { used[Place(key: key, index: $0)] == nil }.map { _ in key.text }
            }
            .sorted()
    }

    private func unknown(_ key: Recording.RequestKey) -> TransportError {
        let path = key.target.prefix { $0 != "?" }
        let similar = variants.keys.filter { $0.target.prefix { $0 != "?" } == path }
        if similar.isEmpty { return unknown(key, "no request of this path is recorded") }
        let isOtherBody = similar.contains { $0.method == key.method && $0.target == key.target }
        return unknown(key, isOtherBody ? "recorded with another body" : "recorded with another method or query")
    }

    private func unknown(_ key: Recording.RequestKey, _ reason: String) -> TransportError {
        let path = redactedAddress(String(key.target.prefix { $0 != "?" }))
        return TransportError(.unsupported, detail: "found \(key.method) \(path), \(reason)")
    }
}

extension ReplayingTransport.State {
    /// Returns the index of the first variant whose placeholders can represent these values. A single variant
    /// represents any values.
    fileprivate mutating func variant(of variants: [ReplayingTransport.Variant], for values: [String]) -> Int? {
        for (index, variant) in variants.enumerated() {
            guard let found = matching(values, with: variant.secrets) else { continue }
            placeholders = found
            return index
        }
        return variants.count == 1 ? 0 : nil
    }

    /// Returns the placeholders, with those of the new values added. Returns `nil` if there are more or
    /// fewer values than placeholders, or if a value or a placeholder is already paired with another one.
    private func matching(_ values: [String], with secrets: [String]) -> [String: String]? {
        guard values.count == secrets.count else { return nil }
        var known = placeholders
        for (value, secret) in zip(values, secrets) {
            // A placeholder that the app received in a replayed response is paired with itself. Such a placeholder may
            // be a number.
            let isOwn = value.hasPrefix(Placeholders.prefix) || known[value] == nil && received.contains(value)
            let partner = isOwn ? value : known[value]
            if partner == secret { continue }
            guard partner == nil, !known.values.contains(secret) else { return nil }
            known[value] = secret
        }
        return known
    }
}

extension Recording.Cut {
    fileprivate func error(of response: HTTPResponse) -> TransportError {
        switch self {
        case .lost(let kind): TransportError(kind, detail: "replayed", response: response)
        case .left:
            TransportError(.other, detail: "the recorded stream was left after these bytes", response: response)
        }
    }
}

/// Returns a stream of the bytes that ends with a fault.
private func chunks(_ body: Data, endingWith fault: TransportError) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { chunks in
        chunks.yield(body)
        chunks.finish(throwing: fault)
    }
}

extension ReplayingTransport: Redacted {
    /// The number of exchanges.
    public var description: String { "ReplayingTransport(\(recording.exchanges.count))" }
}
