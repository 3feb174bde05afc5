import Bilayer
import BilayerTesting
import Foundation
import Testing

private let address = URL("https://api.example.com/users")

/// A policy without jitter, so that each wait is known.
private func policy(attempts: Int = 4, totalTime: Duration? = nil) -> RetryPolicy {
    .exponential(
        attempts: attempts,
        firstWait: .seconds(1),
        longestWait: .seconds(3),
        totalTime: totalTime,
        jitter: .none
    )
}

private struct Run {
    let outcome: Result<HTTPResponse, any Error>
    let waits: [Duration]
    let sent: [HTTPRequest]
    let notes: [String]

    var status: Int? { (try? outcome.get())?.status.code }

    var fault: TransportError.Kind? {
        guard case .failure(let error) = outcome else { return nil }
        return (error as? TransportError)?.kind
    }
}

/// Sends a request through a retry to a script of answers. Every wait is recorded and takes no time.
private func run(
    _ policy: RetryPolicy = policy(),
    _ method: HTTPMethod = .get,
    headers: HTTPHeaders = [:],
    option: RetryPolicy? = nil,
    answers: StubTransport.Answer...
) async -> Run {
    let stub = StubTransport()
    let left = Script(answers)
    stub.on(method, "/users") { _ in left.next() }
    let clock = TestClock()
    var options = CallOptions()
    options[RetryPolicy.self] = option
    let context = CallContext(clock: clock, options: options)
    let request = HTTPRequest(method: method, url: address, headers: headers)
    let waits = Task {
        var waits: [Duration] = []
        do {
            while true { waits.append(try await clock.advanceToNextSleeper()) }
        } catch {
            return waits
        }
    }
    let outcome: Result<HTTPResponse, any Error>
    do {
        outcome = .success(try await stub.wrapped(by: .retry(policy)).process(request, in: context))
    } catch {
        outcome = .failure(error)
    }
    waits.cancel()
    return Run(
        outcome: outcome,
        waits: await waits.value,
        sent: stub.requests,
        notes: context.events.map(\.text)
    )
}

/// Returns the answers in order, and repeats the last one.
private final class Script: Sendable {
    private let answers: [StubTransport.Answer]
    private let place = Counter()

    init(_ answers: [StubTransport.Answer]) {
        self.answers = answers
    }

    func next() -> StubTransport.Answer { answers[min(place.next(), answers.count - 1)] }
}

// Sendable: `value` is only accessed under `lock`.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0
    func next() -> Int {
        lock.withLock {
            defer { value += 1 }
            return value
        }
    }
}

@Suite("Retry: sent again after a fault that may be gone", .timeLimit(.minutes(5)))
struct RetryTests {
    @Test func waitsDoubleUpToTheLongest() async {
        let run = await run(policy(attempts: 5), answers: .status(503))
        #expect(run.waits == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        #expect(run.status == 503)
        #expect(run.sent.count == 5)
        #expect(run.notes.count == 5)
        #expect(run.notes.last?.contains("it was the last one") == true)
    }

    /// A policy may repeat `POST` for a REST interface. This does not allow it to repeat GraphQL mutations.
    @Test func aMutationNeedsAKeyWhateverTheMethods() async throws {
        let stub = StubTransport(.status(503))
        var policy = RetryPolicy.exponential(attempts: 3, firstWait: .zero)
        policy.methods = [.post]
        let client = Client(baseURL: URL("https://a.example"), transport: stub.wrapped(by: .retry(policy)))
        let rename = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")))
        await #expect(throws: CallError.self) { try await client.fetch(rename) }
        #expect(stub.requests.count == 1)
        await #expect(throws: CallError.self) { try await client.fetch(rename.with(headers: [.idempotencyKey: "k"])) }
        #expect(stub.requests.count == 4)
        await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.post("orders")) }
        #expect(stub.requests.count == 7)
    }

    @Test func theFirstGoodAnswerEndsIt() async {
        let run = await run(answers: .status(503), .failure(TransportError(.connectionLost)), .json("[]"))
        #expect(run.status == 200)
        #expect(run.waits == [.seconds(1), .seconds(2)])
    }

    @Test(arguments: [200, 201, 301, 304, 400, 401, 403, 404, 409, 422, 500, 501, 505]) func aStatusThatIsAnAnswer(
        code: Int
    ) async {
        let run = await run(answers: .status(HTTPStatus(code)))
        #expect(run.status == code)
        #expect(run.sent.count == 1)
    }

    @Test(arguments: [408, 425, 429, 502, 503, 504]) func aStatusThatMayBeGone(code: Int) async {
        let run = await run(answers: .status(HTTPStatus(code)), .json("[]"))
        #expect(run.status == 200)
        #expect(run.sent.count == 2)
    }

    @Test(arguments: [
        TransportError.Kind.notConnected, .cannotFindHost, .cannotConnect, .connectionLost, .brokenBody, .timedOut,
    ]) func aFaultThatMayBeGone(kind: TransportError.Kind) async {
        let run = await run(answers: .failure(TransportError(kind)), .json("[]"))
        #expect(run.status == 200)
        #expect(run.sent.count == 2)
    }

    @Test(arguments: [
        TransportError.Kind.invalidRequest, .responseTooLarge, .secureConnectionFailed, .tooManyRedirects,
        .malformedResponse, .other,
    ]) func aFaultThatStays(kind: TransportError.Kind) async {
        let run = await run(answers: .failure(TransportError(kind)))
        #expect(run.fault == kind)
        #expect(run.sent.count == 1)
    }

    @Test func theLastErrorIsThrownAsItIs() async {
        let run = await run(
            answers: .failure(TransportError(.timedOut)),
            .failure(TransportError(.connectionLost, detail: "x"))
        )
        #expect(run.fault == .connectionLost)
        #expect(run.sent.count == 4)
    }

    @Test(arguments: [HTTPMethod.get, .head, .options, .put, .delete, "TRACE"]) func idempotentMethods(
        method: HTTPMethod
    ) async {
        #expect(await run(policy(), method, answers: .status(503)).sent.count == 4)
    }

    @Test(arguments: [HTTPMethod.post, .patch, "PURGE"]) func otherMethodsNeedAKey(method: HTTPMethod) async {
        let plain = await run(policy(), method, answers: .status(503))
        #expect(plain.sent.count == 1)
        #expect(plain.notes.first?.contains("without an Idempotency-Key is not sent again") == true)
        #expect(await run(policy(), method, headers: [.idempotencyKey: ""], answers: .status(503)).sent.count == 1)
        let keyed = await run(policy(), method, headers: [.idempotencyKey: "k1"], answers: .status(503))
        #expect(keyed.sent.map { $0.headers[.idempotencyKey] } == ["k1", "k1", "k1", "k1"])
    }

    @Test func aMadeKeyIsThatOfAllAttemptsOfOneCall() async {
        let numbers = Counter()
        var policy = policy(attempts: 2)
        policy.makeIdempotencyKey = { "made-\(numbers.next())" }
        #expect(
            await run(policy, .post, answers: .status(503)).sent.map { $0.headers[.idempotencyKey] } == [
                "made-0", "made-0",
            ]
        )
        #expect(
            await run(policy, .post, answers: .status(503)).sent.map { $0.headers[.idempotencyKey] } == [
                "made-1", "made-1",
            ]
        )
        #expect(await run(policy, .get, answers: .status(503)).sent.map { $0.headers[.idempotencyKey] } == [nil, nil])
        #expect(
            await run(policy, .post, headers: [.idempotencyKey: "own"], answers: .status(503)).sent
                .map { $0.headers[.idempotencyKey] } == ["own", "own"]
        )
    }

    @Test func aRoutesPolicyReplacesIt() async {
        #expect(await run(option: .never, answers: .status(503)).sent.count == 1)
        #expect(await run(.never, option: policy(attempts: 3), answers: .status(503)).sent.count == 3)
        var keyed = RetryPolicy.never
        keyed.makeIdempotencyKey = { "made" }
        let sent = await run(keyed, .post, option: policy(attempts: 3), answers: .status(503)).sent
        #expect(sent.map { $0.headers[.idempotencyKey] } == ["made", "made", "made"])
    }

    @Test func settingsAreFollowed() async {
        var policy = policy()
        policy.statuses = [500]
        policy.faults = [.other]
        policy.methods = [.post]
        #expect(await run(policy, .post, answers: .status(500)).sent.count == 4)
        #expect(await run(policy, .post, answers: .status(503)).sent.count == 1)
        #expect(await run(policy, .post, answers: .failure(TransportError(.other))).sent.count == 4)
        #expect(await run(policy, .post, answers: .failure(TransportError(.timedOut))).sent.count == 1)
        #expect(await run(policy, .get, answers: .status(500)).sent.count == 1)
    }

    @Test(arguments: [-3, 0, 1]) func thereIsAlwaysOneAttempt(attempts: Int) async {
        #expect(await run(policy(attempts: attempts), answers: .status(503)).sent.count == 1)
    }

    @Test func noWaitExceedsTheTotalTime() async {
        let run = await run(policy(attempts: 10, totalTime: .seconds(7)), answers: .status(503))
        #expect(run.waits == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(run.status == 503)
        #expect(run.notes.last?.contains("exceeds the total of 7.000 s") == true)
    }

    @Test func fullJitterStaysWithinTheDoubledWait() async {
        let policy = RetryPolicy.exponential(attempts: 40, firstWait: .seconds(1), longestWait: .seconds(8))
        let run = await run(policy, answers: .status(503))
        let limits = [1, 2, 4].map { Duration.seconds($0) } + Array(repeating: .seconds(8), count: 36)
        #expect(run.sent.count == 40)
        #expect(zip(run.waits, limits).allSatisfy { $0 <= $1 })
        #expect(Set(run.waits).count > 30)
    }

    @Test func aCancelledWaitEndsAtOnce() async throws {
        let clock = TestClock()
        let stub = StubTransport(.status(503))
        let call = Task {
            try await stub.wrapped(by: .retry(policy()))
                .process(
                    HTTPRequest(url: address),
                    in: CallContext(clock: clock)
                )
        }
        try await clock.waitForSleepers(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(stub.requests.count == 1)
        #expect(clock.sleepers == 0)
    }

    @Test func aCancelledAttemptIsNotSentAgain() async throws {
        let stub = StubTransport { _, _ in
            do { try await Task.sleep(for: .seconds(3_600)) } catch { throw TransportError(.connectionLost) }
            return HTTPResponse(status: 200)
        }
        let call = Task { try await stub.wrapped(by: .retry(policy())).process(HTTPRequest(url: address)) }
        try await stub.waitForRequests(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func overSocketsEachLossIsSentAgain(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(
            .get,
            "/users",
            .truncatedBody(sent: 1, declared: 9),
            .badChunk,
            .badGzip,
            .closeBeforeAnswer,
            .resetInBody(after: 3),
            .json("[]")
        )
        let waiting = RetryPolicy.exponential(attempts: 6, firstWait: .milliseconds(1))
        let client = Client(baseURL: server.url, transport: try choice.transport().wrapped(by: .retry(waiting)))
        let answer = try await client.send(Route<Json>.get("users"))
        #expect(answer.value.array?.count == 0)
        #expect(server.requests.count == 6)
        #expect(answer.events.count == 5)
    }
}
