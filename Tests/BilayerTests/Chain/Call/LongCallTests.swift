import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// The last event of a stream and of a download is `ended`, once, with the outcome that its reader gets.
@Suite("CallObserver: streams and downloads", .timeLimit(.minutes(5)))
struct LongCallTests {
    private let watcher = Watcher()
    private let server: FaultServer
    private let client: Client
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    private static let cut = Reply(.head("\(head)Content-Length: 99\r\n\r\n"), .body("data: 1\n\n"), .close)
    private static let whole = Reply(.head("\(head)Content-Length: 9\r\n\r\n"), .body("data: 1\n\n"))

    init() async throws {
        server = try await FaultServer.start()
        var client = Client(baseURL: server.url, transport: DefaultTransport())
        client.observer = watcher
        self.client = client
    }

    /// The events `began`, `sent`, `received`, `lost` and `ended`, with what the last one says.
    private var steps: [String] {
        watcher.events.compactMap { event in
            switch event.kind {
            case .began: "began"
            case .sent: "sent"
            case .received: "received"
            case .lost: "lost"
            case .ended(let metrics, nil): "ended: \(metrics.attempts), \(metrics.receivedBytes) B"
            case .ended(_, is CancellationError): "cancelled"
            case .ended(let metrics, let failure?):
                "failed: \(metrics.attempts), \(metrics.receivedBytes) B, \((failure as? CallError).map { "\($0.stage)" } ?? "-")"
            case .note, .stageEnded: nil
            }
        }
    }

    private func read(_ format: StreamFormat = .serverSentEvents) async {
        do { for try await _ in client.stream(Route<Json>.get("x"), as: format) {} } catch {}
    }

    private func download(_ reconnection: Reconnection = .never) async {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        _ = try? await client.download(.get("x"), to: place, reconnecting: reconnection).file()
    }

    @Test func aStreamThatIsReadToItsEnd() async {
        server.on(.get, "/x", Self.whole)
        await read()
        #expect(steps == ["began", "sent", "received", "ended: 1, 9 B"])
        #expect(watcher.events.last?.text.hasPrefix("ended") == true)
    }

    /// The duration includes the time of the reader, although no event comes between the head and the end of a stream.
    @Test func theDurationIsThatOfTheWholeCall() async throws {
        server.on(.get, "/x", Self.whole)
        var elements = client.stream(Route<Json>.get("x"), as: .serverSentEvents).makeAsyncIterator()
        let start = ContinuousClock.now
        _ = try await elements.next()
        try await Task.sleep(for: .milliseconds(20))
        let elapsed = start.duration(to: .now)
        while try await elements.next() != nil {}
        guard case .ended(let metrics, _)? = watcher.events.last?.kind else {
            Issue.record("the last event is not the end")
            return
        }
        #expect(metrics.duration >= elapsed)
    }

    @Test func aStreamThatIsLost() async {
        server.on(.get, "/x", Self.cut)
        await read()
        #expect(steps == ["began", "sent", "received", "lost", "failed: 1, 9 B, transport"])
    }

    @Test func aStreamThatIsOpenedAgainAndRefused() async {
        server.on(.get, "/x", Self.cut, .status(503), .status(404))
        await read(.serverSentEvents(reconnecting: .afterLoss(attempts: 3, firstWait: .zero)))
        #expect(
            steps == [
                "began", "sent", "received", "lost", "sent", "received", "sent", "received",
                "failed: 3, 9 B, raw mapping",
            ]
        )
    }

    @Test func aStreamWhoseElementIsNone() async {
        server.on(.get, "/x", .data(Data("data: {\n\n".utf8), contentType: "text/event-stream"))
        await read()
        #expect(steps == ["began", "sent", "received", "failed: 1, 9 B, raw mapping"])
    }

    @Test func aStreamThatCannotBeOpened() async {
        server.on(.get, "/x", .closeBeforeAnswer)
        await read()
        #expect(steps.first == "began" && steps.last == "failed: \(server.requests.count), 0 B, transport")
        #expect(steps.filter { $0 == "began" || $0.hasPrefix("failed") }.count == 2)
    }

    @Test func aReaderThatLeavesHasCancelledTheCall() async throws {
        server.on(.get, "/x", Reply(.head("\(Self.head)\r\n"), .body("data: 1\n\n"), .hold))
        for try await _ in client.stream(Route<Json>.get("x"), as: .serverSentEvents) { break }
        #expect(steps == ["began", "sent", "received", "cancelled"])
    }

    @Test func anIterationThatNeverBeganHasNoEvents() {
        _ = client.stream(Route<Json>.get("x"), as: .serverSentEvents).makeAsyncIterator()
        #expect(watcher.events.isEmpty)
    }

    @Test func aDownloadThatIsWhole() async {
        server.on(.get, "/x", Self.whole)
        await download()
        #expect(steps == ["began", "sent", "received", "ended: 1, 9 B"])
    }

    @Test func aDownloadThatIsLost() async {
        server.on(.get, "/x", Self.cut)
        await download()
        #expect(steps == ["began", "sent", "received", "lost", "failed: 1, 9 B, transport"])
    }

    @Test func aDownloadThatGoesOnIsOneCall() async {
        server.on(.get, "/x", Self.cut, Self.whole)
        await download(.afterLoss(attempts: 2, firstWait: .zero))
        #expect(steps == ["began", "sent", "received", "lost", "sent", "received", "ended: 2, 18 B"])
    }

    /// A transport that does not stream records the complete response, before its body is read as chunks.
    @Test func aCompleteResponseIsCountedOnce() async throws {
        let stub = StubTransport(.data(Data("data: 1\n\n".utf8), contentType: "text/event-stream"))
        var client = Client(baseURL: URL("https://api.example.com"), transport: stub)
        client.observer = watcher
        for try await _ in client.stream(Route<Json>.get("x"), as: .serverSentEvents) {}
        #expect(steps == ["began", "sent", "received", "ended: 1, 9 B"])
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        try await client.download(.get("x"), to: place).file()
        #expect(steps.dropFirst(4) == ["began", "sent", "received", "ended: 1, 9 B"])
    }

    /// A node that sends a request for each element does so in the context of the call.
    @Test func responsesForElementsAreCountedBesideTheStream() async throws {
        let stub = StubTransport()
        stub.on(.get, "/x", .data(Data("data: 1\n\ndata: 2\n\n".utf8), contentType: "text/event-stream"))
        stub.on(.get, "/detail", .json("12345"))
        var client = Client(baseURL: URL("https://api.example.com"), transport: stub)
        client.observer = watcher
        let detail = client.pipeline(for: Route<Json>.get("detail"))
        client.raw.append { json, context in
            _ = try await detail.process((), in: context)
            return json
        }
        for try await _ in client.stream(Route<Json>.get("x"), as: .serverSentEvents) {}
        #expect(steps.last == "ended: 3, 28 B")
    }

    /// The refusal of a first attempt is a complete response, and its bytes are not those of the stream.
    @Test func aStreamAfterARefusalIsCountedAsAWhole() async throws {
        let stub = StubTransport()
        stub.on(
            .get,
            "/x",
            .text("busy", status: 503),
            StubTransport.Answer { _, _ in
                var response = HTTPResponse(status: 200, headers: [.contentType: "text/event-stream"])
                response.stream = .data(Data("data: 1\n\n".utf8))
                return response
            }
        )
        let transport = stub.wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
        var client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        client.observer = watcher
        for try await _ in client.stream(Route<Json>.get("x"), as: .serverSentEvents) {}
        #expect(steps.last == "ended: 2, 13 B")
    }

    /// A node that records no request makes the response, so the observer receives no response.
    @Test func aResponseThatIsNotRecordedIsCountedOnce() async throws {
        let node = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
            let body = Data("data: 1\n\n".utf8)
            return HTTPResponse(status: 200, headers: [.contentType: "text/event-stream"], body: body)
        }
        var client = Client(baseURL: URL("https://api.example.com"), transport: node)
        client.observer = watcher
        for try await _ in client.stream(Route<Json>.get("x"), as: .serverSentEvents) {}
        #expect(steps == ["began", "ended: 0, 9 B"])
    }

    @Test func theLogSaysTheOutcome() async {
        let lines = Locked<[String]>([])
        var client = client
        client.observer = CallLog { text in lines.withLock { $0.append(text) } }
        server.on(.get, "/x", Self.cut, Self.whole)
        for _ in 0..<2 {
            let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            _ = try? await client.download(.get("x"), to: place).file()
            try? FileManager.default.removeItem(at: place)
        }
        let found = lines.withLock { $0 }
        #expect(found.count == 2)
        #expect(found.first?.contains(" failed: ") == true)
        #expect(found.first?.contains("broken response body") == true)
        #expect(found.last?.contains(" -> 200 OK, stream, text/event-stream: ") == true)
        #expect(found.last?.hasSuffix("1 attempt, 9 B received") == true)
    }
}
