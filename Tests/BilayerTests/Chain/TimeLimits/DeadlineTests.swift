import Bilayer
import BilayerTesting
import Foundation
import Testing

private let request = HTTPRequest(url: URL("https://api.example.com/users"))

/// A retry without jitter.
private func plain(attempts: Int, firstWait: Duration, longestWait: Duration = .seconds(20)) -> RetryPolicy {
    .exponential(attempts: attempts, firstWait: firstWait, longestWait: longestWait, jitter: .none)
}

private func fault(of call: Task<HTTPResponse, any Error>) async throws -> TransportError {
    try #require(await #expect(throws: TransportError.self) { try await call.value })
}

@Suite("Deadline and AttemptDeadline: time limits of a call and of an attempt", .timeLimit(.minutes(5)))
struct DeadlineTests {
    @Test func theCallEndsWhenTheTimeIsUp() async throws {
        let clock = TestClock()
        let stub = StubTransport(.hold)
        let call = Task {
            try await stub.wrapped(by: .deadline(.seconds(20))).process(request, in: CallContext(clock: clock))
        }
        try await stub.waitForRequests(count: 1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        let error = try await fault(of: call)
        #expect(error.kind == .timedOut)
        #expect(error.detail == "deadline of the call: expected a response within 20.000 s, found none")
        #expect(clock.sleepers == 0)
    }

    @Test func aResponseInTimeIsReturnedAndLeavesNoSleeper() async throws {
        let clock = TestClock()
        let stub = StubTransport(.json("[]"))
        let limited = stub.wrapped(by: .attemptDeadline(.seconds(5))).wrapped(by: .deadline(.seconds(20)))
        #expect(try await limited.process(request, in: CallContext(clock: clock)).status == 200)
        #expect(clock.sleepers == 0)
    }

    @Test func anErrorInTimeIsThrownAsItIs() async throws {
        let stub = StubTransport(.failure(TransportError(.cannotConnect)))
        let error = await #expect(throws: TransportError.self) {
            try await stub.wrapped(by: .deadline(.seconds(20))).process(request)
        }
        #expect(error?.kind == .cannotConnect)
    }

    @Test func theDeadlineCoversAttemptsAndWaits() async throws {
        let clock = TestClock()
        let stub = StubTransport(.delayed(.seconds(3), then: .status(503)))
        let transport =
            stub.wrapped(
                by: .retry(plain(attempts: 100, firstWait: .seconds(2), longestWait: .seconds(2)))
            )
            .wrapped(by: .deadline(.seconds(12)))
        let call = Task { try await transport.process(request, in: CallContext(clock: clock)) }
        for expected in [3, 2, 3, 2, 2] {
            // Two sleepers: that of the deadline, and that of the stub's delay or of the retry's wait.
            try await clock.waitForSleepers(count: 2)
            #expect(try await clock.advanceToNextSleeper() == .seconds(expected))
        }
        #expect(try await fault(of: call).detail?.hasPrefix("deadline of the call") == true)
        #expect(stub.requests.count == 3)
    }

    @Test func anAttemptThatTakesTooLongIsSentAgain() async throws {
        let clock = TestClock()
        let stub = StubTransport()
        stub.on(.get, "/users", .hold, .json("[]"))
        let transport = stub.wrapped(by: .attemptDeadline(.seconds(5)))
            .wrapped(by: .retry(plain(attempts: 2, firstWait: .seconds(1))))
        let context = CallContext(clock: clock)
        let call = Task { try await transport.process(request, in: context) }
        try await stub.waitForRequests(count: 1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(5))
        #expect(try await clock.advanceToNextSleeper() == .seconds(1))
        #expect(try await call.value.status == 200)
        #expect(context.events.first?.text.hasPrefix("deadline of the attempt") == true)
    }

    @Test(arguments: [(5, 9, "deadline of the attempt"), (9, 5, "deadline of the call")]) func theShorterLimitCounts(
        attempt: Int,
        call: Int,
        name: String
    ) async throws {
        let clock = TestClock()
        let stub = StubTransport(.hold)
        let transport = stub.wrapped(by: .attemptDeadline(.seconds(attempt))).wrapped(by: .deadline(.seconds(call)))
        let call = Task { try await transport.process(request, in: CallContext(clock: clock)) }
        try await clock.waitForSleepers(count: 2)
        #expect(try await clock.advanceToNextSleeper() == .seconds(5))
        #expect(try await fault(of: call).detail?.hasPrefix(name) == true)
        #expect(clock.sleepers == 0)
    }

    @Test func theWorkInsideIsAwaited() async throws {
        let clock = TestClock()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let stub = StubTransport { _, _ in
            do { try await Task.sleep(for: .seconds(3_600)) } catch {
                // Work that needs some time to end.
                for _ in 0..<100 { await Task.yield() }
                end.yield()
                end.finish()
                throw TransportError(.connectionLost)
            }
            return HTTPResponse(status: 200)
        }
        let call = Task {
            try await stub.wrapped(by: .deadline(.seconds(1))).process(request, in: CallContext(clock: clock))
        }
        try await stub.waitForRequests(count: 1)
        try await clock.advanceToNextSleeper()
        let error = try await fault(of: call)
        #expect(error.kind == .timedOut)
        #expect((error.underlyingError as? TransportError)?.kind == .connectionLost)
        var endings = 0
        for await _ in ended { endings += 1 }
        #expect(endings == 1)
    }

    @Test func aResponseThatCameMeanwhileIsReturned() async throws {
        let clock = TestClock()
        let stub = StubTransport { _, _ in
            try? await Task.sleep(for: .seconds(3_600))
            return HTTPResponse(status: 201)
        }
        let call = Task {
            try await stub.wrapped(by: .deadline(.seconds(1))).process(request, in: CallContext(clock: clock))
        }
        try await stub.waitForRequests(count: 1)
        try await clock.advanceToNextSleeper()
        #expect(try await call.value.status == 201)
    }

    @Test func aCancelledCallerGetsACancellationError() async throws {
        let clock = TestClock()
        let stub = StubTransport(.hold)
        let call = Task {
            try await stub.wrapped(by: .deadline(.seconds(1))).process(request, in: CallContext(clock: clock))
        }
        try await clock.waitForSleepers(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(clock.sleepers == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func withoutTimeNothingIsSent(limit: Duration) async throws {
        let stub = StubTransport(.json("[]"))
        await #expect(throws: TransportError.self) {
            try await stub.wrapped(by: .deadline(limit)).process(request)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test func aRoutesLimitsReplaceThem() async throws {
        let clock = TestClock()
        let stub = StubTransport(.hold)
        let transport = stub.wrapped(by: .attemptDeadline(.seconds(5))).wrapped(by: .deadline(.seconds(20)))
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport, clock: clock)
        let route = Route<Json>.get("users").with(option: Deadline(.seconds(90)))
            .with(option: AttemptDeadline(.seconds(60)))
        let call = Task { try await client.fetch(route) }
        try await stub.waitForRequests(count: 1)
        try await clock.waitForSleepers(count: 2)
        #expect(try await clock.advanceToNextSleeper() == .seconds(60))
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
        #expect(error.stage == .transport)
        #expect(error.request?.url.path == "/users")
    }

    /// The response, the deadline and the cancellation come at once: there is one outcome, and nothing is left.
    @Test(arguments: 0..<200) func racesHaveOneOutcome(round: Int) async throws {
        let clock = TestClock()
        let stub = StubTransport(.delayed(.seconds(1), then: .json("[]")))
        let call = Task {
            try await stub.wrapped(by: .deadline(.seconds(1))).process(request, in: CallContext(clock: clock))
        }
        try await clock.waitForSleepers(count: 2)
        let canceller = Task { if round.isMultiple(of: 2) { call.cancel() } }
        clock.advance(by: .seconds(1))
        await canceller.value
        switch await call.result {
        case .success(let response): #expect(response.status == 200)
        case .failure(let error as TransportError): #expect(error.kind == .timedOut)
        case .failure(let error): #expect(error is CancellationError && round.isMultiple(of: 2))
        }
        #expect(clock.sleepers == 0)
    }
}
