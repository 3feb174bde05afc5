import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// Opening, losing, opening again, and closing.
extension ClientStreamTests {
    @Test func anotherStatusIsTheErrorOfACall() async throws {
        let (_, client) = try await serving(.text("no", status: 503))
        let error = await #expect(throws: CallError.self) { try await all(client.stream(Self.ticks, as: .lines)) }
        #expect(error?.status == 503)
        #expect(error?.response?.body == Data("no".utf8))
    }

    @Test func anotherMediaTypeThanThatOfEventsIsAnError() async throws {
        let (_, client) = try await serving(.text("data: 1\n\n"))
        let error = await #expect(throws: CallError.self) {
            try await all(client.stream(Self.ticks, as: .serverSentEvents))
        }
        let reason = (error?.underlyingError as? StreamFormatError)?.description
        #expect(reason == "found text/plain, expected text/event-stream")
    }

    @Test(
        "a page of a proxy is no stream without elements",
        arguments: [StreamFormat.lines, .textSequence, .array],
        ["text/html; charset=utf-8", "application/xhtml+xml"]
    )
    func page(format: StreamFormat, type: String) async throws {
        let page = Data("<!DOCTYPE html>\n<p>Please log in.</p>\n".utf8)
        let (_, client) = try await serving(.data(page, contentType: type))
        let error = await #expect(throws: CallError.self) {
            try await all(client.stream(Self.ticks, as: format, onInvalid: .skip))
        }
        let found = try #require(type.split(separator: ";").first)
        let expected = "found \(found), expected \(format.mediaType ?? "application/json")"
        #expect((error?.underlyingError as? StreamFormatError)?.description == expected)
    }

    @Test("other media types are no reason to refuse lines", arguments: ["application/octet-stream", "text/plain"])
    func otherTypes(type: String) async throws {
        let (_, client) = try await serving(.data(Data("{\"price\":1}\n".utf8), contentType: type))
        #expect(try await all(client.stream(Self.ticks, as: .lines)).map(\.price) == [1])
    }

    @Test func aPathThatIsNoneIsAnErrorBeforeTheRequest() async throws {
        let (server, client) = try await serving(.text("[]"))
        let error = await #expect(throws: CallError.self) {
            try await all(client.stream(Self.ticks, as: .array(at: "data[")))
        }
        #expect(error?.stage == .requestEncoding)
        let reason = (error?.underlyingError as? StreamFormatError)?.description
        #expect(reason == "found \"data[\", expected the path of an array")
        #expect(server.requests.isEmpty)
    }

    @Test func aLostConnectionIsAnErrorAfterTheLastElement() async throws {
        let (_, client) = try await serving(
            Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"), .body("{\"price\":1}\n{\"pri"), .close)
        )
        var ticks = client.stream(Self.ticks, as: .lines).makeAsyncIterator()
        let next9 = try await ticks.next()
        #expect(next9?.price == 1)
        let error = await failure(of: &ticks)
        #expect(error?.stage == .transport)
        #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
    }

    @Test func aStreamGoesOnAfterTheLastEvent() async throws {
        let lost = "retry: 40\nid: 1\ndata: {\"price\":1}\n\nid: 2\ndata: {\"price\":2}\n\ndata: {\"pr"
        let clock = TestClock()
        let (server, client) = try await serving(
            clock: clock,
            Reply(.head(streamHead), .body(chunk(lost)), .close),
            .data(Data("data: {\"price\":3}\n\n".utf8), contentType: "text/event-stream")
        )
        let reading = Task {
            try await all(client.stream(Self.ticks, as: .serverSentEvents(reconnecting: .afterLoss())))
        }
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(39))
        #expect(server.requests.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await reading.value.map(\.price) == [1, 2, 3])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "2"])
    }

    @Test func theIdOfAnEventThatWasCutDoesNotCount() async throws {
        let lost = "id: 1\ndata: {\"price\":1}\n\nid: 2\ndata: {\"pri"
        let clock = TestClock()
        let (server, client) = try await serving(
            clock: clock,
            Reply(.head(streamHead), .body(chunk(lost)), .close),
            Reply(.head(streamHead), .body(chunk("data: {\"price\":2}\n\n")), .close),
            .data(Data("data: {\"price\":3}\n\n".utf8), contentType: "text/event-stream")
        )
        let reading = Task {
            try await all(client.stream(Self.ticks, as: .serverSentEvents(reconnecting: .afterLoss())))
        }
        for _ in 1...2 {
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(3))
        }
        #expect(try await reading.value.map(\.price) == [1, 2, 3])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1"])
    }

    @Test func attemptsThatFailAreFollowedByFurtherOnes() async throws {
        let clock = TestClock()
        let (server, client) = try await serving(
            clock: clock,
            Reply(.head(streamHead), .body(chunk("data: {\"price\":1}\n\n")), .close),
            .closeBeforeAnswer,
            .status(503),
            .data(Data("data: {\"price\":2}\n\n".utf8), contentType: "text/event-stream")
        )
        let reading = Task {
            try await all(client.stream(Self.ticks, as: .serverSentEvents(reconnecting: .afterLoss())))
        }
        for wait in [3, 6, 12] {
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(wait))
        }
        #expect(try await reading.value.map(\.price) == [1, 2])
        #expect(server.requests.count == 4)
    }

    @Test func aStreamIsNotOpenedAgainBeforeTheServerAsksForIt() async throws {
        let clock = TestClock()
        let (server, client) = try await serving(
            clock: clock,
            .retryAfter("20"),
            .data(Data("data: {\"price\":1}\n\n".utf8), contentType: "text/event-stream")
        )
        let reading = Task {
            try await all(client.stream(Self.ticks, as: .serverSentEvents(reconnecting: .afterLoss())))
        }
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(19))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        #expect(try await reading.value.map(\.price) == [1])
        #expect(server.requests.count == 2)
    }

    @Test func aServerThatAsksForALongWaitEndsTheStream() async throws {
        let (server, client) = try await serving(.retryAfter("600"))
        let format = StreamFormat.serverSentEvents(reconnecting: .afterLoss(firstWait: .zero))
        let error = await #expect(throws: CallError.self) { try await all(client.stream(Self.ticks, as: format)) }
        #expect(error?.status == 503)
        #expect(server.requests.count == 1)
    }

    @Test func theAnswerThatEndsTheAttemptsIsTheError() async throws {
        let clock = TestClock()
        let (_, client) = try await serving(
            clock: clock,
            Reply(.head(streamHead), .body(chunk("data: {\"price\":1}\n\n")), .close),
            .status(401)
        )
        let reading = Task {
            try await all(client.stream(Self.ticks, as: .serverSentEvents(reconnecting: .afterLoss())))
        }
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: CallError.self) { try await reading.value }
        #expect(error?.status == 401)
        #expect(error?.underlyingError is CallError == false)
    }

    @Test func aBodyThatCanBeSentOnceLeavesTheLossAsTheError() async throws {
        let (server, client) = try await serving(.text(""))
        server.on(.put, "/ticks", Reply(.head(streamHead), .body(chunk("data: {\"price\":1}\n\n")), .close))
        let once = AsyncStream<Data> { stream in
            stream.yield(Data("1".utf8))
            stream.finish()
        }
        let route = Route<Tick>.put("ticks", body: .content(.stream(length: 1) { once }, mediaType: "text/plain"))
        let format = StreamFormat.serverSentEvents(reconnecting: .afterLoss(firstWait: .zero))
        var ticks = client.stream(route, as: format).makeAsyncIterator()
        _ = try await ticks.next()
        let error = await failure(of: &ticks)
        #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
        #expect(server.requests.count == 1)
    }

    @Test func aStreamIsOpenedAgainUntilTheServerSaysNoMore() async throws {
        let clock = TestClock()
        let event = Reply.data(Data("data: {\"price\":1}\n\n".utf8), contentType: "text/event-stream")
        let (server, client) = try await serving(clock: clock, event, event, .status(204))
        let format = StreamFormat.serverSentEvents(reconnecting: .afterLoss(isAfterEnd: true))
        let reading = Task { try await all(client.stream(Self.ticks, as: format)) }
        for _ in 1...2 {
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(3))
        }
        #expect(try await reading.value.count == 2)
        #expect(server.requests.count == 3)
    }

    @Test func attemptsWithoutAnElementAreBoundedAndFurtherApart() async throws {
        let clock = TestClock()
        let (server, client) = try await serving(clock: clock, .raw("HTTP/1.1 200 OK\r\nContent-Le"))
        server.on(.get, "/ticks", Reply(.close))
        let format = StreamFormat.serverSentEvents(reconnecting: .afterLoss(attempts: 2, firstWait: .seconds(1)))
        let reading = Task { try await all(client.stream(Self.ticks, as: format)) }
        for wait in [1, 2] {
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(wait))
        }
        await #expect(throws: CallError.self) { try await reading.value }
        #expect(server.requests.count == 3)
    }

    @Test func aTransportThatDoesNotStreamIsNamedInTheCallsNotes() async throws {
        let whole = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
            HTTPResponse(status: 200, body: Data("{\"price\":1}\nno\n".utf8))
        }
        let (_, streaming) = try await serving(.text("{\"price\":1}\nno\n"))
        for (client, isWhole) in [
            (Client(baseURL: URL("https://example.com"), transport: whole), true), (streaming, false),
        ] {
            let error = await #expect(throws: CallError.self) { try await all(client.stream(Self.ticks, as: .lines)) }
            let note = "the response came whole, not as a stream (15 B)"
            #expect(error?.events.contains { $0.text == note } == isWhole)
        }
    }

    @Test func aLoopThatEndsClosesTheConnection() async throws {
        let (server, client) = try await serving(
            Reply(.head(streamHead), .body(chunk("data: {\"price\":1}\n\n")), .hold)
        )
        for try await _ in client.stream(Self.ticks, as: .serverSentEvents) { break }
        try await server.engine.state.wait { $0.threads == 1 ? () : nil }
    }

    @Test func aCancelledLoopEndsAtOnce() async throws {
        let (server, client) = try await serving(
            Reply(.head(streamHead), .body(chunk("data: {\"price\":1}\n\n")), .hold)
        )
        let (first, signal) = AsyncStream<Void>.makeStream()
        let reading = Task {
            for try await _ in client.stream(Self.ticks, as: .serverSentEvents) { signal.yield() }
        }
        for await _ in first { break }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await server.engine.state.wait { $0.threads == 1 ? () : nil }
    }

    @Test func middlewaresThatLookAtTheHeadWorkForStreams() async throws {
        var (server, client) = try await serving(.text("no", status: 503), .text("{\"price\":1}\n"))
        let transport = DefaultTransport().wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero))).wrapped(by: .deduplication)
        client.transport = AnyNode(transport)
        #expect(try await all(client.stream(Self.ticks, as: .lines)).map(\.price) == [1])
        #expect(server.requests.count == 2)
    }
}
