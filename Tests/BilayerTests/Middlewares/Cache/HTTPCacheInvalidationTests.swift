import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("HTTP cache: invalidation", .timeLimit(.minutes(5)))
struct HTTPCacheInvalidationTests {
    private static let minute: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]

    @Test func aChangeWhoseAnswerIsCutInvalidates() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let stub = StubTransport { _, _ in throw TransportError(.brokenBody, response: HTTPResponse(status: 200)) }
        let post = HTTPRequest(method: .post, url: bench.url)
        await #expect(throws: TransportError.self) {
            try await stub.wrapped(by: .cache(bench.cache)).process(post, in: CallContext())
        }
        bench.reply(.get, 200, Self.minute, "new")
        #expect(String(decoding: try await bench.ask().body, as: UTF8.self) == "new")
    }

    /// A server, and a client whose cache has stored the responses to `GET /users` and `GET /middle`.
    private struct Scene {
        let server: FaultServer
        let client: Client

        init(_ choice: BuiltInTransport) async throws {
            server = try await FaultServer.start()
            let cache = HTTPCache(.memory(maximumBytes: 1 << 20))
            client = Client(baseURL: server.url, transport: try choice.transport().wrapped(by: .cache(cache)))
            for path in ["users", "middle"] {
                server.on(.get, "/\(path)", .json("1", headers: ["Cache-Control": "max-age=600"]))
                _ = try await client.fetch(Route<Json>.get(path))
            }
        }

        func status(_ path: String) async throws -> CacheStatus? {
            try await client.send(Route<Json>.get(path)).response?.cacheStatus
        }
    }

    /// The 303 is no error (RFC 9111 §4.4), whatever its target says.
    @Test(
        arguments: [.json("{}"), .status(404), .status(500), .resetBeforeAnswer] as [Reply],
        BuiltInTransport.allCases
    )
    func aChangeWithARedirectInvalidates(last: Reply, over choice: BuiltInTransport) async throws {
        let scene = try await Scene(choice)
        scene.server.on(.post, "/users", .redirect(to: "/result", status: 303))
        scene.server.on(.get, "/result", last)
        _ = try? await scene.client.fetch(Route<Json>.post("users", body: .text("x")))
        #expect(scene.server.requests.last?.target == "/result")
        #expect(try await scene.status("users") == .miss)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aRedirectInTheMiddleOfAChangeInvalidatesItsAddress(over choice: BuiltInTransport) async throws {
        let scene = try await Scene(choice)
        scene.server.on(.post, "/users", .redirect(to: "/middle", status: 307))
        scene.server.on(.post, "/middle", .redirect(to: "/result", status: 303))
        scene.server.on(.get, "/result", .json("{}"))
        _ = try await scene.client.fetch(Route<Json>.post("users", body: .text("x")))
        #expect(try await scene.status("users") == .miss)
        #expect(try await scene.status("middle") == .miss)
    }

    /// The head has said that the change is made. A limit or a cancel ends the call before the response is complete.
    @Test(arguments: [true, false], BuiltInTransport.allCases)
    func aChangeThatIsEndedInItsResponseInvalidates(byLimit: Bool, over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("1", headers: ["Cache-Control": "max-age=600"]))
        server.on(.post, "/users", .stallInBody(after: 3))
        let clock = TestClock()
        let transport = try choice.transport().wrapped(by: .attemptDeadline(.seconds(5)))
            .wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        let client = Client(baseURL: server.url, transport: transport, clock: clock)
        _ = try await client.fetch(Route<Json>.get("users"))
        let call = Task { try await client.fetch(Route<Json>.post("users", body: .text("x"))) }
        try await server.waitForRequests(count: 2)
        try await clock.waitForSleepers(count: 1)
        if byLimit { clock.advance(by: .seconds(5)) } else { call.cancel() }
        await #expect(throws: (any Error).self) { try await call.value }
        #expect(try await client.send(Route<Json>.get("users")).response?.cacheStatus == .miss)
    }

    /// No server has got the change, so an offline screen keeps what it shows.
    @Test(arguments: [
        TransportError(.notConnected), TransportError(.cannotFindHost), TransportError(.cannotConnect),
        TransportError(.invalidRequest), TransportError(.connectionLost, response: HTTPResponse(status: 500)),
    ])
    func aChangeThatWasNotSentOrIsRefusedInvalidatesNothing(error: TransportError) async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let stub = StubTransport { _, _ in throw error }
        let post = HTTPRequest(method: .post, url: bench.url)
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
            .wrapped(by: .cache(bench.cache))
        // The second request meets an open circuit.
        for _ in 0..<2 { await #expect(throws: (any Error).self) { try await transport.process(post) } }
        #expect(try await bench.ask().cacheStatus == .hit)
    }

    /// A middleware inside of the cache that sends a change more than once.
    enum Repetition: CaseIterable {
        case retry
        case failover

        func wrapping(_ stub: StubTransport) -> AnyNode<HTTPRequest, HTTPResponse> {
            switch self {
            case .retry: stub.wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero))).erased()
            case .failover:
                stub.wrapped(by: .failover([URL("https://api.example.com"), URL("https://b.example.com")])).erased()
            }
        }
    }

    private func status(
        afterPut answers: [StubTransport.Answer],
        through repetition: Repetition
    ) async throws -> CacheStatus? {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let stub = StubTransport()
        stub.on(.put, "/users", answers[0], answers[1])
        let transport = repetition.wrapping(stub).wrapped(by: .cache(bench.cache))
        _ = try? await transport.process(HTTPRequest(method: .put, url: bench.url))
        #expect(stub.requests.count == 2)
        return try await bench.ask().cacheStatus
    }

    /// The first attempt may have made the change.
    @Test(
        arguments: Repetition.allCases,
        [.status(503), .failure(TransportError(.cannotConnect))] as [StubTransport.Answer]
    )
    func aChangeWithALostAttemptInvalidates(repetition: Repetition, last: StubTransport.Answer) async throws {
        let lost = StubTransport.Answer.failure(TransportError(.connectionLost))
        #expect(try await status(afterPut: [lost, last], through: repetition) == .miss)
    }

    @Test(arguments: Repetition.allCases)
    func aChangeThatIsRefusedTwiceInvalidatesNothing(repetition: Repetition) async throws {
        let refused = StubTransport.Answer.status(503)
        #expect(try await status(afterPut: [refused, refused], through: repetition) == .hit)
    }

    /// The login page of a captive portal says nothing of the address that led there.
    @Test(arguments: [HTTPMethod.get, .head])
    func aRedirectToAnotherPlaceRemovesNothing(method: HTTPMethod) async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let portal = StubTransport { request, _ in
            HTTPResponse(
                status: 200,
                headers: [.contentLength: "6"],
                body: request.method == .head ? Data() : Data("<html>".utf8),
                url: URL("https://portal.example/login")
            )
        }
        var options = CallOptions()
        options[CachePolicy.self] = .revalidate
        _ = try await portal.wrapped(by: .cache(bench.cache))
            .process(HTTPRequest(method: method, url: bench.url), in: CallContext(options: options))
        #expect(try await bench.ask().cacheStatus == .hit)
    }

    /// The target of the `303` belongs to another server, so this server's response must not invalidate it.
    @Test func aRedirectToAnotherOriginInvalidatesNothingThere() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let stub = StubTransport { _, context in
            context.recordSent(HTTPRequest(url: bench.url))
            return HTTPResponse(status: 200, url: bench.url)
        }
        let post = HTTPRequest(method: .post, url: URL("https://other.example.com/a"))
        _ = try await stub.wrapped(by: .cache(bench.cache)).process(post)
        #expect(try await bench.ask().cacheStatus == .hit)
    }

    @Test func aChangeAfterARedirectInvalidatesTheLastAddress() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let stub = StubTransport { request, _ in HTTPResponse(status: 200, url: URL("https://api.example.com/users")) }
        let post = HTTPRequest(method: .post, url: URL("https://api.example.com/a"))
        _ = try await stub.wrapped(by: .cache(bench.cache)).process(post, in: CallContext())
        bench.reply(.get, 200, Self.minute, "new")
        #expect(String(decoding: try await bench.ask().body, as: UTF8.self) == "new")
    }

    @Test func addressesThatAnUnsafeResponseNamesAreInvalidatedOnTheSameOrigin() async throws {
        for (location, isInvalidated) in [
            ("/users", true), ("https://api.example.com:443/users#top", true),
            ("https://other.example.com/users", false),
            ("http://api.example.com/users", false),
        ] {
            for name in [.location, .contentLocation] as [HTTPHeaders.Name] {
                let bench = CacheBench()
                bench.reply(.get, 200, Self.minute, "body")
                _ = try await bench.ask()
                bench.stub.on(.post, "/import", .text("", status: 201, headers: [name: location]))
                let request = HTTPRequest(method: .post, url: URL("https://api.example.com/import"))
                _ = try await bench.stub.wrapped(by: .cache(bench.cache)).process(request)
                #expect(try await bench.ask().cacheStatus == (isInvalidated ? .miss : .hit), "\(name): \(location)")
            }
        }
    }

    @Test func aResponseFromBeforeAnInvalidationIsNotStoredAfterIt() async throws {
        let bench = CacheBench()
        let gate = AsyncStream<Void>.makeStream()
        bench.stub.on(
            .get,
            "/users",
            StubTransport.Answer { _, _ in
                for await _ in gate.stream { break }
                return HTTPResponse(status: 200, headers: Self.minute, body: Data("old".utf8))
            }
        )
        bench.reply(.post, 200, [:], "")
        async let slow = bench.ask()
        try await bench.stub.waitForRequests(count: 1)
        _ = try await bench.ask(.post)
        gate.continuation.yield()
        #expect(try await slow.cacheStatus == .miss)
        bench.reply(.get, 200, Self.minute, "new")
        #expect(try await bench.ask().cacheStatus == .miss)
        #expect(try await bench.ask().cacheStatus == .hit)
    }

    @Test func removingAllConcernsResponsesOnTheirWay() async throws {
        let bench = CacheBench()
        let cache = bench.cache
        bench.stub.on(
            .get,
            "/users",
            StubTransport.Answer { _, _ in
                await cache.removeAll()
                return HTTPResponse(status: 200, headers: Self.minute)
            }
        )
        _ = try await bench.ask()
        #expect(try await bench.ask().cacheStatus == .miss)
        #expect(bench.store.byteCount == 0)
    }
}
