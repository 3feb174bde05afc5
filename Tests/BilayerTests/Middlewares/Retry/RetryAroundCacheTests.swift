import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("Retry around a cache: a stored response ends no retry", .timeLimit(.minutes(5)))
struct RetryAroundCacheTests {
    private let bench = CacheBench()
    private let clock = TestClock()

    /// Stores a response that is stale by now.
    private func store(_ headers: HTTPHeaders = ["Cache-Control": "max-age=60"]) async throws {
        bench.reply(.get, 200, headers, "old")
        _ = try await bench.ask()
        bench.clock.advance(by: 61)
    }

    private func ask(
        _ policy: CachePolicy? = .networkElseCache,
        _ retry: RetryPolicy = .exponential(attempts: 3, firstWait: .zero)
    ) async throws -> (HTTPResponse, CallContext) {
        var options = CallOptions()
        options[CachePolicy.self] = policy
        let context = CallContext(clock: clock, options: options)
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: .retry(retry))
            .wrapped(by: .deadline(.seconds(20)))
        return (try await transport.process(HTTPRequest(url: bench.url), in: context), context)
    }

    @Test(arguments: [StubTransport.Answer.status(503), .failure(TransportError(.connectionLost))])
    func aFailureThatIsGoneIsNotSeen(failure: StubTransport.Answer) async throws {
        try await store()
        bench.stub.on(.get, "/users", failure, .text("new"))
        let (response, _) = try await ask()
        #expect(response.cacheStatus == .miss)
        #expect(response.body == Data("new".utf8))
        #expect(bench.stub.requests.count == 3)
    }

    @Test(arguments: [503, nil] as [HTTPStatus?]) func afterTheLastAttemptTheStoredResponseIsReturned(
        status: HTTPStatus?
    ) async throws {
        try await store()
        bench.reply(.get, status, [:], "")
        let (response, context) = try await ask()
        #expect(response.cacheStatus == .stale)
        #expect(response.body == Data("old".utf8))
        #expect(bench.stub.requests.count == 4)
        let reason = status == nil ? "connection lost" : "status 503 Service Unavailable"
        #expect(
            context.events.map(\.text).filter { $0.hasPrefix("attempt") }.last
                == "attempt 3: \(reason); it was the last one"
        )
    }

    @Test func staleIfErrorEndsNoRetryEither() async throws {
        try await store(["Cache-Control": "max-age=60, stale-if-error=600"])
        bench.stub.on(.get, "/users", .status(503), .text("new"))
        #expect(try await ask(nil).0.body == Data("new".utf8))
    }

    @Test func aStatusThatIsNotRetriedIsReplacedAtOnce() async throws {
        try await store()
        bench.reply(.get, 500, [:], "")
        #expect(try await ask().0.cacheStatus == .stale)
        #expect(bench.stub.requests.count == 2)
    }

    @Test func theWaitThatTheServerAsksForIsThatOfTheFailure() async throws {
        try await store()
        bench.reply(.get, 503, [.retryAfter: "3600"], "")
        let (response, context) = try await ask()
        #expect(response.cacheStatus == .stale)
        #expect(bench.stub.requests.count == 2)
        #expect(context.events.contains { $0.text.contains("Retry-After is 3600") })
    }

    @Test func aDeadlineInTheWaitReturnsTheStoredResponse() async throws {
        try await store()
        bench.reply(.get, 503, [:], "")
        let patient = RetryPolicy.exponential(
            attempts: 3,
            firstWait: .seconds(100),
            longestWait: .seconds(100),
            jitter: { $0 }
        )
        let call = Task { try await ask(.networkElseCache, patient).0 }
        try await clock.waitForSleepers(count: 2)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        #expect(try await call.value.cacheStatus == .stale)
        #expect(clock.sleepers == 0)
    }

    @Test func aCancelledCallGetsNoStoredResponse() async throws {
        try await store()
        bench.reply(.get, 503, [:], "[]")
        let patient = RetryPolicy.exponential(attempts: 3, firstWait: .seconds(100), jitter: { $0 })
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: .retry(patient))
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport, clock: clock)
        let call = Task { try await client.fetch(Route<String>.get("users"), cache: .networkElseCache) }
        try await clock.waitForSleepers(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
