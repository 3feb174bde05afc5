import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private let base = URL("https://api.example.com")
private let users = Route<Json>.get("users")
private let retry = Retry(.exponential(attempts: 3, firstWait: .zero))

extension Watcher {
    /// The events without times and call ids.
    fileprivate var texts: [String] {
        events.map { event in
            guard case .ended(let metrics, let failure) = event.kind else {
                return event.text.replacing(/call [-0-9A-F]{36}/, with: "call ID")
            }
            return "ended: \(metrics.attempts) attempts" + (failure == nil ? "" : ", failed")
        }
    }
}

/// A gate that is opened once, and for which tasks wait.
private struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}

private func client(
    _ transport: some Node<HTTPRequest, HTTPResponse>,
    _ watcher: Watcher,
    clock: any Clock<Duration> = ContinuousClock()
) -> Client {
    var client = Client(baseURL: base, transport: transport, clock: clock)
    client.observer = watcher
    return client
}

@Suite("Deduplication: what the calls tell", .timeLimit(.minutes(5)))
struct SharedEventsTests {
    private let watcher = Watcher()

    /// Waits until that many calls wait for one request.
    private static func wait(for count: Int, in deduplication: Deduplication) async {
        while deduplication.waiting < count { await Task.yield() }
    }

    /// Answers 503 and then 200, and measures both exchanges.
    private static func unsteady() -> AnyNode<HTTPRequest, HTTPResponse> {
        let stub = StubTransport()
        stub.on(.get, "/users", .status(503), .json("[]"))
        return AnyNode { request, context in
            defer { context.recordTransfer(TransferMetrics(total: .milliseconds(1))) }
            return try await stub.process(request, in: context)
        }
    }

    @Test func theFirstCallTellsWhatItTellsAlone() async throws {
        let plain = Watcher()
        let alone = try await client(Self.unsteady().wrapped(by: retry), plain).send(users)
        let shared = try await client(Self.unsteady().wrapped(by: retry).wrapped(by: .deduplication), watcher)
            .send(users)
        #expect(watcher.texts == plain.texts)
        #expect(watcher.texts.last == "ended: 2 attempts")
        #expect(shared.transferMetrics.count == 2)
        #expect(shared.events.map(\.text).count == alone.events.map(\.text).count)
    }

    @Test func aStoredResponseIsNoAttempt() async throws {
        let cache = HTTPCache(.memory(maximumBytes: 1 << 20))
        let stub = StubTransport(.json("[]", headers: ["Cache-Control": "max-age=60"]))
        let client = client(stub.wrapped(by: .cache(cache)).wrapped(by: .deduplication), watcher)
        _ = try await client.fetch(users)
        let count = watcher.texts.count
        _ = try await client.fetch(users)
        let second = watcher.texts.dropFirst(count)
        #expect(second.last == "ended: 0 attempts")
        #expect(!second.contains { $0.hasPrefix("sent") })
    }

    @Test func afterADeadlineWhatHappenedSoFarIsThere() async throws {
        let stub = StubTransport()
        stub.on(.get, "/users", .status(503), .status(503), .hold)
        let clock = TestClock()
        let transport = stub.wrapped(by: HeaderProvider { _ in ["X-Added": "1"] }).wrapped(by: retry)
            .wrapped(by: .deduplication).wrapped(by: .deadline(.seconds(20)))
        let client = client(transport, watcher, clock: clock)
        let call = Task { try await client.fetch(users) }
        try await stub.waitForRequests(count: 3)
        try await clock.advanceToNextSleeper()
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect(error.events.filter { $0.text.hasPrefix("sent") }.count == 3)
        #expect(error.request?.headers["X-Added"] == "1")
        #expect(watcher.texts.filter { $0.hasPrefix("attempt") }.count == 2)
        #expect(watcher.texts.last == "ended: 3 attempts, failed")
    }

    @Test func afterACancelWhatHappenedSoFarIsThere() async throws {
        let stub = StubTransport(.hold)
        let client = client(stub.wrapped(by: .deduplication), watcher)
        let call = Task { try await client.fetch(users) }
        try await stub.waitForRequests(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(watcher.texts.contains("sent GET https://api.example.com/users"))
        #expect(watcher.texts.last == "ended: 1 attempts, failed")
    }

    @Test func aFailedRefreshSendsNoRequest() async throws {
        let stub = StubTransport(.json("[]"))
        let tokens = BearerTokens { () -> String in throw TransportError(.notConnected) }
        let transport = stub.wrapped(by: .authentication(tokens)).wrapped(by: .deduplication)
        await #expect(throws: CallError.self) { try await client(transport, watcher).fetch(users) }
        #expect(stub.requests.isEmpty)
        #expect(!watcher.texts.contains { $0.hasPrefix("sent") })
        #expect(watcher.texts.last == "ended: 0 attempts, failed")
    }

    @Test func aCallThatJoinsSaysSoAndWhatItGot() async throws {
        let gate = Gate()
        let stub = StubTransport { _, _ in
            await gate.wait()
            return HTTPResponse(status: 200, body: Data("[]".utf8))
        }
        let deduplication = Deduplication()
        let transport = stub.wrapped(by: deduplication)
        let starting = Watcher()
        let first = Task { [client = client(transport, starting)] in try await client.send(users) }
        await Self.wait(for: 1, in: deduplication)
        let second = Task { [client = client(transport, watcher)] in try await client.send(users) }
        await Self.wait(for: 2, in: deduplication)
        gate.open()
        let started = try await first.value
        let joined = try await second.value
        #expect(
            watcher.texts == [
                "began", "request encoding ended", "joined an equal request in flight",
                "shared with call ID: 200 OK, 2 B", "transport ended", "raw mapping ended", "DTO conversion ended",
                "ended: 0 attempts",
            ]
        )
        #expect(starting.texts.last == "ended: 1 attempts")
        #expect(joined.events.contains { $0.text.contains("\(started.callID)") })
        #expect(joined.value == started.value)
    }

    @Test func whatHappensAfterTheFirstCallHasLeftIsInNoCall() async throws {
        let gate = Gate()
        let stub = StubTransport()
        stub.on(.get, "/users", .json("[1]"))
        let held = AnyNode<HTTPRequest, HTTPResponse> { request, context in
            await gate.wait()
            context.note("held")
            return try await stub.process(request, in: context)
        }
        let deduplication = Deduplication()
        let transport = held.wrapped(by: deduplication)
        let starting = Watcher()
        let first = Task { [client = client(transport, starting)] in try await client.fetch(users) }
        await Self.wait(for: 1, in: deduplication)
        let second = Task { [client = client(transport, watcher)] in try await client.fetch(users) }
        await Self.wait(for: 2, in: deduplication)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let before = starting.texts
        #expect(before.last == "ended: 0 attempts, failed")
        gate.open()
        #expect(try await second.value.array?.count == 1)
        #expect(starting.texts == before)
        #expect(!watcher.texts.contains("held"))
        #expect(watcher.texts.last == "ended: 0 attempts")
    }

    @Test(arguments: 0..<50) func aRaceInsideShowsTheRequestOfItsOutcome(round: Int) async throws {
        let racing = AnyNode<HTTPRequest, HTTPResponse> { request, _ in
            if request.url.host() == "slow.example" { try await Task.sleep(for: .seconds(3_600)) }
            if round.isMultiple(of: 2) { throw TransportError(.connectionLost) }
            return HTTPResponse(status: 500)
        }
        let race = Race(hosts: ["slow.example", "fast.example"])
        let client = client(racing.wrapped(by: race).wrapped(by: .deduplication), watcher)
        let error = try #require(await #expect(throws: CallError.self) { try await client.fetch(users) })
        #expect(error.request?.url.host() == "fast.example")
    }

    /// Observed calls start, leave and are answered at random: for the thread sanitizer.
    @Test(arguments: 0..<20) func callsThatLeaveAtRandomHaveTheirEvents(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let stub = StubTransport { _, context in
            for number in 0..<10 {
                context.note("step \(number)")
                await Task.yield()
            }
            try Task.checkCancellation()
            return HTTPResponse(status: 200, body: Data("[]".utf8))
        }
        let client = client(stub.wrapped(by: retry).wrapped(by: .deduplication), watcher)
        var calls: [Task<Json, any Error>] = []
        for _ in 0..<60 {
            if random.next(below: 3) > 0 || calls.isEmpty {
                calls.append(Task { try await client.fetch(users) })
            } else {
                calls[random.next(below: calls.count)].cancel()
            }
            for _ in 0..<random.next(below: 4) { await Task.yield() }
        }
        for call in calls { _ = await call.result }
        #expect(watcher.texts.filter { $0.hasPrefix("ended") }.count == calls.count, "seed \(seed)")
    }
}
