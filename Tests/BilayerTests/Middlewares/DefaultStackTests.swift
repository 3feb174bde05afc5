import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The documented stack of middlewares, with very short waits, and with time limits that a busy machine keeps.
private func stack(
    over choice: BuiltInTransport,
    _ tokens: BearerTokens = BearerTokens("good") { "good" },
    deadline: Duration = .seconds(3_600)
) throws -> some Node<HTTPRequest, HTTPResponse> {
    try choice.transport()
        .wrapped(by: .attemptDeadline(.seconds(600)))
        .wrapped(by: .concurrency(perHost: 6))
        .wrapped(by: .circuitBreaker(failures: 5, pause: .seconds(30)))
        .wrapped(by: .authentication(tokens))
        .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .milliseconds(1))))
        .wrapped(by: .deduplication)
        .wrapped(by: .deadline(deadline))
}

@Suite("The default stack over sockets", .timeLimit(.minutes(5)))
struct DefaultStackTests {
    @Test(
        arguments: [
            Reply.truncatedBody(sent: 1, declared: 9), .badChunk, .badGzip, .unfinishedChunks(), .closeBeforeAnswer,
            .resetBeforeAnswer, .resetInBody(after: 3), .status(503), .status(429, headers: [.retryAfter: "0"]),
            .status(502), .status(504), .status(408),
        ],
        BuiltInTransport.allCases
    ) func aFaultThatIsGoneIsNotSeen(fault: Reply, over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", fault, fault, .json("[1]"))
        let client = Client(baseURL: server.url, transport: try stack(over: choice))
        #expect(try await client.fetch(Route<Json>.get("users")).array?.count == 1)
        #expect(server.requests.count == 3)
    }

    @Test(
        arguments: [
            (Reply.truncatedBody(sent: 1, declared: 9), TransportError.Kind.brokenBody), (.badChunk, .brokenBody),
            (.closeBeforeAnswer, .connectionLost), (.resetBeforeAnswer, .connectionLost),
        ],
        BuiltInTransport.allCases
    ) func aFaultThatStaysIsTheCallsError(
        of row: (fault: Reply, kind: TransportError.Kind),
        over choice: BuiltInTransport
    ) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", row.fault)
        let client = Client(baseURL: server.url, transport: try stack(over: choice))
        let error = try #require(
            await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("users")) }
        )
        #expect((error.underlyingError as? TransportError)?.kind == row.kind)
        #expect(error.request?.headers[.authorization] == "Bearer good")
        #expect(server.requests.count == 3)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aStatusThatStaysKeepsItsBody(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json(#"{"title":"down"}"#, status: 503))
        let client = Client(baseURL: server.url, transport: try stack(over: choice))
        let error = try #require(
            await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("users")) }
        )
        #expect(error.status == 503)
        #expect(error.response?.body == Data(#"{"title":"down"}"#.utf8))
        #expect(error.events.count == 3)
    }

    @Test(arguments: [Reply.hold, .stallInHead, .stallInBody(after: 3)], BuiltInTransport.allCases)
    func aServerThatHangsMeetsTheDeadline(fault: Reply, over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", fault)
        let clock = TestClock()
        let client = Client(
            baseURL: server.url,
            transport: try stack(over: choice, deadline: .seconds(20)),
            clock: clock
        )
        let call = Task { try await client.fetch(Route<Json>.get("users")) }
        try await server.waitForRequests(count: 1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
        #expect(error.stage == .transport)
        #expect(clock.sleepers == 0)
    }

    @Test func attemptsThatTakeTooLongOpenTheCircuit() async throws {
        let clock = TestClock()
        let stub = StubTransport(.hold)
        let transport = stub.wrapped(by: .attemptDeadline(.seconds(1)))
            .wrapped(by: .circuitBreaker(failures: 2, clock: clock))
        let request = HTTPRequest(url: URL("https://api.example.com/users"))
        for number in 1...2 {
            let call = Task { try await transport.process(request, in: CallContext(clock: clock)) }
            try await stub.waitForRequests(count: number)
            try await clock.advanceToNextSleeper()
            await #expect(throws: TransportError.self) { try await call.value }
        }
        await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
    }

    /// A cancel at any moment ends the call with a `CancellationError`.
    @Test(arguments: 0..<100, BuiltInTransport.allCases)
    func aCancelIsNeverLost(round: Int, over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .status(503), .status(401), .held(then: .json("[]")))
        let tokens = BearerTokens("old") {
            await Task.yield()
            return "new"
        }
        let client = Client(baseURL: server.url, transport: try stack(over: choice, tokens))
        let call = Task { try await client.fetch(Route<Json>.get("users")) }
        if round.isMultiple(of: 4) { try await server.waitForRequests(count: 1 + round % 3) }
        for _ in 0..<round * 3 { await Task.yield() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
