import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

@Suite("Streams: elements of a response, mapped while they arrive", .timeLimit(.minutes(5)))
struct ClientStreamTests {
    private struct Tick: Sendable, Equatable, DTODecodable {
        struct Entry: Codable, RawMappable {
            let price: Int
        }

        let price: Int

        static func from(dto: Entry) throws -> Tick {
            try require(that: dto.price >= 0, "a price of at least 0", at: "price")
            return Tick(price: dto.price)
        }
    }

    private struct Said: Codable, RawMappable, Sendable { let text: String }

    private static let ticks = Route<Tick>.get("ticks")

    // MARK: The elements

    @Test(arguments: [
        (StreamFormat.serverSentEvents, "data: {\"price\":1}\n\ndata: {\"price\":2}\n\n", "text/event-stream"),
        (.lines, "{\"price\":1}\n{\"price\":2}\n", "application/x-ndjson"),
        (.textSequence, "\u{1E}{\"price\":1}\n\u{1E}{\"price\":2}\n", "application/json-seq"),
        (.array, "[{\"price\":1},{\"price\":2}]", "application/json"),
        (.array(at: "data.ticks"), "{\"data\":{\"ticks\":[{\"price\":1},{\"price\":2}]}}", "application/json"),
    ])
    func eachFormatYieldsModels(format: StreamFormat, text: String, type: String) async throws {
        let (server, client) = try await serving(.data(Data(text.utf8), contentType: type))
        #expect(try await all(client.stream(Self.ticks, as: format)) == [Tick(price: 1), Tick(price: 2)])
        #expect(server.requests.first?.headers[.accept] == type)
    }

    @Test func anElementIsThereBeforeTheNextOneIsSent() async throws {
        let (server, client) = try await serving(
            Reply(
                .head(streamHead),
                .body(chunk("data: {\"price\":1}\n\n")),
                .hold,
                .body(chunk("data: {\"price\":2}\n\n") + "0\r\n\r\n")
            )
        )
        var ticks = client.stream(Self.ticks, as: .serverSentEvents).makeAsyncIterator()
        let next1 = try await ticks.next()
        #expect(next1 == Tick(price: 1))
        server.release()
        let next2 = try await ticks.next()
        #expect(next2 == Tick(price: 2))
        let next3 = try await ticks.next()
        #expect(next3 == nil)
        let next4 = try await ticks.next()
        #expect(next4 == nil)
    }

    @Test func entriesAndJsonAreElementsToo() async throws {
        let (_, client) = try await serving(.text("{\"price\":1}\n"))
        #expect(try await all(client.stream(Route<Tick.Entry>.get("ticks"), as: .lines)).map(\.price) == [1])
        #expect(try await all(client.stream(Route<Json>.get("ticks"), as: .lines)) == [["price": 1]])
        #expect(try await all(client.stream(Route<Data>.get("ticks"), as: .lines)) == [Data("{\"price\":1}".utf8)])
    }

    @Test func eventsHaveTheirTypeAndId() async throws {
        let text = "event: buy\nid: 7\ndata: {\"price\":1}\n\ndata: {\"price\":2}\n\n"
        let (_, client) = try await serving(.data(Data(text.utf8), contentType: "text/event-stream"))
        let events = try await all(client.stream(Self.ticks, as: .serverSentEvents).events)
        #expect(events.map(\.event) == ["buy", "message"])
        #expect(events.map(\.id) == ["7", "7"])
        #expect(events.map(\.value.price) == [1, 2])
    }

    @Test func nodesOfTheClientRunForEachElement() async throws {
        var (_, client) = try await serving(.text("{\"data\":{\"price\":1}}\n{\"data\":{\"price\":2}}\n"))
        client.raw.append { json, _ in json["data"] ?? json }
        #expect(try await all(client.stream(Self.ticks, as: .lines)).map(\.price) == [1, 2])
    }

    @Test func eachIterationOpensTheStream() async throws {
        let (server, client) = try await serving(.text("{\"price\":1}\n"))
        let stream = client.stream(Self.ticks, as: .lines)
        for _ in 1...3 { #expect(try await all(stream).count == 1) }
        #expect(server.requests.count == 3)
    }

    // MARK: Elements that break the contract

    @Test(arguments: [
        (StreamFormat.lines, "{\"price\":1}\n{\"price\":\"x\"}\n", "$[1].price"),
        (.array, "[{\"price\":1},{\"price\":\"x\"}]", "$[1].price"),
        (.array(at: "data"), "{\"data\":[{\"price\":1},{\"price\":\"x\"}]}", "$.data[1].price"),
        (.lines, "{\"price\":1}\n{\"price\":-1}\n", "$[1].price"),
    ])
    func anErrorHasThePathInTheStream(format: StreamFormat, text: String, path: String) async throws {
        let (_, client) = try await serving(.text(text))
        var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
        let next5 = try await ticks.next()
        #expect(next5 == Tick(price: 1))
        let error = await failure(of: &ticks)
        #expect(error?.issues.map(\.path.description) == [path])
        #expect(error?.request?.url.path == "/ticks")
        #expect(error?.response?.status == 200)
        let next6 = try await ticks.next()
        #expect(next6 == nil)
    }

    @Test(arguments: [
        (StreamFormat.lines, "{\"price\":1}\nno\n", "$[1]"),
        (.array, "[{\"price\":1},no]", "$[1]"),
        (.array(at: "data"), "{\"data\":[{\"price\":1},{\"price\":}]}", "$.data[1]"),
        (.textSequence, "\u{1E}{\"price\":1}\n\u{1E}no\n", "$[1]"),
        (.textSequence, "\u{1E}{\"price\":1}\n\u{1E}12", "$[1]"),
    ])
    func anElementThatIsNoJsonHasItsPathInTheStream(format: StreamFormat, text: String, path: String) async throws {
        var (_, client) = try await serving(.text(text))
        let reporter = CollectingReporter()
        client.reporter = reporter
        var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
        _ = try await ticks.next()
        let error = await failure(of: &ticks)
        #expect(error?.stage == .rawMapping)
        #expect(error?.issues.map(\.path.description) == [path])
        #expect(error?.issues.first?.underlyingError is BodyError)
        #expect(reporter.reports.flatMap(\.issues).map(\.path.description) == [path])
    }

    @Test("the error of a node has the path of its element", arguments: [true, false])
    func nodes(ofJson: Bool) async throws {
        var (_, client) = try await serving(.text("{\"price\":1}\n{\"price\":2}\n"))
        if ofJson {
            client.raw.append { json, _ in
                try require(that: json["price"]?.int == 1, "the price 1", at: "price")
                return json
            }
        } else {
            client.raw.append { json, _ in
                if json["price"]?.int != 1 { throw URLError(.badURL) }
                return json
            }
        }
        var ticks = client.stream(Self.ticks, as: .lines).makeAsyncIterator()
        _ = try await ticks.next()
        let error = await failure(of: &ticks)
        #expect(error?.issues.map(\.path.description) == [ofJson ? "$[1].price" : "$[1]"])
    }

    @Test func aBadElementIsSkippedWithAReport() async throws {
        var (_, client) = try await serving(.text("{\"price\":1}\n{\"price\":\"x\"}\nno\n{\"price\":4}\n"))
        let reporter = CollectingReporter()
        client.reporter = reporter
        #expect(try await all(client.stream(Self.ticks, as: .lines, onInvalid: .skip)).map(\.price) == [1, 4])
        #expect(reporter.reports.count == 2)
        #expect(reporter.reports.flatMap(\.issues).map(\.path.description) == ["$[1].price", "$[2]"])
    }

    @Test func aBadElementEndsTheStreamQuietly() async throws {
        var (_, client) = try await serving(.text("{\"price\":1}\n{\"price\":\"x\"}\n{\"price\":4}\n"))
        let reporter = CollectingReporter()
        client.reporter = reporter
        #expect(try await all(client.stream(Self.ticks, as: .lines, onInvalid: .end)).map(\.price) == [1])
        #expect(reporter.reports.count == 1)
    }

    @Test func elementsBeforeABrokenDocumentAreDelivered() async throws {
        let (_, client) = try await serving(.text("[{\"price\":1},{\"price\":2},]"))
        var ticks = client.stream(Self.ticks, as: .array).makeAsyncIterator()
        let next7 = try await ticks.next()
        #expect(next7?.price == 1)
        let next8 = try await ticks.next()
        #expect(next8?.price == 2)
        let error = await failure(of: &ticks)
        #expect(error?.stage == .rawMapping)
        #expect(error?.underlyingError is StreamFormatError)
    }

    // MARK: The connection

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

    @Test("a 204 is an error, but for server-sent events, where it says that there is no stream")
    func noContent() async throws {
        for format in [StreamFormat.lines, .textSequence, .array, .array(at: "data")] {
            let (server, client) = try await serving(.status(204))
            var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
            let error = await failure(of: &ticks)
            #expect(error?.stage == .rawMapping)
            let text = (error?.underlyingError).map { "\($0)" } ?? ""
            #expect(text.hasPrefix("found 204 without a body, expected application/"), "\(text)")
            #expect(server.requests.count == 1)
        }
        let (_, client) = try await serving(.status(204))
        #expect(try await all(client.stream(Self.ticks, as: .serverSentEvents)).isEmpty)
    }

    @Test("an element that is no JSON is told of its own text, not of the stream's media type")
    func textOfAnElement() async throws {
        for (format, reply) in [
            (StreamFormat.lines, Reply.data(Data("no".utf8), contentType: "application/x-ndjson; charset=utf-8")),
            (.serverSentEvents, .data(Data("data: no\n\n".utf8), contentType: "text/event-stream")),
        ] {
            let (_, client) = try await serving(reply)
            var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
            let issue = await failure(of: &ticks)?.issues.first
            #expect(issue?.path.description == "$[0]")
            #expect(issue?.detail?.hasPrefix("the body is not valid application/json") == true, "\(issue as Any)")
        }
    }

    @Test("an empty body is a list of no lines or texts, and no array")
    func emptyBody() async throws {
        for (format, type) in [(StreamFormat.lines, "application/x-ndjson"), (.textSequence, "application/json-seq")] {
            let (_, client) = try await serving(.data(Data(), contentType: type))
            #expect(try await all(client.stream(Self.ticks, as: format)).isEmpty)
        }
        let (_, client) = try await serving(.data(Data(), contentType: "application/json"))
        var ticks = client.stream(Self.ticks, as: .array).makeAsyncIterator()
        #expect(await failure(of: &ticks)?.underlyingError is StreamFormatError)
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

    @Test(arguments: ["iso-8859-1", "klingon"])
    func elementsAreUTF8WhateverTheCharsetSays(charset: String) async throws {
        let type = "text/event-stream; charset=\(charset)"
        let (_, client) = try await serving(.data(Data("data: {\"text\":\"é\"}\n\n".utf8), contentType: type))
        var said = client.stream(Route<Said>.get("ticks"), as: .serverSentEvents).makeAsyncIterator()
        let first = try await said.next()
        #expect(first?.text == "é")
    }

    @Test("bytes that are no UTF-8 become U+FFFD, as in browsers (WHATWG HTML §9.2.5)")
    func malformedEvents() async throws {
        let bytes = Data("data: {\"text\":\"a".utf8) + [0xFF] + Data("b\"}\n\n".utf8)
        let (_, client) = try await serving(.data(bytes, contentType: "text/event-stream"))
        let said = try await all(client.stream(Route<Said>.get("ticks"), as: .serverSentEvents))
        #expect(said.map(\.text) == ["a\u{FFFD}b"])
    }

    @Test(
        "other formats are converted as a whole response is, in whatever chunks they come",
        arguments: [
            ("iso-8859-1", String.Encoding.isoLatin1), ("utf-16le", .utf16LittleEndian),
            ("utf-16be", .utf16BigEndian), ("utf-8", .utf8), ("utf-16", .utf16), (nil, .utf16),
        ] as [(String?, String.Encoding)],
        [StreamFormat.lines, .array]
    )
    func charsets(encoding: (name: String?, encoding: String.Encoding), format: StreamFormat) async throws {
        let isArray = format.mediaType == nil
        let isUnicode = encoding.encoding != .isoLatin1
        let texts = ["é", isUnicode ? "😀" : "ß", isUnicode ? "\u{FEFF}" : "ü"]
        let elements = texts.map { "{\"text\":\"\($0)\"}" }
        let text = isArray ? "[\(elements.joined(separator: ","))]" : elements.joined(separator: "\n")
        let bytes = try #require(text.data(using: encoding.encoding))
        let type = "text/plain" + (encoding.name.map { "; charset=\($0)" } ?? "")
        let (server, client) = try await serving(.data(bytes, contentType: type))
        for size in [1, 3, bytes.count] {
            let parts = stride(from: 0, to: bytes.count, by: size).map { Data(bytes.dropFirst($0).prefix(size)) }
            server.on(.get, "/ticks", .chunked(parts, contentType: type))
            let said = try await all(client.stream(Route<Said>.get("ticks"), as: format))
            #expect(said.map(\.text) == texts)
        }
    }

    @Test func aStreamInAnUnknownCharsetIsAnError() async throws {
        let (_, client) = try await serving(.data(Data("1\n".utf8), contentType: "text/plain; charset=klingon"))
        let error = await #expect(throws: CallError.self) {
            try await all(client.stream(Route<Json>.get("ticks"), as: .lines, onInvalid: .skip))
        }
        #expect(error?.issues.first?.found?.type == "charset klingon")
    }

    @Test func aStreamInAnotherCharsetThanThePolicyAllowsIsAnError() async throws {
        let (_, client) = try await serving(.data(Data("1\n".utf8), contentType: "text/plain; charset=iso-8859-1"))
        let route = Route<Json>.get("ticks").with(option: CharsetPolicy.onlyUTF8)
        let error = await #expect(throws: CallError.self) { try await all(client.stream(route, as: .lines)) }
        #expect(error?.issues.first?.expected == "UTF-8")
    }

    @Test func aStreamOfUTF16ThatEndsInACharacterIsAnErrorAfterItsElements() async throws {
        let bytes = try #require("1\n2\n".data(using: .utf16LittleEndian)) + [0x33]
        let (_, client) = try await serving(.data(bytes, contentType: "text/plain; charset=utf-16le"))
        var numbers = client.stream(Route<Json>.get("ticks"), as: .lines).makeAsyncIterator()
        let first = try await numbers.next()
        let second = try await numbers.next()
        #expect([first, second] == [1, 2])
        let error = await failure(of: &numbers)
        #expect(error?.issues.first?.expected == "UTF-16")
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

    private let streamHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func serving(
        clock: any Clock<Duration> = ContinuousClock(),
        _ first: Reply,
        _ others: Reply...
    ) async throws -> (FaultServer, Client) {
        let server = try await FaultServer.start()
        server.engine.state.withLock { $0.book.set([first] + others, for: .get, "/ticks") }
        // The client keeps the server.
        let transport = AnyNode<HTTPRequest, HTTPResponse> { request, context in
            defer { withExtendedLifetime(server) {} }
            return try await DefaultTransport().process(request, in: context)
        }
        return (server, Client(baseURL: server.url, transport: transport, clock: clock))
    }
}

/// The error of the next element.
@concurrent
private func failure<Value>(of elements: inout ModelStream<Value>.AsyncIterator) async -> CallError? {
    do {
        _ = try await elements.next()
        Issue.record("found an element, expected an error")
        return nil
    } catch {
        return error as? CallError
    }
}

private func chunk(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" }

@discardableResult
private func all<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
    var all: [Elements.Element] = []
    for try await element in elements { all.append(element) }
    return all
}
