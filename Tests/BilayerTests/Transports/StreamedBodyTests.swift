import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("Streamed bodies", .timeLimit(.minutes(5)))
struct StreamedBodyTests {
    private static let large = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    // MARK: Responses

    @Test(arguments: BuiltInTransport.allCases)
    func aSuccessfulResponseComesAsItsHeadAndAStream(of choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", Reply(.head(head(length: 4)), .body("ab"), .hold, .body("cd")))
        let response = try await choice.transport().process(streamed(server.url))
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        let stream = try #require(response.stream)
        #expect(stream.length == 4)
        var chunks = stream.makeAsyncIterator()
        #expect(try await chunks.next() == Data("ab".utf8))
        server.release()
        #expect(try await chunks.next() == Data("cd".utf8))
        #expect(try await chunks.next() == nil)
    }

    @Test("the answer to a request with a body comes as it arrives, too", arguments: BuiltInTransport.allCases)
    func anAnswerToABodyComesAsItArrives(by choice: BuiltInTransport) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "body-\(UUID().uuidString)")
        try Self.large.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let bodies: [HTTPBody] = [
            .data(Data("query".utf8)), .data(Self.large), .file(at: file), .stream { HTTPBody.data(Self.large) },
            .stream(length: Self.large.count) { HTTPBody.data(Self.large) },
        ]
        let transport = try choice.transport()
        for body in bodies {
            let server = try await FaultServer.start()
            server.on(.post, "/", Reply(.head(head(length: 4)), .body("ab"), .hold, .body("cd")))
            var request = upload(body, to: server.url)
            request.streamsResponse = true
            var chunks = try #require(try await transport.process(request).stream).makeAsyncIterator()
            #expect(try await chunks.next() == Data("ab".utf8))
            server.release()
            #expect(try await chunks.next() == Data("cd".utf8))
            #expect(try await chunks.next() == nil)
        }
    }

    @Test(arguments: BuiltInTransport.allCases)
    func everyByteIsReadInOrder(by choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .data(Self.large, contentType: "application/octet-stream"))
        let response = try await choice.transport().process(streamed(server.url))
        #expect(try await response.chunks.collected() == Self.large)
    }

    @Test(arguments: BuiltInTransport.allCases, [404, 503, 304])
    func anotherStatusComesWhole(of choice: BuiltInTransport, status: Int) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .text(status == 304 ? "" : "no", status: HTTPStatus(status)))
        let response = try await choice.transport().process(streamed(server.url))
        #expect(response.status.code == status)
        #expect(response.stream == nil)
        #expect(response.body == Data((status == 304 ? "" : "no").utf8))
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aRedirectIsFollowedToTheStream(by choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .redirect(to: "/there"))
        server.on(.get, "/there", .text("here"))
        let response = try await choice.transport().process(streamed(server.url))
        #expect(try await response.chunks.collected() == Data("here".utf8))
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aBodyThatIsCutThrowsAfterWhatCame(of choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", Reply(.head(head(length: 10)), .body("ab"), .hold, .close))
        let response = try await choice.transport().process(streamed(server.url))
        var chunks = try #require(response.stream).makeAsyncIterator()
        #expect(try await chunks.next() == Data("ab".utf8))
        server.release()
        let error = await #expect(throws: TransportError.self) { _ = try await chunks.next() }
        #expect(error?.kind == .brokenBody)
        #expect(error?.response?.status == 200)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aReaderThatLeavesEndsTheExchange(of choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", Reply(.head(head(length: 10)), .body("ab"), .hold, .body("cdefghij")))
        let transport = try choice.transport()
        do {
            let response = try await transport.process(streamed(server.url))
            for try await _ in response.chunks { break }
        }
        try await server.waitForClosedConnections()
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aCancelledReaderGetsACancellationAtOnce(from choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", Reply(.head(head(length: 10)), .body("ab"), .hold, .body("cdefghij")))
        let transport = try choice.transport()
        let (first, signal) = AsyncStream<Void>.makeStream()
        let url = server.url
        let reading = Task {
            let response = try await transport.process(streamed(url))
            for try await _ in response.chunks { signal.yield() }
        }
        for await _ in first { break }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await server.waitForClosedConnections()
    }

    // MARK: Requests

    @Test(arguments: BuiltInTransport.allCases, Source.allCases)
    fileprivate func aBodyArrivesByteForByte(by choice: BuiltInTransport, from source: Source) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .text("ok"))
        try await source.withBody(Self.large) { body in
            let response = try await choice.transport().process(upload(body, to: server.url))
            #expect(response.body == Data("ok".utf8))
        }
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.body == Self.large)
    }

    @Test(arguments: BuiltInTransport.allCases, Source.allCases)
    fileprivate func anEmptyBodyIsSent(by choice: BuiltInTransport, from source: Source) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .text("ok"))
        try await source.withBody(Data()) { body in
            _ = try await choice.transport().process(upload(body, to: server.url))
        }
        #expect(server.requests.first?.body == Data())
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aStreamThatFailsIsItsError(under choice: BuiltInTransport) async throws {
        struct Broken: Error {}
        let server = try await FaultServer.start()
        server.on(.post, "/", .text("ok"))
        let body = HTTPBody.stream {
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("ab".utf8))
                stream.finish(throwing: Broken())
            }
        }
        let error = await #expect(throws: TransportError.self) {
            try await choice.transport().process(upload(body, to: server.url))
        }
        #expect(error?.kind == .bodyUnavailable)
        #expect(error?.underlyingError is Broken)
        #expect(server.requests.isEmpty)
    }

    /// The source of a body may be the response of another server. If that download breaks, its error has a response,
    /// which is not a response to this call.
    @Test(arguments: BuiltInTransport.allCases)
    func aSourceThatIsABrokenDownloadIsNoResponse(under choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/", .text("ok"))
        let body = HTTPBody.stream(length: 10, isReplayable: true) {
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("ab".utf8))
                stream.finish(throwing: TransportError(.brokenBody, response: HTTPResponse(status: 200)))
            }
        }
        let transport = try choice.transport().wrapped(by: .retry(.exponential(attempts: 3)))
        let client = Client(baseURL: server.url, transport: transport)
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<NoContent>.put("", body: .content(body, mediaType: "text/plain")))
        }
        let failure = try #require(error?.underlyingError as? TransportError)
        #expect(failure.kind == .bodyUnavailable && failure.response == nil)
        #expect((failure.underlyingError as? TransportError)?.kind == .brokenBody)
        #expect(error?.status == nil && error?.response == nil)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aStreamThatStopsEarlyIsAnError(under choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .text("ok"))
        let body = HTTPBody.stream(length: 10) { AsyncStream<Data>(Data("ab".utf8)) }
        let error = await #expect(throws: TransportError.self) {
            try await choice.transport().process(upload(body, to: server.url))
        }
        #expect(error?.kind == .bodyUnavailable)
        #expect(error?.detail == "found 2 bytes, expected 10 as announced")
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aMissingFileIsAnError(under choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .text("ok"))
        let body = HTTPBody.file(at: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        let error = await #expect(throws: TransportError.self) {
            try await choice.transport().process(upload(body, to: server.url))
        }
        #expect(error?.kind == .bodyUnavailable)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aReplayableStreamFollowsARedirectThatKeepsTheBody(by choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .redirect(to: "/there", status: 307))
        server.on(.post, "/there", .text("ok"))
        let body = HTTPBody.stream(isReplayable: true) { AsyncStream<Data>(Data("ab".utf8)) }
        _ = try await choice.transport().process(upload(body, to: server.url))
        #expect(server.requests.map(\.body) == [Data("ab".utf8), Data("ab".utf8)])
    }

    #if os(Linux)
    @Test func aBodyThatCanBeSentOnceStopsAtARedirectThatKeepsIt() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .redirect(to: "/there", status: 307))
        let body = HTTPBody.stream { AsyncStream<Data>(Data("ab".utf8)) }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().process(upload(body, to: server.url))
        }
        #expect(error?.kind == .bodyUnavailable)
        #expect(error?.response?.status == 307)
    }
    #endif

    #if os(Linux)
    /// The call has not returned the head yet, so the app cannot read the body and make room.
    @Test func aServerThatAnswersMuchBeforeItReadsEndsByTheTimeLimit() async throws {
        let server = try await FaultServer.start()
        let answer = Data(repeating: 1, count: 4_000_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(answer.count)\r\n\r\n"
        server.onUpload(.post, "/", after: 1_000, Reply(.head(head), .body(answer), .hold))
        let body = HTTPBody.stream { AsyncStream<Data>(unfolding: { Data(repeating: 2, count: 100_000) }) }
        var request = upload(body, to: server.url)
        request.streamsResponse = true
        request.timeout = .milliseconds(500)
        let error = await #expect(throws: TransportError.self) { try await CurlTransport().process(request) }
        #expect(error?.kind == .timedOut)
    }
    #endif

    @Test(arguments: BuiltInTransport.allCases)
    func aCancelledUploadEndsItsStream(under choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .text("ok"))
        let (ends, ended) = AsyncStream<Void>.makeStream()
        let (begins, begun) = AsyncStream<Void>.makeStream()
        let body = HTTPBody.stream {
            let (chunks, sink) = AsyncStream<Data>.makeStream()
            sink.onTermination = { _ in ended.yield() }
            sink.yield(Data("ab".utf8))
            begun.yield()
            return chunks
        }
        let transport = try choice.transport()
        let url = server.url
        let call = Task { try await transport.process(upload(body, to: url)) }
        for await _ in begins { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for await _ in ends { break }
    }
}

/// What a body is made of.
private enum Source: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, file, stream, streamOfKnownLength

    var testDescription: String { rawValue }

    func withBody(_ bytes: Data, _ body: (HTTPBody) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(.data(bytes))
        case .stream: try await body(.stream { chunks(of: bytes) })
        case .streamOfKnownLength: try await body(.stream(length: bytes.count) { chunks(of: bytes) })
        case .file:
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-\(UUID().uuidString)")
            try bytes.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await body(.file(at: file))
        }
    }
}

private func chunks(of bytes: Data) -> AsyncStream<Data> {
    AsyncStream { stream in
        var rest = bytes[...]
        var size = 1
        while !rest.isEmpty {
            stream.yield(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
            size = min(size * 3, 700_000)
        }
        stream.finish()
    }
}

extension AsyncStream where Element: Sendable {
    fileprivate init(_ element: Element) {
        self.init { stream in
            stream.yield(element)
            stream.finish()
        }
    }
}

extension FaultServer {
    /// Waits until the only thread is the one that accepts connections.
    fileprivate func waitForClosedConnections() async throws {
        try await engine.state.wait { $0.threads == 1 ? () : nil }
    }
}

private func head(length: Int) -> String { "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" }

private func streamed(_ url: URL) -> HTTPRequest {
    var request = HTTPRequest(url: url)
    request.streamsResponse = true
    return request
}

private func upload(_ body: HTTPBody, to url: URL) -> HTTPRequest {
    HTTPRequest(method: .post, url: url, headers: [.contentType: "application/octet-stream"], body: body)
}
