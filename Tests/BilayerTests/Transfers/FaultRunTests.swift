import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Lists, streams and forms that break and go on: no element is lost or comes twice, and no cut body is accepted.
@Suite("Faults of pages, streams and parts", .timeLimit(.minutes(5)))
struct FaultRunTests {
    /// A fault by its name.
    enum Fault: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case reset, close, cut, chunks, resetInside, gzip, stall

        var reply: Reply {
            switch self {
            case .reset: .resetBeforeAnswer
            case .close: .closeBeforeAnswer
            case .cut: .truncatedBody(sent: 3, declared: 5)
            case .chunks: .unfinishedChunks()
            case .resetInside: .resetInBody(after: 3)
            case .gzip: .badGzip
            case .stall: .stallInBody(after: 3)
            }
        }

        var testDescription: String { rawValue }
    }

    private let server: FaultServer

    init() async throws { server = try await FaultServer.start() }

    private func client(over choice: BuiltInTransport) throws -> Client {
        Client(baseURL: server.url, transport: try choice.transport())
    }

    // MARK: Pages

    private let numbers = Route<[Int]>.get("numbers").with(timeout: .seconds(1))

    private func servePages(_ second: Reply) {
        server.on(.get, "/numbers?page=1", .json("[0,1]"))
        server.on(.get, "/numbers?page=2", second, .json("[2,3]"))
        server.on(.get, "/numbers?page=3", .json("[4]"))
        server.on(.get, "/numbers?page=4", .json("[]"))
    }

    @Test("pages go on from the state before the fault", arguments: Fault.allCases, BuiltInTransport.allCases)
    func pagesGoOn(after fault: Fault, over choice: BuiltInTransport) async throws {
        servePages(fault.reply)
        var client = try client(over: choice)
        let (transport, lost) = (client.transport, Locked(0))
        client.transport = AnyNode { request, context in
            do { return try await transport.process(request, in: context) } catch {
                lost.withLock { $0 += 1 }
                throw error
            }
        }
        var (found, state, failures): ([Int], PageState, Int) = ([], PageState(), 0)
        while !state.isFinished, failures < 2 {
            do {
                for try await page in client.pages(of: numbers, by: .pageNumber(), from: state) {
                    found += page.value
                    state = page.next
                }
            } catch is PageError {
                failures += 1
            }
        }
        #expect(found == [0, 1, 2, 3, 4])
        #expect(failures == lost.withLock { $0 })
        // If the server closes a kept connection before it answers, `URLSession` or libcurl may send the request again.
        #expect(failures == 1 || failures == 0 && (fault == .reset || fault == .close))
    }

    @Test(arguments: BuiltInTransport.allCases)
    func pagesGoOnAfterACancel(over choice: BuiltInTransport) async throws {
        servePages(.hold)
        let client = try client(over: choice)
        let route = Route<[Int]>.get("numbers")
        let reading = Task {
            var (found, state): ([Int], PageState) = ([], PageState())
            do {
                for try await page in client.pages(of: route, by: .pageNumber()) {
                    found += page.value
                    state = page.next
                }
            } catch is CancellationError {}
            return (found, state)
        }
        try await server.waitForRequests(count: 2)
        reading.cancel()
        var (found, state) = try await reading.value
        #expect(found == [0, 1] && !state.isFinished)
        for try await page in client.pages(of: route, by: .pageNumber(), from: state) {
            found += page.value
            state = page.next
        }
        #expect(found == [0, 1, 2, 3, 4] && state.isFinished)
    }

    // MARK: Streams

    @Test(
        "an event stream goes on after the last event, wherever its connections are cut",
        arguments: BuiltInTransport.allCases,
        0..<8 as Range<UInt64>
    )
    func eventsGoOn(over choice: BuiltInTransport, seed: UInt64) async throws {
        server.on(.get, "/ticks") { request in
            let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
            let events = (last..<9).map { "id: \($0 + 1)\ndata: \($0 + 1)\n\n" }.joined()
            let text = "retry: 0\n\n" + events
            if request.number > 12 { return .data(Data(text.utf8), contentType: "text/event-stream") }
            var random = SplitMix64(seed: seed << 8 | UInt64(request.number))
            let piece = String(text.prefix(random.next(below: text.count + 1)))
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            let size = String(piece.utf8.count, radix: 16)
            return Reply(.head(head), .body(piece.isEmpty ? "" : "\(size)\r\n\(piece)\r\n"), .close)
        }
        let again = Reconnection.afterLoss(attempts: 100, firstWait: .zero)
        let ticks = try client(over: choice).stream(Route<Int>.get("ticks"), as: .serverSentEvents(reconnecting: again))
        var found: [Int] = []
        for try await tick in ticks {
            found.append(tick)
            if tick == 9 { break }
        }
        #expect(found == Array(1...9), "seed \(seed)")
    }

    @Test("lines before a fault are elements, and the fault is the error", arguments: BuiltInTransport.allCases)
    func linesBeforeAFault(over choice: BuiltInTransport) async throws {
        let text = "1\n2\n3\n4"
        for count in 1..<text.count {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(text.count)\r\n\r\n"
            server.on(.get, "/lines", Reply(.head(head), .body(String(text.prefix(count))), .close))
            var found: [Int] = []
            await #expect(throws: CallError.self) {
                for try await line in try client(over: choice).stream(Route<Int>.get("lines"), as: .lines) {
                    found.append(line)
                }
            }
            #expect(found == Array([1, 2, 3].prefix(count / 2)), "after \(count) bytes")
        }
    }

    // MARK: Parts

    @Test(
        "a form that breaks during its upload is sent again whole",
        arguments: [0, 1_000, 200_000],
        BuiltInTransport.allCases
    )
    func formsAreSentAgain(after count: Int, over choice: BuiltInTransport) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png")
        try Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let form = Multipart { "AaB03x" }.adding("title", "Ada").adding(file: file, name: "picture")
        let expected = try await form.requestBody().content.collected()
        let route = Route<Json>.post("pictures", body: .multipart(form))
        let client = try client(over: choice)
        server.on(.post, "/pictures", .json("{}"))
        for fault in [Reply.resetBeforeAnswer, .closeBeforeAnswer] {
            server.onUpload(.post, "/pictures", after: count, fault)
            await #expect(throws: CallError.self) { try await client.fetch(route) }
        }
        server.onUpload(.post, "/pictures", after: count, .hold)
        let arrived = server.requests.count
        let call = Task { try await client.fetch(route) }
        try await server.waitForRequests(count: arrived + 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }

        server.onUpload(.post, "/pictures", after: .max, .closeBeforeAnswer)
        server.forgetRequests()
        #expect(try await client.fetch(route) == [:])
        #expect(server.requests.map(\.body) == [expected])
    }

    @Test("a fault for one upload: the next attempt is answered as scripted", arguments: BuiltInTransport.allCases)
    func aRetryAfterOneFault(over choice: BuiltInTransport) async throws {
        server.on(.put, "/text", .json("{}"))
        server.onUpload(.put, "/text", after: 1_000, .resetBeforeAnswer, times: 1)
        var client = try client(over: choice)
        client.transport = AnyNode(
            client.transport.wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
        )
        let text = String(repeating: "0123456789", count: 60_000)
        #expect(try await client.fetch(Route<Json>.put("text", body: .text(text))) == [:])
        #expect(server.requests.map(\.isCut) == [true, false])
        #expect(server.requests.last?.bodyText == text)
    }
}
