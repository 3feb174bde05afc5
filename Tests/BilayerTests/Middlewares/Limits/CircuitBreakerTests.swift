import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private let request = HTTPRequest(url: URL("https://api.example.com/users"))

private func breaker(_ clock: TestClock) -> CircuitBreaker {
    CircuitBreaker(failures: 3, pause: .seconds(30), clock: clock)
}

@Suite("CircuitBreaker: closed, open, half open", .timeLimit(.minutes(5)))
struct CircuitBreakerTests {
    @Test func itOpensAfterFailuresInARowAndClosesAfterAGoodProbe() async throws {
        let clock = TestClock()
        let stub = StubTransport()
        stub.on(
            .get,
            "/users",
            .status(500),
            .status(503),
            .json("[]"),
            .status(500),
            .status(500),
            .failure(TransportError(.cannotConnect)),
            .status(502),
            .json("[]")
        )
        stub.on(.get, "/", .status(404))
        let transport = stub.wrapped(by: breaker(clock))
        for _ in 0..<6 { _ = try? await transport.process(request) }
        #expect(stub.requests.count == 6)
        clock.advance(by: .seconds(18))
        let error = await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
        #expect(error?.remaining == .seconds(12))
        #expect(error?.description == "circuit of api.example.com:443 is open: the next request is sent after 12.000 s")
        // Another host has its own circuit.
        #expect(try await transport.process(HTTPRequest(url: URL("https://b.example/"))).status == 404)
        clock.advance(by: .seconds(12))
        #expect(try await transport.process(request).status == 502)
        await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
        clock.advance(by: .seconds(30))
        #expect(try await transport.process(request).status == 200)
        #expect(try await transport.process(request).status == 200)
        #expect(stub.requests.count == 10)
    }

    /// A process may send requests to any number of hosts, so the breaker keeps nothing of hosts that work.
    @Test func onlyHostsThatHaveFailedAreKept() async throws {
        let stub = StubTransport()
        stub.on(.get, "/good", .status(200))
        stub.on(.get, "/bad", .status(500))
        stub.on(.get, "/recovered", .status(500), .status(200))
        let breaker = CircuitBreaker(failures: 3, clock: TestClock())
        let transport = stub.wrapped(by: breaker)
        func send(_ host: String, _ path: String) async throws {
            _ = try await transport.process(
                HTTPRequest(url: try #require(URL(string: "https://\(host).example/\(path)")))
            )
        }
        for number in 0..<100 { try await send("h\(number)", "good") }
        try await send("a", "bad")
        #expect(breaker.circuits.withLock { Array($0.byHost.keys) } == ["a.example:443"])
        for _ in 0..<2 { try await send("b", "recovered") }
        #expect(breaker.circuits.withLock { Array($0.byHost.keys) } == ["a.example:443"])
    }

    /// The recommended order has the limits inside, so many requests have passed the circuit and wait for a permit.
    @Test(arguments: [false, true])
    func whatWaitsForAPermitIsNotSentAfterTheCircuitHasOpened(isShared: Bool) async throws {
        let gate = TaskGate()
        let stub = StubTransport { _, _ in
            await gate.wait()
            return HTTPResponse(status: 500)
        }
        let limit = ConcurrencyLimit(perHost: 2)
        let inside =
            isShared ? stub.wrapped(by: limit).wrapped(by: .deduplication).erased() : stub.wrapped(by: limit).erased()
        let transport = inside.wrapped(by: breaker(TestClock()))
        let calls = (0..<500)
            .map { number in
                var request = request
                request.headers["X-Number"] = "\(number)"
                return Task { [request] in try await transport.process(request).status }
            }
        while limit.waiting(at: "api.example.com:443") < 498 { await Task.yield() }
        await gate.open()
        var refused = 0
        for call in calls {
            guard case .failure(let error) = await call.result else { continue }
            #expect(error is CircuitOpenError)
            refused += 1
        }
        // A permit is passed on before the failure is counted, so a few more than three requests can be sent.
        #expect(refused > 400 && stub.requests.count == 500 - refused)
        #expect(limit.waiting(at: "api.example.com:443") == 0)
    }

    /// After the pause, one of the waiting requests is the probe.
    @Test func whatWaitsForTheRateIsNotSentWhileTheCircuitIsOpen() async throws {
        let clock = TestClock()
        let stub = StubTransport()
        stub.on(.get, "/users", .status(500), .status(500), .status(500), .status(200))
        let transport = stub.wrapped(by: .rate(1, per: .seconds(10), clock: clock)).wrapped(by: breaker(clock))
        var calls: [Task<HTTPStatus, any Error>] = []
        // Their turns are at 0, 10, 20, 30, 40, 50 and 60 seconds. The circuit is open from 20 to 50 seconds.
        for number in 0..<7 {
            calls.append(Task { try await transport.process(request).status })
            if number > 0 { try await clock.waitForSleepers(count: number) } else { _ = try await calls[0].value }
        }
        var outcomes: [HTTPStatus?] = [try await calls[0].value]
        for call in calls.dropFirst() {
            clock.advance(by: .seconds(10))
            outcomes.append(try? await call.value)
        }
        #expect(outcomes == [500, 500, 500, nil, nil, 200, 200])
        #expect(stub.requests.count == 5)
    }

    /// A request is no probe while it waits for its turn. The first one whose turn comes after the pause tries the
    /// host.
    @Test func aRequestThatWaitsForTheRateIsNoProbe() async throws {
        let clock = TestClock()
        let stub = StubTransport()
        stub.on(.get, "/users", .status(500), .status(500), .status(200))
        let transport = stub.wrapped(by: .rate(1, per: .seconds(10), clock: clock))
            .wrapped(by: CircuitBreaker(failures: 2, pause: .seconds(15), clock: clock))
        var calls = [Task { try await transport.process(request).status }]
        var outcomes: [HTTPStatus?] = [try await calls[0].value]
        // The others wait until 10, 20, 30, 40 and 50 seconds.
        for number in 1..<6 {
            calls.append(Task { try await transport.process(request).status })
            try await clock.waitForSleepers(count: number)
        }
        // The circuit opens at 10 seconds, for 15 seconds.
        for number in 1...2 {
            clock.advance(by: .seconds(10))
            outcomes.append(try? await calls[number].value)
        }
        clock.advance(by: .seconds(6))
        calls.append(Task { try await transport.process(request).status })
        try await clock.waitForSleepers(count: 4)
        clock.advance(by: .seconds(4))
        for number in 3..<7 {
            outcomes.append(try? await calls[number].value)
            clock.advance(by: .seconds(10))
        }
        #expect(outcomes == [500, 500, nil, 200, 200, 200, 200])
        #expect(stub.requests.count == 6)
    }

    /// A request is no probe while it waits for a permit. The first one that gets the permit after the pause tries the
    /// host.
    @Test func aRequestThatWaitsForAPermitIsNoProbe() async throws {
        let (clock, gate) = (TestClock(), TaskGate())
        let stub = StubTransport { request, _ in
            if request.url.path() == "/slow" { await gate.wait() }
            return HTTPResponse(status: request.url.path() == "/bad" ? 500 : 200)
        }
        let limit = ConcurrencyLimit(perHost: 1)
        let breaker = CircuitBreaker(failures: 1, pause: .seconds(30), clock: clock)
        let (limited, direct) = (stub.wrapped(by: limit).wrapped(by: breaker), stub.wrapped(by: breaker))
        let host = "https://api.example.com"
        let slow = Task { try await limited.process(HTTPRequest(url: URL(string: host + "/slow") ?? request.url)) }
        try await stub.waitForRequests(count: 1)
        let early = Task { try await limited.process(request).status }
        while limit.waiting(at: "api.example.com:443") < 1 { await Task.yield() }
        _ = try await direct.process(HTTPRequest(url: URL(string: host + "/bad") ?? request.url))
        clock.advance(by: .seconds(30))
        let late = Task { try await limited.process(request).status }
        while limit.waiting(at: "api.example.com:443") < 2 { await Task.yield() }
        await gate.open()
        _ = try await slow.value
        #expect(try await [early.value, late.value] == [200, 200])
    }

    @Test func oneProbeIsInFlight() async throws {
        let clock = TestClock()
        let stub = StubTransport()
        stub.on(.get, "/users", .status(500), .status(500), .status(500), .hold, .json("[]"))
        let transport = stub.wrapped(by: breaker(clock))
        for _ in 0..<3 { _ = try await transport.process(request) }
        clock.advance(by: .seconds(30))
        let probe = Task { try await transport.process(request) }
        try await stub.waitForRequests(count: 4)
        let error = await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
        #expect(error?.remaining == .zero)
        // A probe that is cancelled says nothing: the next request is the probe instead.
        probe.cancel()
        await #expect(throws: CancellationError.self) { try await probe.value }
        #expect(try await transport.process(request).status == 200)
    }

    @Test(arguments: [
        StubTransport.Answer.status(404), .status(429), .failure(TransportError(.invalidRequest)),
        .failure(TransportError(.responseTooLarge)),
    ]) func whatIsNotTheHostsFaultDoesNotCount(answer: StubTransport.Answer) async throws {
        let stub = StubTransport(answer)
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        for _ in 0..<5 { _ = try? await transport.process(request) }
        #expect(stub.requests.count == 5)
    }

    /// The host has answered its own request with the redirect, so it works.
    @Test(arguments: [nil, 503] as [HTTPStatus?])
    func theFailureOfARedirectsTargetIsNoneOfTheHost(status: HTTPStatus?) async throws {
        let dead = URL("https://dead.example/x")
        let stub = StubTransport { request, context in
            guard request.url.path() == "/moved" else { return HTTPResponse(status: 200) }
            // A transport records the request that follows a redirect.
            context.recordSent(HTTPRequest(url: dead))
            guard let status else { throw TransportError(.cannotConnect) }
            return HTTPResponse(status: status, url: dead)
        }
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        for _ in 0..<2 { _ = try? await transport.process(HTTPRequest(url: URL("https://api.example.com/moved"))) }
        #expect(try await transport.process(request).status == 200)
        #expect(stub.requests.count == 3)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func overSocketsADeadTargetOpensNoCircuit(choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        // Nobody listens at port 1. The port of a server that was stopped may be that of the next one.
        server.on(.get, "/moved", .redirect(to: "http://127.0.0.1:1/"))
        server.on(.get, "/users", .json("[]"))
        let transport = try choice.transport().wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        await #expect(throws: TransportError.self) {
            try await transport.process(HTTPRequest(url: server.url.appending(path: "moved")))
        }
        #expect(try await transport.process(HTTPRequest(url: server.url.appending(path: "users"))).status == 200)
    }

    /// The redirect stays at the host, so the failure is the host's.
    @Test func theFailureOfARedirectWithinTheHostCounts() async throws {
        let stub = StubTransport { _, context in
            context.recordSent(HTTPRequest(url: URL("https://API.example.com:443/x")))
            throw TransportError(.connectionLost)
        }
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        await #expect(throws: TransportError.self) { try await transport.process(request) }
        await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
    }

    @Test(arguments: [StubTransport.Answer.status(503), .failure(TransportError(.connectionLost))])
    func aStoredResponseInsteadOfAFailureIsAFailure(answer: StubTransport.Answer) async throws {
        let stub = StubTransport()
        stub.on(.get, "/users", .json("[]"), answer)
        let transport = stub.wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: breaker(TestClock()))
        var options = CallOptions()
        options[CachePolicy.self] = .networkElseCache
        let context = CallContext(options: options)
        for _ in 0..<4 { #expect(try await transport.process(request, in: context).status == 200) }
        await #expect(throws: CircuitOpenError.self) { try await transport.process(request, in: context) }
        #expect(stub.requests.count == 4)
    }

    /// A stored response sends nothing, so it says nothing of the host.
    @Test func aStoredResponseWithoutARequestIsNoSuccess() async throws {
        let clock = TestClock()
        let stub = StubTransport { request, _ in
            guard request.url.path() == "/users" else { return HTTPResponse(status: 500) }
            return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=86400"])
        }
        let transport = stub.wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: breaker(clock))
        let bad = HTTPRequest(url: URL("https://api.example.com/bad"))
        _ = try await transport.process(request)
        for _ in 0..<3 {
            #expect(try await transport.process(bad).status == 500)
            _ = try? await transport.process(request)
        }
        await #expect(throws: CircuitOpenError.self) { try await transport.process(bad) }
        clock.advance(by: .seconds(30))
        // The stored response is no probe, either: the next request that is sent is the probe.
        #expect(try await transport.process(request).cacheStatus == .hit)
        #expect(try await transport.process(bad).status == 500)
        await #expect(throws: CircuitOpenError.self) { try await transport.process(bad) }
        #expect(stub.requests.count == 5)
    }

    /// The 504 is the cache's own (RFC 9111 §5.2.1.7). It opens no circuit, ends no row of failures, and is no probe.
    @Test func theCachesOwn504SaysNothingOfTheHost() async throws {
        let clock = TestClock()
        let stub = StubTransport(.status(500))
        let transport = stub.wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: breaker(clock))
        let stored = HTTPRequest(url: request.url, headers: ["Cache-Control": "only-if-cached"])
        for _ in 0..<5 { #expect(try await transport.process(stored).status == 504) }
        for _ in 0..<3 {
            _ = try await transport.process(stored)
            #expect(try await transport.process(request).status == 500)
        }
        await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
        clock.advance(by: .seconds(30))
        #expect(try await transport.process(stored).status == 504)
        #expect(try await transport.process(request).status == 500)
        #expect(stub.requests.count == 4)
    }

    @Test func aRetryDoesNotRepeatARefusal() async throws {
        let clock = TestClock()
        let stub = StubTransport(.status(503))
        let transport = stub.wrapped(by: CircuitBreaker(failures: 2, pause: .seconds(30), clock: clock))
            .wrapped(by: .retry(.exponential(attempts: 10, firstWait: .zero)))
        // The retry returns the last response that it has received.
        #expect(try await transport.process(request).status == 503)
        #expect(stub.requests.count == 2)
        await #expect(throws: CircuitOpenError.self) { try await transport.process(request) }
    }

    @Test(arguments: [TransportError.Kind.notConnected, .bodyUnavailable, .unsupported, .invalidRequest])
    func whatTheDeviceCannotDoSaysNothingOfTheHost(kind: TransportError.Kind) async throws {
        let stub = StubTransport(.failure(TransportError(kind)))
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        for _ in 0..<3 { await #expect(throws: TransportError.self) { try await transport.process(request) } }
        #expect(stub.requests.count == 3)
    }
}
