import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct StubTransportTests {
    private func request(_ address: String, _ method: HTTPMethod = .get) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: "https://api.example.com" + address)))
    }

    @Test func answersInTheOrderOfTheScript() async throws {
        let stub = StubTransport()
        stub.on(.get, "/users", .json("[]"), .failure(TransportError(.timedOut)), .status(503))
        let users = try request("/users?page=1")

        let first = try await stub.process(users)
        #expect(first.status == 200)
        #expect(first.mediaType?.essence == "application/json")
        #expect(first.body == Data("[]".utf8))
        #expect(first.url == users.url)
        await #expect(throws: TransportError.self) { try await stub.process(users) }
        for _ in 0..<2 { #expect(try await stub.process(users).status == 503) }
        #expect(stub.requests == Array(repeating: users, count: 4))
    }

    @Test func matchesMethodAndPathAndQuery() async throws {
        let stub = StubTransport()
        stub.on(.get, "/a%2Fb?x=1", .text("with query"))
        stub.on(.get, "/a%2Fb", .text("any"))
        stub.on(.get, "/", .text("root"))
        stub.on(.head, "/", .text("root"))
        func body(_ address: String, _ method: HTTPMethod = .get) async throws -> String {
            String(decoding: try await stub.process(request(address, method)).body, as: UTF8.self)
        }
        #expect(try await body("/a%2Fb?x=1") == "with query")
        #expect(try await body("/a%2Fb?x=2") == "any")
        #expect(try await body("") == "root")
        #expect(try await body("/", .head) == "")
    }

    @Test func aRequestWithoutAScriptFailsWithAReason() async throws {
        let stub = StubTransport()
        let error = await #expect(throws: TransportError.self) { try await stub.process(request("/users?page=2")) }
        #expect(error?.kind == .unsupported)
        #expect(error?.detail == "nothing is scripted for GET /users?page=…; scripted: nothing")
        stub.on(.get, "/users/{id}", .json("7"))
        stub.on(.post, "/users", .status(201))
        let client = Client(baseURL: URL("https://api.example.com"), transport: stub)
        let route = Route<Json>.get("users").failing(with: Json.self)
        let failed = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(
            failed?.description.contains("nothing is scripted for GET /users; scripted: GET /users/{id}, POST /users")
                == true,
            "\(failed?.description ?? "")"
        )
        #expect(stub.requests.count == 2)
    }

    @Test func aSegmentInBracesStandsForAny() async throws {
        let stub = StubTransport()
        stub.on(.get, "/users/{id}/photos/{photo}", .text("two"))
        stub.on(.get, "/users/{id}/photos/7", .text("one"))
        stub.on(.get, "/users/1/photos/7", .text("none"))
        func body(_ address: String) async throws -> String {
            String(decoding: try await stub.process(request(address)).body, as: UTF8.self)
        }
        #expect(try await body("/users/1/photos/7") == "none")
        #expect(try await body("/users/2/photos/7?size=l") == "one")
        #expect(try await body("/users/2/photos/8") == "two")
    }

    @Test func answersEverythingAlike() async throws {
        let stub = StubTransport(.json("[]"))
        stub.on(.get, "/other", .status(204))
        #expect(try await stub.process(request("/x")).body == Data("[]".utf8))
        #expect(try await stub.process(request("/other")).status == 204)
    }

    @Test func computesAnswers() async throws {
        let echo = StubTransport { request, _ in HTTPResponse(status: 201, body: Data(request.url.path.utf8)) }
        #expect(try await echo.process(request("/x")).body == Data("/x".utf8))
        echo.on(.get, "/y") { $0.headers[.accept] == nil ? .status(406) : .json("{}") }
        #expect(try await echo.process(request("/y")).status == 406)
    }

    @Test func sendsNothingThatMayNotBeSent() async throws {
        let stub = StubTransport(.status(200))
        let bad = HTTPRequest(url: try request("/").url, headers: ["X-Bad": "a\r\nb"])
        await #expect(throws: TransportError.self) { try await stub.process(bad) }
        #expect(stub.requests.isEmpty)
    }

    @Test func waitsOnTheCallsClock() async throws {
        let clock = TestClock()
        let stub = StubTransport(.delayed(.seconds(60), then: .text("late")))
        let request = try request("/")
        let call = Task { try await stub.process(request, in: CallContext(clock: clock)) }
        #expect(try await clock.advanceToNextSleeper() == .seconds(60))
        #expect(try await call.value.body == Data("late".utf8))
    }

    @Test func holdsUntilCancelled() async throws {
        let stub = StubTransport(.hold)
        let request = try request("/")
        for count in 1...200 {
            let call = Task { try await stub.process(request) }
            if count.isMultiple(of: 2) { await Task.yield() }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test func countsConcurrentRequests() async throws {
        let stub = StubTransport(.status(204))
        let request = try request("/")
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 { group.addTask { _ = try await stub.process(request) } }
            try await group.waitForAll()
        }
        #expect(try await stub.waitForRequests(count: 200).count == 200)
    }

    @Test func recordsWhatGoesThroughAnother() async throws {
        let stub = StubTransport(.status(204))
        stub.on(.get, "/fail", .failure(TransportError(.timedOut)))
        let recording = RecordingTransport(stub)
        _ = try await recording.process(request("/a"))
        await #expect(throws: TransportError.self) { try await recording.process(request("/fail")) }

        try #require(recording.exchanges.count == 2)
        #expect(recording.exchanges[0].request == (try request("/a")))
        #expect(try recording.exchanges[0].result.get().status == 204)
        #expect(throws: TransportError.self) { try recording.exchanges[1].result.get() }
        #expect("\(recording)" == "RecordingTransport(StubTransport)")
    }
}
