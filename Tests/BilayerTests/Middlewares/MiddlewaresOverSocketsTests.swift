import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// The suites of the middlewares use stubs. This one shows the same with a server: what arrives there, and when.
@Suite("Middlewares over sockets", .timeLimit(.minutes(5)))
struct MiddlewaresOverSocketsTests {
    private static let twoAttempts = RetryPolicy.exponential(attempts: 2, firstWait: .zero)

    @Test(arguments: BuiltInTransport.allCases)
    func theServerGetsNoMoreRequestsThanTheRate(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("[]"))
        let clock = TestClock()
        let transport = try choice.transport().wrapped(by: .rate(2, per: .seconds(1), clock: clock))
        let request = HTTPRequest(url: server.url.appending(path: "users"))
        let calls = (0..<5).map { _ in Task { try await transport.process(request).status } }
        try await clock.waitForSleepers(count: 3)
        try await server.waitForRequests(count: 2)
        #expect(server.requests.count == 2)
        for number in 3...5 {
            #expect(try await clock.advanceToNextSleeper() == .milliseconds(500))
            try await server.waitForRequests(count: number)
            #expect(server.requests.count == number)
        }
        for call in calls { #expect(try await call.value == 200) }
    }

    /// The server holds its answers, so every request that has arrived since the last release is in flight.
    @Test(arguments: BuiltInTransport.allCases)
    func theServerNeverHasMoreRequestsAtOnceThanPlaces(over choice: BuiltInTransport) async throws {
        let (places, count) = (3, 12)
        let server = try await FaultServer.start()
        server.on(.get, "/users", .held(then: .json("[]")))
        let limit = ConcurrencyLimit(perHost: places)
        let transport = try choice.transport().wrapped(by: limit)
        let request = HTTPRequest(url: server.url.appending(path: "users"))
        let calls = (0..<count).map { _ in Task { try await transport.process(request).status } }
        for arrived in stride(from: places, through: count, by: places) {
            try await server.waitForRequests(count: arrived)
            // Each call has arrived at the server, or waits for a place.
            while server.requests.count + limit.waiting(at: request.hostAndPort) < count {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(server.requests.count == arrived)
            server.release()
        }
        for call in calls { #expect(try await call.value == 200) }
        #expect(server.requests.count == count)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func everyAttemptHasTheFieldsOfTheProvider(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .status(503), .json("[]"))
        let numbers = TaskGate()
        let transport = try choice.transport()
            .wrapped(by: HeaderProvider { _ in ["X-Number": "\(await numbers.arrive())", "X-Own": "the provider's"] })
            .wrapped(by: .retry(Self.twoAttempts))
        let request = HTTPRequest(url: server.url.appending(path: "users"), headers: ["X-Own": "the request's"])
        #expect(try await transport.process(request).status == 200)
        #expect(server.requests.map { $0.headers["X-Number"] } == ["1", "2"])
        #expect(server.requests.map { $0.headers["X-Own"] } == ["the request's", "the request's"])
    }

    /// The signature covers what the other middlewares have added: the token, and the fields of the provider.
    @Test(arguments: BuiltInTransport.allCases)
    func theServerGetsWhatWasSignedLast(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .status(503), .status(401), .json("[]"))
        let numbers = TaskGate()
        let sign = Signing { request in
            var request = request
            request.headers["X-Signature"] = Self.signature(of: request.headers)
            return request
        }
        let transport = try choice.transport().wrapped(by: sign)
            .wrapped(by: HeaderProvider { _ in ["X-Number": "\(await numbers.arrive())"] })
            .wrapped(by: .authentication(BearerTokens("old") { "new" }))
            .wrapped(by: .retry(Self.twoAttempts))
        #expect(try await transport.process(HTTPRequest(url: server.url.appending(path: "users"))).status == 200)
        let signatures = server.requests.map { $0.headers["X-Signature"] }
        #expect(signatures == ["1 Bearer old", "2 Bearer old", "3 Bearer new"])
        #expect(signatures == server.requests.map { Self.signature(of: $0.headers) })
    }

    private static func signature(of headers: HTTPHeaders) -> String? {
        "\(headers["X-Number"] ?? "no number") \(headers[.authorization] ?? "no token")"
    }

    @Test(arguments: BuiltInTransport.allCases)
    func theTraceIsSentWhenItIsAskedFor(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .status(503), .json("[]"))
        let incoming = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
        let route = Route<Json>.get("users").with(option: incoming)
        let plain = try choice.transport()
        let traced = plain.wrapped(by: .tracePropagation).wrapped(by: .retry(Self.twoAttempts))
        _ = try await Client(baseURL: server.url, transport: traced).fetch(route)
        _ = try await Client(baseURL: server.url, transport: plain).fetch(route)
        let fields = server.requests.map { $0.headers["traceparent"] }
        let sent = fields.map { $0.flatMap { TraceParent($0) } }
        #expect(sent.map(\.?.traceID) == [incoming.traceID, incoming.traceID, nil])
        #expect(Set(sent.prefix(2).map(\.?.parentID) + [incoming.parentID]).count == 3)
        #expect(fields.last == .some(nil))
    }

    /// The first address has no server, or one that closes the connection, or one that fails.
    @Test(arguments: BuiltInTransport.allCases, [nil, Reply.closeBeforeAnswer, .status(503)])
    func theSecondAddressGetsTheRequestAndKeepsTheNext(over choice: BuiltInTransport, fault: Reply?) async throws {
        let (first, second) = (try await FaultServer.start(), try await FaultServer.start())
        if let fault { first.on(.get, "/users", fault) }
        second.on(.get, "/users", .json("[1]"))
        // Nobody listens at port 1. The port of a server that was stopped may be that of the next one.
        let bases = [fault == nil ? URL("http://127.0.0.1:1") : first.url, second.url]
        let client = Client(baseURL: bases[0], transport: try choice.transport().wrapped(by: .failover(bases)))
        for number in 1...2 {
            #expect(try await client.fetch(Route<Json>.get("users")) == [1])
            #expect(second.requests.count == number)
        }
        #expect(first.requests.count == (fault == nil ? 0 : 1))
    }

    @Test(arguments: BuiltInTransport.allCases)
    func anOpenCircuitSendsNothingUntilItsProbeClosesIt(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        // On a connection that was used before, libcurl would send the request again.
        server.on(.get, "/users", .closeBeforeAnswer, .status(503), .status(500), .json("[]"))
        let clock = TestClock()
        let transport = try choice.transport()
            .wrapped(by: .circuitBreaker(failures: 2, pause: .seconds(30), clock: clock))
        let request = HTTPRequest(url: server.url.appending(path: "users"))
        await #expect(throws: TransportError.self) { try await transport.process(request) }
        #expect(try await transport.process(request).status == 503)
        for sent in [2, 3] {
            for _ in 0..<3 {
                let error = await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
                #expect(error?.remaining == .seconds(30))
            }
            #expect(server.requests.count == sent)
            clock.advance(by: .seconds(30))
            // The first probe fails, and the second one closes the circuit.
            #expect(try await transport.process(request).status == (sent == 2 ? 500 : 200))
        }
        for _ in 0..<3 { #expect(try await transport.process(request).status == 200) }
        #expect(server.requests.count == 7)
    }
}
