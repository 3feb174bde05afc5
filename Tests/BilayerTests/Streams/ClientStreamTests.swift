import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

@Suite("Streams: elements of a response, mapped while they arrive", .timeLimit(.minutes(5)))
struct ClientStreamTests {
    struct Tick: Sendable, Equatable, DTODecodable {
        struct Entry: Codable, RawMappable {
            let price: Int
        }

        let price: Int

        static func from(dto: Entry) throws -> Tick {
            try require(that: dto.price >= 0, "a price of at least 0", at: "price")
            return Tick(price: dto.price)
        }
    }

    struct Said: Codable, RawMappable, Sendable { let text: String }

    static let ticks = Route<Tick>.get("ticks")

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

    @Test(arguments: [(StreamFormat.array, "["), (.array(at: "data.ticks"), #"{"data":{"ticks":["#)])
    func anElementOfAnArrayIsThereWithItsLastByte(format: StreamFormat, start: String) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        let (server, client) = try await serving(
            Reply(.head(head), .body(chunk("\(start){\"price\":1}")), .hold, .body(chunk(",{\"price\":2}")), .close)
        )
        var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
        let first = try await ticks.next()
        #expect(first == Tick(price: 1))
        server.release()
        // The document is cut. Its last whole element is not lost.
        let second = try await ticks.next()
        #expect(second == Tick(price: 2))
        let error = await failure(of: &ticks)
        #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
        #expect(error?.status == 200)
    }

    /// The error of a stream that has no element yet says which response it is about.
    @Test(arguments: [
        (StreamFormat.array(at: "data"), "{}", CallError.Stage.rawMapping), (.array, "{}", .rawMapping),
        (.textSequence, "x", .rawMapping), (.array, "[1", .rawMapping),
    ])
    func anErrorBeforeTheFirstElementHasTheStatus(
        format: StreamFormat,
        text: String,
        stage: CallError.Stage
    ) async throws {
        let (_, client) = try await serving(.data(Data(text.utf8), status: 203))
        var ticks = client.stream(Self.ticks, as: format).makeAsyncIterator()
        let error = await failure(of: &ticks)
        #expect(error?.stage == stage)
        #expect(error?.status == 203)
        #expect(error?.description.contains("-> 203 ") == true)
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

    /// RFC 7464 §2.4 is about numbers, `true`, `false` and `null`. What is no JSON has the error of its parser.
    @Test(arguments: ["hello", "<b>Oops</b>", "}", "\"a\"x"])
    func aTextThatIsNoJsonHasTheErrorOfItsParser(rest: String) async throws {
        let (_, client) = try await serving(.text("\u{1E}\(rest)"))
        let error = await #expect(throws: CallError.self) {
            for try await _ in client.stream(Self.ticks, as: .textSequence) {}
        }
        #expect(error?.issues.first?.underlyingError is BodyError)
    }

    /// RFC 7464 §2.3 and §2.4: a text that was cut is an error of its own, and the texts after it are read.
    @Test(arguments: [
        ("12", "found the end of the document, expected more: white space after the text"),
        ("{\"price\":", "found the end of the document, expected more: 1 bracket"),
        ("{\"price\":[{}", "found the end of the document, expected more: 2 brackets"),
        ("\"12", "found the end of the document, expected more: the end of a string"),
        ("12\u{1E}{\"price\":3}\n", "found a record separator, expected more: white space after the text"),
        ("{\"price\"\u{1E}{\"price\":3}\n", "found a record separator, expected more: 1 bracket"),
        ("{\"price\":3}\n{}", "found more bytes after a text, expected a record separator"),
    ])
    func theErrorOfACutTextNamesTheCut(rest: String, expected: String) async throws {
        var (_, client) = try await serving(.text("\u{1E}{\"price\":1}\n\u{1E}\(rest)"))
        let prices = rest.contains("3") ? [1, 3] : [1]
        let reporter = CollectingReporter()
        client.reporter = reporter
        for policy in [ElementPolicy.fail, .skip] {
            let found = Locked<[Int]>([])
            let read = {
                for try await tick in client.stream(Self.ticks, as: .textSequence, onInvalid: policy) {
                    found.withLock { $0.append(tick.price) }
                }
            }
            if policy == .skip {
                try await read()
                #expect(found.withLock { $0 } == prices)
            } else {
                let error = try #require(await #expect(throws: CallError.self) { try await read() })
                #expect(error.stage == .rawMapping)
                #expect(error.issues.first?.underlyingError is StreamFormatError)
                #expect("\(error)".hasSuffix("failed: \(expected)"), "\(error)")
            }
        }
        let index = rest.hasPrefix("{\"price\":3}") ? 2 : 1
        #expect(
            reporter.reports.flatMap(\.issues).map(\.description)
                == Array(repeating: "$[\(index)]: failed: \(expected)", count: 2)
        )
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

    // MARK: What the tests share

    var streamHead: String {
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    }

    func serving(
        clock: any Clock<Duration> = ContinuousClock(),
        _ first: Reply,
        _ others: Reply...
    ) async throws -> (FaultServer, Client) {
        let server = try await FaultServer.start()
        server.engine.state.withLock { $0.book.set([first] + others, for: .get, "/ticks") }
        // The client's transport retains the server.
        let transport = AnyNode<HTTPRequest, HTTPResponse> { request, context in
            defer { withExtendedLifetime(server) {} }
            return try await DefaultTransport().process(request, in: context)
        }
        return (server, Client(baseURL: server.url, transport: transport, clock: clock))
    }

    /// The error of the next element.
    @concurrent
    func failure<Value>(of elements: inout ModelStream<Value>.AsyncIterator) async -> CallError? {
        do {
            _ = try await elements.next()
            Issue.record("found an element, expected an error")
            return nil
        } catch {
            return error as? CallError
        }
    }

    func chunk(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" }

    @discardableResult
    func all<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
        var all: [Elements.Element] = []
        for try await element in elements { all.append(element) }
        return all
    }
}
