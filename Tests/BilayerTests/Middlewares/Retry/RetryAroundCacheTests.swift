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

    @Test func theCachesOwn504IsNotRepeated() async throws {
        let transport = bench.stub.wrapped(by: .cache(bench.cache))
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        let context = CallContext(clock: clock)
        let request = HTTPRequest(url: bench.url, headers: ["Cache-Control": "only-if-cached"])
        #expect(try await transport.process(request, in: context).status == 504)
        #expect(context.events.map(\.text) == ["cache: miss; only-if-cached"])
    }

    @Test func staleIfErrorEndsNoRetryEither() async throws {
        try await store(["Cache-Control": "max-age=60, stale-if-error=600"])
        bench.stub.on(.get, "/users", .status(503), .text("new"))
        #expect(try await ask(nil).0.body == Data("new".utf8))
    }

    /// The token has expired between the attempts, and the server of its refresh is out of reach, or refuses.
    @Test(arguments: [nil, 401] as [HTTPStatus?])
    func aRefreshThatIsLostDoesNotHideTheStoredResponse(refusal: HTTPStatus?) async throws {
        try await store(["Cache-Control": "max-age=60, stale-if-error=600"])
        bench.reply(.get, 503, [:], "")
        let refreshes = TaskGate()
        let tokens = BearerTokens(nil as BearerToken?, clock: clock) { [clock] _ in
            if await refreshes.arrive() == 1 {
                // The token expires before the second attempt.
                clock.advance(by: .seconds(1))
                return BearerToken("first", expiresIn: .nanoseconds(1))
            }
            guard let refusal else { throw TransportError(.notConnected) }
            let server = StubTransport(.status(refusal))
            return BearerToken(try await Client(baseURL: URL("https://a.example"), transport: server).fetch(.get("t")))
        }
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: .authentication(tokens))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .milliseconds(1), jitter: .none)))
        let drive = Task { [clock] in while !Task.isCancelled { _ = try await clock.advanceToNextSleeper() } }
        defer { drive.cancel() }
        let call = Task { [bench, clock] in
            try await transport.process(HTTPRequest(url: bench.url), in: CallContext(clock: clock))
        }
        if refusal == nil {
            #expect(try await call.value.cacheStatus == .stale)
        } else {
            await #expect(throws: AuthenticationError.self) { try await call.value }
        }
    }

    /// The second attempt is not sent, because its token cannot be refreshed.
    @Test func theOutcomeOfTheLastAttemptThatWasSentIsReturned() async throws {
        bench.reply(.get, 503, [:], "later")
        let refreshes = TaskGate()
        let tokens = BearerTokens(nil as BearerToken?, clock: clock) { [clock] _ in
            if await refreshes.arrive() > 1 { throw TransportError(.notConnected) }
            clock.advance(by: .seconds(1))
            return BearerToken("first", expiresIn: .nanoseconds(1))
        }
        let transport = bench.stub.wrapped(by: .authentication(tokens))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .milliseconds(1), jitter: .none)))
        let drive = Task { [clock] in while !Task.isCancelled { _ = try await clock.advanceToNextSleeper() } }
        defer { drive.cancel() }
        let response = try await transport.process(HTTPRequest(url: bench.url), in: CallContext(clock: clock))
        #expect(response.status == 503 && response.body == Data("later".utf8))
        #expect(await refreshes.arrivals == 2 && bench.stub.requests.count == 1)
    }

    /// A node whose closure fails in the second attempt.
    private func failingLater() -> HeaderProvider {
        let arrivals = TaskGate()
        return HeaderProvider { _ in
            if await arrivals.arrive() > 1 { throw ClosureError() }
            return [:]
        }
    }

    private struct ClosureError: Error {}

    /// The second attempt is not sent, because a node of the app fails.
    @Test func theErrorOfAClosureDoesNotHideTheLastResponse() async throws {
        bench.reply(.get, 503, [:], "later")
        let transport = bench.stub.wrapped(by: failingLater())
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        let context = CallContext(clock: clock)
        let response = try await transport.process(HTTPRequest(url: bench.url), in: context)
        #expect(response.status == 503 && response.body == Data("later".utf8))
        #expect(context.events.last?.text.hasPrefix("attempt 2 was not sent") == true)
        #expect(bench.stub.requests.count == 1)
    }

    @Test func theErrorOfAClosureDoesNotHideTheStoredResponse() async throws {
        try await store(["Cache-Control": "max-age=60, stale-if-error=600"])
        bench.reply(.get, 503, [:], "")
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: failingLater())
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        let response = try await transport.process(HTTPRequest(url: bench.url), in: CallContext(clock: clock))
        #expect(response.cacheStatus == .stale && response.body == Data("old".utf8))
        #expect(bench.stub.requests.count == 2)
    }

    /// A transport of the app may record no requests, so it is unknown whether the second attempt was sent.
    @Test(arguments: [true, false]) func theErrorOfTheLastAttemptThatMayBeSentIsThrown(isRecorded: Bool) async throws {
        let attempts = TaskGate()
        let server = AnyNode<HTTPRequest, HTTPResponse> { request, context in
            if isRecorded { context.recordSent(request) }
            if await attempts.arrive() > 1 { throw ClosureError() }
            return HTTPResponse(status: 503)
        }
        let transport = server.wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        await #expect(throws: ClosureError.self) {
            try await transport.process(HTTPRequest(url: bench.url), in: CallContext(clock: clock))
        }
        #expect(await attempts.arrivals == 2)
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

    @Test func aWaitBeyondTheDeadlineReturnsTheStoredResponseAtOnce() async throws {
        try await store()
        bench.reply(.get, 503, [:], "")
        let patient = RetryPolicy.exponential(
            attempts: 3,
            firstWait: .seconds(100),
            longestWait: .seconds(100),
            jitter: .none
        )
        #expect(try await ask(.networkElseCache, patient).0.cacheStatus == .stale)
        #expect(clock.sleepers == 0)
    }

    /// A chain around the cache, with the deadline as a middleware or as an option of the client.
    struct Stack: CustomTestStringConvertible {
        let testDescription: String
        let isOption: Bool
        let retry: Bool
        let deduplication: Bool

        static let all = [true, false]
            .flatMap { isOption in
                [(false, false), (true, false), (true, true)]
                    .map { retry, deduplication in
                        Stack(
                            testDescription: "deadline as \(isOption ? "an option" : "a middleware")"
                                + (retry ? ", retry" : "") + (deduplication ? ", deduplication" : ""),
                            isOption: isOption,
                            retry: retry,
                            deduplication: deduplication
                        )
                    }
            }

        func client(_ bench: CacheBench, _ clock: TestClock) -> Client {
            var transport = bench.stub.wrapped(by: .cache(bench.cache)).erased()
            if retry {
                let policy = RetryPolicy.exponential(
                    attempts: 3,
                    firstWait: .seconds(100),
                    longestWait: .seconds(100),
                    jitter: .none
                )
                transport = transport.wrapped(by: .retry(policy)).erased()
            }
            if deduplication { transport = transport.wrapped(by: .deduplication).erased() }
            if !isOption { transport = transport.wrapped(by: .deadline(.seconds(20))).erased() }
            var client = Client(baseURL: URL("https://api.example.com"), transport: transport, clock: clock)
            if isOption { client.options[Deadline.self] = Deadline(.seconds(20)) }
            return client
        }
    }

    @Test(arguments: Stack.all, [true, false])
    func aServerThatHangsLeavesTheStoredResponse(stack: Stack, isStored: Bool) async throws {
        let client = stack.client(bench, clock)
        if isStored {
            try await store()
        }
        bench.stub.on(.get, "/users", .hold)
        let sent = bench.stub.requests.count
        let call = Task { try await client.send(Route<String>.get("users"), cache: .networkElseCache) }
        try await bench.stub.waitForRequests(count: sent + 1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        if isStored {
            let answer = try await call.value
            #expect(answer.value == "old")
            #expect(answer.response?.cacheStatus == .stale)
        } else {
            let error = try #require(await #expect(throws: CallError.self) { try await call.value })
            #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
        }
        #expect(clock.sleepers == 0)
    }

    @Test func aWaitBeyondTheDeadlineOfTheCallReturnsTheStoredResponseAtOnce() async throws {
        try await store()
        bench.reply(.get, 503, [:], "")
        let client = Stack(testDescription: "", isOption: true, retry: true, deduplication: false).client(bench, clock)
        #expect(try await client.send(Route<String>.get("users"), cache: .networkElseCache).value == "old")
        #expect(clock.sleepers == 0)
    }

    @Test(arguments: [CachePolicy.standard, .revalidate, .networkOnly], [true, false])
    func otherPoliciesHaveNoStoredResponseAfterTheDeadline(policy: CachePolicy, isOption: Bool) async throws {
        try await store()
        bench.stub.on(.get, "/users", .hold)
        let client = Stack(testDescription: "", isOption: isOption, retry: false, deduplication: false)
            .client(bench, clock)
        let call = Task { try await client.send(Route<String>.get("users"), cache: policy) }
        try await bench.stub.waitForRequests(count: 2)
        try await clock.advanceToNextSleeper()
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
    }

    @Test(arguments: Stack.all) func aCancelledCallHasNoStoredResponse(stack: Stack) async throws {
        try await store()
        bench.stub.on(.get, "/users", .hold)
        let client = stack.client(bench, clock)
        let call = Task { try await client.send(Route<String>.get("users"), cache: .networkElseCache) }
        try await bench.stub.waitForRequests(count: 2)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func aCancelledCallGetsNoStoredResponse() async throws {
        try await store()
        bench.reply(.get, 503, [:], "[]")
        let patient = RetryPolicy.exponential(attempts: 3, firstWait: .seconds(100), jitter: .none)
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: .retry(patient))
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport, clock: clock)
        let call = Task { try await client.fetch(Route<String>.get("users"), cache: .networkElseCache) }
        try await clock.waitForSleepers(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
