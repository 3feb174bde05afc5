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

    /// Reads elements until the stream fails, or as many as would not end.
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

    /// A retry makes a key for the attempts of one opening, and another one for the next, which would do the work
    /// twice.
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
