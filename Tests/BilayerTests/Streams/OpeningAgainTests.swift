import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("Streams: which requests are opened again", .timeLimit(.minutes(5)))
struct OpeningAgainTests {
    private static let format = StreamFormat.serverSentEvents(
        reconnecting: .afterLoss(attempts: 1, firstWait: .zero)
    )
    private static let cut = Reply(
        .head("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100\r\n\r\n"),
        .body("data: 1\n\n"),
        .close
    )

    /// Reads elements until the stream fails. Gives up after so many elements that the stream would never end.
    private func end(of stream: ModelStream<Json>) async -> (any Error)? {
        do {
            var count = 0
            for try await _ in stream {
                count += 1
                if count > 5 { return nil }
            }
            return nil
        } catch {
            return error
        }
    }

    /// The request after the redirect is a `GET`, which could be sent again; the `POST` before it could not.
    @Test(arguments: BuiltInTransport.allCases)
    func aPostThatWasRedirectedIsSentOnce(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/jobs", .redirect(to: "/ticks", status: 303))
        server.on(.get, "/ticks", Self.cut)
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let error = await end(of: client.stream(Route<Json>.post("jobs"), as: Self.format)) as? CallError
        #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
        #expect(server.requests.map(\.method) == [.post, .get])
    }

    /// A retry makes one idempotency key for all attempts to open the stream once. If the stream is lost and opened
    /// again, the request would have another key, so the server would do the work twice.
    @Test func aKeyOfTheRetryIsNoneOfTheCall() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/jobs", Self.cut)
        var policy = RetryPolicy.exponential(attempts: 2)
        policy.makeIdempotencyKey = { UUID().uuidString }
        let client = Client(baseURL: server.url, transport: DefaultTransport().wrapped(by: .retry(policy)))
        #expect(await end(of: client.stream(Route<Json>.post("jobs"), as: Self.format)) is CallError)
        #expect(server.requests.count == 1)
        let own = Route<Json>.post("jobs").with(headers: [.idempotencyKey: "k"])
        #expect(await end(of: client.stream(own, as: Self.format)) == nil)
        #expect(server.requests.dropFirst().allSatisfy { $0.headers[.idempotencyKey] == "k" })
        #expect(server.requests.count > 2)
    }

    /// RFC 6585 §4: the response of a server that is asked too often says when to come again.
    @Test func aStreamIsOpenedAgainWhenTheServerSays() async throws {
        let stub = StubTransport()
        stub.on(
            .get,
            "/ticks",
            .status(429, headers: [.retryAfter: "20"]),
            .text("data: 1\n\n", contentType: "text/event-stream")
        )
        let clock = TestClock()
        let client = Client(baseURL: URL("https://example.com"), transport: stub, clock: clock)
        let wait = Task { try await clock.advanceToNextSleeper() }
        let error = await end(of: client.stream(Route<Json>.get("ticks"), as: Self.format))
        wait.cancel()
        #expect(error == nil && stub.requests.count == 2)
        #expect(try await wait.value == .seconds(20))
    }

    /// The failures of a restarting server open the circuit. An open circuit must not end a stream that is opened
    /// again.
    @Test(arguments: [Duration.seconds(30), .seconds(90)])
    func anOpenCircuitIsWaitedFor(pause: Duration) async throws {
        let (clock, openings) = (TestClock(), Locked(0))
        let stub = StubTransport { _, _ in
            let number = openings.withLock { openings in
                openings += 1
                return openings
            }
            if (2...4).contains(number) { throw TransportError(.cannotConnect) }
            return Self.answer(lost: number == 1)
        }
        let transport = stub.wrapped(by: .circuitBreaker(failures: 2, pause: pause, clock: clock))
        let client = Client(baseURL: URL("https://example.com"), transport: transport, clock: clock)
        let (count, error) = await Self.elements(of: client, clock)
        if pause > .seconds(60) {
            // The pause is longer than the longest wait.
            #expect((error as? CallError)?.underlyingError is CircuitOpenError && count == 1)
        } else {
            #expect(error == nil && count == 2)
        }
    }

    /// The network is away for longer than the token lives.
    @Test func aRefreshWithoutResponseIsALossLikeOthers() async throws {
        let (clock, refreshes) = (TestClock(), Locked(0))
        let stub = StubTransport { request, _ in Self.answer(lost: request.headers[.authorization] == "Bearer 1") }
        let tokens = BearerTokens(clock: clock) { _ in
            let number = refreshes.withLock { refreshes in
                refreshes += 1
                return refreshes
            }
            if (2...3).contains(number) { throw TransportError(.notConnected) }
            return BearerToken("\(number)", expiresIn: .seconds(1))
        }
        let transport = stub.wrapped(by: .authentication(tokens))
        let client = Client(baseURL: URL("https://example.com"), transport: transport, clock: clock)
        let (count, error) = await Self.elements(of: client, clock)
        #expect(error == nil && count == 2)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer 1", "Bearer 4"])
    }

    /// The refresh has a client of its own, whose circuit has opened.
    @Test func theOpenCircuitOfARefreshIsWaitedFor() async throws {
        let (clock, refreshes) = (TestClock(), Locked(0))
        let session = StubTransport { _, _ in
            let number = refreshes.withLock { refreshes in
                refreshes += 1
                return refreshes
            }
            if number == 2 { throw TransportError(.cannotConnect) }
            return HTTPResponse(status: 200, headers: [.contentType: "text/plain"], body: Data("\(number)".utf8))
        }
        let breaker = CircuitBreaker(failures: 1, pause: .seconds(30), clock: clock)
        let plain = Client(baseURL: URL("https://example.com"), transport: session.wrapped(by: breaker), clock: clock)
        let tokens = BearerTokens(clock: clock) { _ in
            BearerToken(try await plain.fetch(Route<String>.get("token")), expiresIn: .seconds(1))
        }
        let stub = StubTransport { request, _ in Self.answer(lost: request.headers[.authorization] == "Bearer 1") }
        let transport = stub.wrapped(by: .authentication(tokens))
        let client = Client(baseURL: URL("https://example.com"), transport: transport, clock: clock)
        // Three attempts with short waits would all be over before the circuit lets a request through.
        let (count, error) = await Self.elements(of: client, clock, attempts: 3, firstWait: .seconds(1))
        #expect(error == nil && count == 2)
        #expect(refreshes.withLock { $0 } == 3)
    }

    /// A node fetches a token of another system for each request, which fails while the network is away.
    @Test(arguments: [nil, 503] as [HTTPStatus?])
    func aLostCallInsideOfTheCallIsALossLikeOthers(status: HTTPStatus?) async throws {
        let (clock, fetched) = (TestClock(), Locked(0))
        let other = StubTransport { _, _ in
            let number = fetched.withLock { fetched in
                fetched += 1
                return fetched
            }
            if (2...3).contains(number) {
                guard let status else { throw TransportError(.notConnected) }
                return HTTPResponse(status: status)
            }
            return HTTPResponse(status: 200, headers: [.contentType: "text/plain"], body: Data("t\(number)".utf8))
        }
        let plain = Client(baseURL: URL("https://other.example"), transport: other)
        let stub = StubTransport { request, _ in Self.answer(lost: request.headers["X-Device"] == "t1") }
        let transport = stub.wrapped(
            by: HeaderProvider { _ in ["X-Device": try await plain.fetch(Route<String>.get("token"))] }
        )
        let client = Client(baseURL: URL("https://example.com"), transport: transport, clock: clock)
        let (count, error) = await Self.elements(of: client, clock)
        #expect(error == nil && count == 2)
        #expect(stub.requests.map { $0.headers["X-Device"] } == ["t1", "t4"])
    }

    /// A stream with one element, which is lost after it or ends.
    private static func answer(lost: Bool) -> HTTPResponse {
        var response = HTTPResponse(status: 200, headers: [.contentType: "text/event-stream"])
        response.stream = .stream {
            AsyncThrowingStream<Data, any Error> { chunks in
                chunks.yield(Data("data: 1\n\n".utf8))
                chunks.finish(throwing: lost ? TransportError(.connectionLost) : nil)
            }
        }
        return response
    }

    /// Reads a stream to its end, while the clock goes on as soon as something waits for it.
    private static func elements(
        of client: Client,
        _ clock: TestClock,
        attempts: Int = 10,
        firstWait: Duration = .seconds(3)
    ) async -> (Int, (any Error)?) {
        let drive = Task { while !Task.isCancelled { _ = try await clock.advanceToNextSleeper() } }
        defer { drive.cancel() }
        let format = StreamFormat.serverSentEvents(reconnecting: .afterLoss(attempts: attempts, firstWait: firstWait))
        var count = 0
        do {
            for try await _ in client.stream(Route<Json>.get("ticks"), as: format) { count += 1 }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    private struct Whole: Transport {
        let peer: StubWebSocket
        let notes: Locked<[[String]]>

        func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
            notes.withLock { $0.append(context.events.map(\.text).filter { $0.contains("the transport") }) }
            var response = HTTPResponse(
                status: request.opensWebSocket ? 101 : 200,
                headers: [.contentType: "text/event-stream"],
                body: request.opensWebSocket ? Data() : Data("data: 1\n\n".utf8)
            )
            if request.opensWebSocket { response.webSocket = peer }
            return response
        }
    }

    @Test func theNoteOfAStreamThatComesWholeIsOnePerCall() async throws {
        let transport = Whole(peer: StubWebSocket(), notes: Locked([]))
        let client = Client(baseURL: URL("https://example.com"), transport: transport)
        let format = StreamFormat.serverSentEvents(
            reconnecting: .afterLoss(attempts: 5, isAfterEnd: true, firstWait: .zero)
        )
        #expect(await end(of: client.stream(Route<Json>.get("ticks"), as: format)) == nil)
        let notes = transport.notes.withLock { $0 }
        #expect(notes.count > 4)
        #expect(notes.allSatisfy { $0 == ["the transport does not stream: the response comes whole"] })
    }

    @Test func aWebSocketIsNoStreamOfAResponse() async throws {
        let transport = Whole(peer: StubWebSocket(), notes: Locked([]))
        let client = Client(baseURL: URL("https://example.com"), transport: transport)
        _ = try await client.webSocket(Route<Json>.get("live"), sending: Json.self)
        #expect(transport.notes.withLock { $0 } == [[]])
    }
}
