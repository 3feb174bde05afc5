import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Each call is held at one place until it is cancelled, at most 300 microseconds after its start. So it is cancelled
/// before it runs, on its way to the place, or at the place. If a cancel is lost, the test hangs.
///
/// `BILAYER_STORMS=8` cancels a thousand calls at each place.
@Suite("Cancel races at every stage of a call", .timeLimit(.minutes(10)))
struct CancelRaceTests {
    /// Where the calls stand still.
    enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
        // The request encoding.
        case mappingOfTheBody, nodeOfTheRequest
        // Around the transport.
        case headerProvider, signing, token, permit, rate, waitOfARetry
        case cache, deduplication, deadline, attemptDeadline, circuitBreaker, failover
        // The transport.
        case stub
        // The response.
        case nodeOfTheJson, mapping, nodeOfTheEntry, conversion, nodeOfTheModel

        var testDescription: String { rawValue }
    }

    @Test(arguments: Place.allCases)
    func noCancelIsLost(at place: Place) async throws {
        let transport = CountedHold()
        let client = try await place.client(with: transport)
        let before = transport.arrivals
        let outcomes = await cancelCalls { try await place.call(client) }
        #expect(outcomes.counts == ["CancellationError": Self.count], "seed \(outcomes.seed)")
        if place.isBeforeTheTransport { #expect(transport.arrivals == before, "seed \(outcomes.seed)") }
    }

    @Test(arguments: BuiltInTransport.allCases, ["held", "moved", "head", "stalled"])
    func noCancelIsLostOverSockets(by choice: BuiltInTransport, at path: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/held", .hold)
        server.on(.get, "/moved", .redirect(to: "/held"))
        server.on(.get, "/head", .stallInHead)
        server.on(.get, "/stalled", .stallInBody(after: 5))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let outcomes = await cancelCalls { _ = try await client.fetch(Route<Json>.get("\(path)")) }
        #expect(outcomes.counts == ["CancellationError": Self.count], "seed \(outcomes.seed)")
    }

    /// Nothing stands still, so the calls end by their cancel or with their value.
    @Test func aCallThatIsCancelledNearItsEndHasOneOfTwoOutcomes() async throws {
        let client = Client(baseURL: URL("https://api.example.com"), transport: StubTransport(.json("[1]")))
        let outcomes = await cancelCalls { _ = try await client.fetch(Route<SlowModel>.get("users")) }
        #expect(Set(outcomes.counts.keys).isSubset(of: ["CancellationError", "value"]), "seed \(outcomes.seed)")
        #expect(outcomes.counts.values.reduce(0, +) == Self.count)
    }

    private static let storms = ProcessInfo.processInfo.environment["BILAYER_STORMS"].flatMap { Int($0) } ?? 1
    private static let count = 125 * storms

    /// Cancels calls, five at a time.
    /// - Returns: How many calls had each outcome (`value`, or the type of the error), and the seed of the run.
    private func cancelCalls(
        _ call: @escaping @Sendable () async throws -> Void
    ) async -> (counts: [String: Int], seed: UInt64) {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["BILAYER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        let counts = await withTaskGroup(of: [String: Int].self) { group in
            for worker in 0..<5 {
                group.addTask {
                    var random = SplitMix64(seed: seed &+ UInt64(worker))
                    var counts: [String: Int] = [:]
                    for _ in 0..<Self.count / 5 {
                        let task = Task { try await call() }
                        let end = ContinuousClock.now + .microseconds(Int64.random(in: 0...300, using: &random))
                        while ContinuousClock.now < end {}
                        task.cancel()
                        switch await task.result {
                        case .success: counts["value", default: 0] += 1
                        case .failure(let error): counts["\(type(of: error))", default: 0] += 1
                        }
                    }
                    return counts
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        return (counts, seed)
    }
}

// MARK: - Places

extension CancelRaceTests.Place {
    /// Whether no call of this place reaches the transport that never answers. Calls that wait for a retry were refused
    /// before they reached it.
    var isBeforeTheTransport: Bool {
        [.nodeOfTheRequest, .headerProvider, .signing, .token, .permit, .rate, .waitOfARetry].contains(self)
    }

    func call(_ client: Client) async throws {
        switch self {
        case .mappingOfTheBody: try await client.fetch(Route<Void>.post("users", body: SlowBody()))
        case .mapping: _ = try await client.fetch(Route<SlowEntry>.get("users"))
        default: _ = try await client.fetch(Route<SlowModel>.get("users"))
        }
    }

    /// A client whose calls stand still at this place. Its transport never answers, unless the place is behind the
    /// transport.
    func client(with transport: CountedHold) async throws -> Client {
        let base = URL("https://api.example.com")
        func around(_ middleware: some Middleware<HTTPRequest, HTTPResponse>) -> Client {
            Client(baseURL: base, transport: transport.wrapped(by: middleware))
        }
        var held = Client(baseURL: base, transport: transport)
        var answered = Client(baseURL: base, transport: StubTransport(.json("[1]")))
        switch self {
        case .mappingOfTheBody, .stub: return held
        case .nodeOfTheRequest:
            held.request.append { request, _ in try await standStill(request) }
            return held
        case .headerProvider: return around(HeaderProvider { _ in try await standStill([:]) })
        case .signing: return around(Signing { request in try await standStill(request) })
        case .token:
            let tokens = BearerTokens(limit: 1_000_000) { try await standStill("token") }
            return around(.authentication(tokens))
        case .permit: return try await occupied(around(.concurrency(perHost: 1)), transport)
        case .rate: return try await occupied(around(.rate(1, per: .seconds(86_400))), transport)
        case .waitOfARetry:
            let policy = RetryPolicy.exponential(attempts: 2, firstWait: .seconds(86_400), jitter: .none)
            // The first attempt of each call is refused; another one would reach the transport.
            let refused = Locked<Set<String>>([])
            let refusing = AnyNode<HTTPRequest, HTTPResponse> { request, context in
                let isFirst = refused.withLock { $0.insert(request.headers["X-Call"] ?? "").inserted }
                return isFirst ? HTTPResponse(status: 503) : try await transport.process(request, in: context)
            }
            var client = Client(baseURL: base, transport: refusing.wrapped(by: .retry(policy)))
            client.request.append { request, context in
                var request = request
                request.headers["X-Call"] = context.id.uuidString
                return request
            }
            return client
        case .cache: return around(.cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        case .deduplication: return around(.deduplication)
        case .deadline: return around(.deadline(.seconds(86_400)))
        case .attemptDeadline: return around(.attemptDeadline(.seconds(86_400)))
        case .circuitBreaker: return around(.circuitBreaker(failures: 1, pause: .seconds(86_400)))
        case .failover: return around(.failover([base, URL("https://eu.example.com")]))
        case .nodeOfTheJson: answered.raw.append { json, _ in try await standStill(json) }
        case .mapping, .nodeOfTheEntry: answered.entry.append(StandStill())
        case .conversion, .nodeOfTheModel: answered.model.append(StandStill())
        }
        return answered
    }

    /// A client with a call that never ends. The call has the only permit, or the only turn of the day at a rate limit.
    private func occupied(_ client: Client, _ transport: CountedHold) async throws -> Client {
        Task { try await call(client) }
        try await transport.stub.waitForRequests(count: 1)
        return client
    }
}

/// A transport that never answers. Unlike its stub, it counts the requests of cancelled calls, too.
struct CountedHold: Transport {
    let stub = StubTransport(.hold)
    private let count = Locked(0)

    var arrivals: Int { count.withLock(\.self) }

    func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        count.withLock { $0 += 1 }
        return try await stub.process(request, in: context)
    }
}

/// What a stage throws when it is cancelled is not the call's error.
private struct Interrupted: Error {}

private func standStill<Value>(_ value: Value) async throws -> Value {
    do { try await Task.sleep(for: .seconds(86_400)) } catch { throw Interrupted() }
    return value
}

private struct StandStill: PassthroughNode {
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        try await standStill(value)
    }
}

/// Mapping and conversion do not suspend. They take some time, so that a cancel can come during them.
private func takeTime() {
    let end = ContinuousClock.now + .microseconds(100)
    while ContinuousClock.now < end {}
}

private struct SlowBody: RawEncodable {
    func toRaw() throws -> Json {
        takeTime()
        return [1]
    }
}

private struct SlowEntry: RawDecodable {
    static func from(raw: Json) throws -> Self {
        takeTime()
        return Self()
    }
}

private struct SlowModel: DTODecodable {
    static func from(dto: SlowEntry) throws -> Self {
        takeTime()
        return Self()
    }
}
