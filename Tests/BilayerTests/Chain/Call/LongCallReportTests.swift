import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// A stream, a download and a WebSocket report the error that ends them, once. What they recover from is not reported.
@Suite("Reports of streams, downloads and WebSockets", .timeLimit(.minutes(5)))
struct LongCallReportTests {
    private let collected = CollectingReporter()
    private let server: FaultServer
    private let client: Client
    private static let events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    private static let cut = Reply(.head("\(events)Content-Length: 99\r\n\r\n"), .body("data: 1\n\n"), .close)
    private static let whole = Reply(.head("\(events)Content-Length: 9\r\n\r\n"), .body("data: 1\n\n"))
    private static let again = Reconnection.afterLoss(attempts: 3, firstWait: .milliseconds(1))

    init() async throws {
        server = try await FaultServer.start()
        var client = Client(baseURL: server.url, transport: DefaultTransport())
        client.reporter = collected
        self.client = client
    }

    private var lines: [String] { collected.reports.map(\.line) }

    /// Reads a stream to its end.
    /// - Returns: Whether it failed.
    @discardableResult
    private func read(
        _ route: Route<Json> = .get("x"),
        _ format: StreamFormat = .serverSentEvents,
        _ policy: ElementPolicy = .fail
    ) async -> Bool {
        do {
            for try await _ in client.stream(route, as: format, onInvalid: policy) {}
            return false
        } catch {
            return true
        }
    }

    @Test(arguments: [
        // A renamed field is a broken contract, as in a call that reads `at("data.list")`.
        (StreamFormat.array(at: "data.list"), Reply.json(#"{"data":{"lst":[]}}"#), "response: failed $"),
        (.array(at: "data.list"), .json(#"{"data":{"list":{}}}"#), "response: failed $"),
        (.array, .json("[1"), "response: failed $"),
        (.array, .json("[1,"), "response: failed $"),
        (.array, .json("[}"), "response: failed $"),
        (.lines, .truncatedBody(sent: 20, declared: 400), "transport: failed $"),
        (.lines, .closeInHead(after: 12), "transport: failed $"),
        (.lines, .status(500), "response: failed $"),
        (.lines, .text("<p>", contentType: "text/html"), "response: failed $"),
        (.lines, .json("{\"a\":"), "response: failed $[0]"),
        (.serverSentEvents, cut, "transport: failed $"),
    ])
    func aStreamThatFails(format: StreamFormat, reply: Reply, expected: String) async throws {
        server.on(.get, "/x", reply)
        #expect(await read(.get("x"), format))
        #expect(lines == [expected])
        #expect(collected.reports.first?.request?.url.path == "/x")
    }

    @Test func aStreamThatRecovers() async {
        server.on(.get, "/x", Self.cut, .status(503), .status(503), Self.whole)
        #expect(await !read(.get("x"), .serverSentEvents(reconnecting: Self.again)))
        #expect(server.requests.count == 4)
        #expect(lines == [])
    }

    @Test func aStreamThatCannotBeOpenedAgain() async {
        server.on(.get, "/x", Self.cut, .status(503))
        #expect(await read(.get("x"), .serverSentEvents(reconnecting: Self.again)))
        #expect(server.requests.count == 4)
        #expect(lines == ["response: failed $"])
        #expect(collected.reports.first?.response?.status == 503)
    }

    @Test(arguments: [(ElementPolicy.fail, 1), (.skip, 2), (.end, 1)])
    func anInvalidElementHasOneReport(policy: ElementPolicy, expected: Int) async {
        server.on(.get, "/x", .text("1\nno\n2\nno\n"))
        #expect(await read(.get("x"), .lines, policy) == (policy == .fail))
        #expect(lines == Array(["response: failed $[1]", "response: failed $[3]"].prefix(expected)))
    }

    @Test func aLostStreamAfterAnInvalidElement() async {
        server.on(.get, "/x", Reply(.head("\(Self.events)Content-Length: 99\r\n\r\n"), .body("no\n1\n"), .close))
        #expect(await read(.get("x"), .lines, .skip))
        #expect(lines == ["response: failed $[0]", "transport: failed $"])
    }

    @Test func aStreamThatIsLeft() async throws {
        server.on(.get, "/x", .text("1\n2\n"))
        for try await _ in client.stream(Route<Json>.get("x"), as: .lines) { break }
        #expect(lines == [])
    }

    /// What the request accepts is reported once, however often the stream is opened.
    @Test func theWarningsOfTheRequest() async {
        server.on(.get, "/x", Self.cut, Self.cut, Self.whole)
        var client = client
        client.request.append { request, context in
            _ = try context.mapping { try DraftEntry().toRaw() }
            return request
        }
        let stream = client.stream(Route<Json>.get("x"), as: .serverSentEvents(reconnecting: Self.again))
        await #expect(throws: Never.self) { for try await _ in stream {} }
        #expect(server.requests.count == 3)
        #expect(lines == ["request: coerced $.rank"])
    }

    /// A client whose request node accepts something, and then does something else.
    private func warning(then work: @escaping @Sendable (CallContext) async throws -> Void) -> Client {
        var client = client
        client.request.append { request, context in
            _ = try context.mapping { try DraftEntry().toRaw() }
            try await work(context)
            return request
        }
        return client
    }

    private func failure(of client: Client) async -> (any Error)? {
        do {
            for try await _ in client.stream(Route<Json>.get("x"), as: .serverSentEvents(reconnecting: Self.again)) {}
            return nil
        } catch {
            return error
        }
    }

    /// An element, and the error that ends the stream, have the request of their own connection.
    @Test func theRequestIsThatOfTheLastOpening() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n"
        let second = Reply(.head(head), .body("data: no\n\n"), .close)
        server.on(
            .get,
            "/x",
            Reply(.head(head), .body("id: 7\ndata: 1\n\n"), .close),
            second,
            Reply(.head(head), .close)
        )
        let numbers = Locked(0)
        var client = client
        client.request.append { request, _ in
            var request = request
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            request.headers["X-Number"] = "\(number)"
            return request
        }
        let once = StreamFormat.serverSentEvents(reconnecting: .afterLoss(attempts: 1, firstWait: .milliseconds(1)))
        let error = await #expect(throws: CallError.self) {
            for try await _ in client.stream(Route<Json>.get("x"), as: once, onInvalid: .skip) {}
        }
        let requests = collected.reports.compactMap(\.request)
        #expect(lines == ["response: failed $[1]", "transport: failed $"])
        #expect(requests.map { $0.headers["X-Number"] } == ["2", "\(server.requests.count)"])
        #expect(requests.map { $0.headers["Last-Event-ID"] } == ["7", "7"])
        #expect(error?.request?.headers["X-Number"] == "\(server.requests.count)")
    }

    /// A pipeline that a node runs for an element has the paths of its own response.
    @Test func aPipelineInsideAnElement() async {
        server.on(.get, "/x", .text("1\n2\n"))
        server.on(.get, "/inner", .json(#"{"rank":"x"}"#))
        struct InnerEntry: Codable, RawMappable, Sendable { let rank: Int }
        var client = client
        client.raw.append { [client] json, context in
            if json == 2 {
                _ = try? await client.pipeline(for: Route<InnerEntry>.get("inner")).process((), in: context)
            }
            return json
        }
        await #expect(throws: Never.self) { for try await _ in client.stream(Route<Int>.get("x"), as: .lines) {} }
        #expect(lines == ["response: wrong type $.rank"])
    }

    /// What the request has accepted stays an issue of the request.
    @Test func aStreamThatIsCancelledInItsRequest() async throws {
        let (waits, waiting) = AsyncStream<Void>.makeStream()
        let client = warning { _ in
            waiting.yield()
            try await Task.sleep(for: .seconds(3_600))
        }
        let reading = Task { await failure(of: client) }
        for await _ in waits { break }
        reading.cancel()
        #expect(await reading.value is CancellationError)
        #expect(lines == ["request: coerced $.rank"])
    }

    /// The warnings of an opening that failed before its request count once.
    @Test func aRequestThatSucceedsTheSecondTime() async {
        server.on(.get, "/x", Self.whole)
        server.on(.get, "/token", .status(503), .json("1"))
        var plain = client
        plain.reporter = nil
        let client = warning { [plain] _ in _ = try await plain.fetch(Route<Json>.get("token")) }
        #expect(await failure(of: client) == nil)
        #expect(lines == ["request: coerced $.rank"])
    }

    /// The report of the last opening has what that opening has accepted, too.
    @Test func aLaterRequestThatFails() async {
        server.on(.get, "/x", Self.cut)
        let openings = Locked(0)
        let client = warning { _ in
            let number = openings.withLock { number in
                number += 1
                return number
            }
            if number > 1 { throw URLError(.badURL) }
        }
        #expect(await failure(of: client) is CallError)
        #expect(lines == ["request: coerced $.rank", "request: failed $, coerced $.rank"])
    }

    /// A pipeline that a node runs inside of the call reports its failure itself.
    @Test func aPipelineInsideTheOpening() async {
        server.on(.get, "/x", Self.whole)
        server.on(.get, "/inner", .status(500))
        var client = client
        client.request.append { [client] request, context in
            _ = try? await client.pipeline(for: Route<Json>.get("inner")).process((), in: context)
            return request
        }
        let stream = client.stream(Route<Json>.get("x"), as: .serverSentEvents)
        await #expect(throws: Never.self) { for try await _ in stream {} }
        #expect(lines == ["response: failed $"])
        #expect(collected.reports.first?.request?.url.path == "/inner")
    }

    // MARK: Downloads

    private func download(checking check: @escaping @Sendable (URL) throws -> Void = { _ in }) async -> Bool {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        let download = client.download(.get("x"), to: place, reconnecting: Self.again) { try check($0) }
        return (try? await download.file()) != nil
    }

    @Test func aDownloadThatRecovers() async {
        server.on(.get, "/x", .truncatedBody(sent: 20, declared: 400), .status(503), .text("whole"))
        #expect(await download())
        #expect(server.requests.count == 3)
        #expect(lines == [])
    }

    @Test func aDownloadThatFails() async {
        server.on(.get, "/x", .truncatedBody(sent: 20, declared: 400))
        #expect(await !download())
        #expect(lines == ["transport: failed $"])
    }

    @Test func aFileThatTheAppRefuses() async {
        server.on(.get, "/x", .text("whole"))
        #expect(await !download { _ in throw URLError(.cannotDecodeContentData) })
        #expect(lines == ["response: failed $"])
    }

    /// The error of a call in the check stays that call's: the download has its own request, response and stage.
    @Test func aFileThatAnotherCallRefuses() async {
        server.on(.get, "/x", .text("whole"))
        server.on(.get, "/sum", .closeBeforeAnswer)
        let client = client
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let download = client.download(.get("x"), to: place) { _ in _ = try await client.fetch(Route<Json>.get("sum")) }
        await #expect(throws: CallError.self) { try await download.file() }
        #expect(lines == ["transport: failed $", "response: failed $"])
        #expect(collected.reports.map { $0.endpoint?.name } == ["GET sum", "GET x"])
        #expect(collected.reports.map { $0.request?.url.path } == ["/sum", "/x"])
        #expect(collected.reports.map { $0.response?.status.code } == [nil, 200])
    }

    /// What goes wrong on the device is no fault of the exchange.
    @Test func aFileThatCannotBeMade() async {
        server.on(.get, "/x", .text("whole"))
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)/file")
        await #expect(throws: (any Error).self) { try await client.download(.get("x"), to: place).file() }
        #expect(lines == [])
    }

    @Test func aDownloadWithItsOwnReporter() async {
        server.on(.get, "/x", .status(404))
        let own = CollectingReporter()
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        _ = try? await client.download(.get("x"), to: place, reporter: own).file()
        #expect(own.reports.map(\.line) == ["response: failed $"])
        #expect(lines == [])
    }
}

/// The same for WebSockets, over a stub.
@Suite("Reports of WebSockets", .timeLimit(.minutes(5)))
struct WebSocketReportTests {
    private let stub = StubTransport()
    private let peer = StubWebSocket()
    private let collected = CollectingReporter()

    private func open(
        reconnecting reconnection: Reconnection = .never,
        greeting: [DraftEntry] = []
    ) async throws -> WebSocket<Json, DraftEntry> {
        try await Client(baseURL: URL("https://example.com"), transport: stub)
            .webSocket(
                Route<Json>.get("x"),
                sending: DraftEntry.self,
                reconnecting: reconnection,
                reporter: collected,
                greeting: { greeting }
            )
    }

    private var lines: [String] { collected.reports.map(\.line) }

    @Test(arguments: [WebSocketCloseCode.goingAway, nil])
    func aSocketThatIsLost(code: WebSocketCloseCode?) async throws {
        stub.on(.get, "/x", .webSocket(peer))
        let socket = try await open()
        peer.push(.text("1"))
        if let code { peer.end(code) } else { peer.lose() }
        await #expect(throws: CallError.self) { for try await _ in socket {} }
        #expect(lines == ["transport: failed $"])
    }

    @Test func aSocketThatEnds() async throws {
        stub.on(.get, "/x", .webSocket(peer))
        let socket = try await open()
        peer.end(.normalClosure)
        for try await _ in socket {}
        #expect(lines == [])
    }

    @Test func aSocketThatRecovers() async throws {
        let second = StubWebSocket()
        stub.on(.get, "/x", .webSocket(peer), .status(503), .webSocket(second))
        let socket = try await open(reconnecting: .afterLoss(attempts: 3, firstWait: .milliseconds(1)))
        peer.lose()
        second.end(.normalClosure)
        for try await _ in socket {}
        #expect(lines == [])
    }

    @Test func anInvalidMessageHasOneReport() async throws {
        stub.on(.get, "/x", .webSocket(peer))
        let socket = try await open()
        peer.push(.text("no"))
        await #expect(throws: CallError.self) { for try await _ in socket {} }
        #expect(lines == ["response: failed $[0]"])
    }

    @Test func anOpeningThatFails() async {
        stub.on(.get, "/x", .status(403))
        await #expect(throws: CallError.self) { try await open() }
        #expect(lines == ["response: failed $"])
    }

    /// A message to send has its own report, and the call goes on after it.
    @Test func aMessageToSend() async throws {
        stub.on(.get, "/x", .webSocket(peer))
        let socket = try await open()
        try await socket.send(DraftEntry())
        let error = await #expect(throws: CallError.self) { try await socket.send(DraftEntry(isRefused: true)) }
        #expect(error?.stage == .requestEncoding && error?.underlyingError is MappingError)
        peer.end(.normalClosure)
        for try await _ in socket {}
        #expect(lines == ["request: coerced $.rank", "request: broken rule $.rank, coerced $.rank"])
        #expect(
            collected.reports.allSatisfy { $0.request?.url.path == "/x" && $0.response == nil || $0.issues.count > 1 }
        )
    }

    @Test func aGreetingThatCannotBeWritten() async throws {
        stub.on(.get, "/x", .webSocket(peer))
        let error = await #expect(throws: CallError.self) { try await open(greeting: [DraftEntry(isRefused: true)]) }
        #expect(error?.stage == .requestEncoding && error?.underlyingError is MappingError)
        #expect(lines == ["request: broken rule $.rank, coerced $.rank"])
        #expect(collected.reports.allSatisfy { $0.request?.url.path == "/x" && $0.response == nil })
    }

    /// A greeting belongs to the opening, so what it accepts is reported once.
    @Test func aGreetingThatIsRepeated() async throws {
        let (second, third) = (StubWebSocket(), StubWebSocket())
        stub.on(.get, "/x", .webSocket(peer), .webSocket(second), .webSocket(third))
        let again = Reconnection.afterLoss(attempts: 3, firstWait: .milliseconds(1))
        let socket = try await open(reconnecting: again, greeting: [DraftEntry()])
        peer.lose()
        second.lose()
        third.end(.normalClosure)
        for try await _ in socket {}
        #expect(peer.sent.count + second.sent.count + third.sent.count == 3)
        #expect(lines == ["request: coerced $.rank"])
    }
}

/// The facts of a report are made for a report only: the id of a call opens the system's random device on Linux.
@Suite("Reports without issues")
struct ReportsWithoutIssuesTests {
    @Test func makeNoFacts() {
        func facts() -> ReportedCall {
            Issue.record("made for nothing")
            return ReportedCall()
        }
        let session = MappingSession(policy: .standard)
        let collected = CollectingReporter()
        collected.deliver(session, failure: nil, subject: nil, call: facts())
        collected.deliver(session, failure: CancellationError(), subject: nil, call: facts())
        #expect(collected.reports.isEmpty)
    }
}

/// An entry whose writing accepts something with a warning.
private struct DraftEntry: RawEncodable, Sendable {
    var isRefused = false

    func toRaw() throws -> Json {
        try MappingIssue(.coerced, severity: .warning, path: [.key("rank")]).reportOrThrow()
        if isRefused { throw MappingError(MappingIssue(.brokenRule, path: [.key("rank")])) }
        return ["rank": "1"]
    }
}

extension MappingReport {
    fileprivate var line: String {
        "\(side.rawValue): " + issues.map { "\($0.kind) \($0.path)" }.joined(separator: ", ")
    }
}
