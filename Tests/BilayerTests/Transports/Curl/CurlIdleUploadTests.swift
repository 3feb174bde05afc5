#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// The source of a body may have no bytes for hours, or for ever.
@Suite("CurlTransport: uploads whose source has no bytes", .timeLimit(.minutes(5)))
struct CurlIdleUploadTests {
    /// A source that gives five bytes, and then none and no end.
    private struct QuietSource: AsyncSequence, AsyncIteratorProtocol, Sendable {
        /// Counts the reads. Opening it ends a source that ignores cancels.
        let gate = TaskGate()
        /// Counts the ends of sources.
        let ends = TaskGate()
        var ignoresCancels = false

        func makeAsyncIterator() -> QuietSource { self }

        mutating func next() async throws -> Data? {
            if await gate.arrive() == 1 { return Data("first".utf8) }
            if ignoresCancels { await gate.wait() } else { try await Task.sleep(for: .seconds(86_400)) }
            _ = await ends.arrive()
            return nil
        }
    }

    private static let length = "Content-Length: 4\r\n\r\n"
    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"
    private static let close = "Connection: close\r\n"
    private static let done = Reply.Action.body("done")
    private static let chunks = Reply.Action.body("4\r\ndone\r\n0\r\n\r\n")
    private static let cutChunk = Reply.Action.body("9\r\ndone")
    private static let interim = Reply.Action.head("HTTP/1.1 100 Continue\r\n\r\n")

    private static func ok(_ fields: String) -> Reply.Action { .head("HTTP/1.1 200 OK\r\n" + fields) }
    private static func refused(_ fields: String) -> Reply.Action { .head("HTTP/1.1 401 No\r\n" + fields) }

    private static let complete: [[Reply.Action]] = [
        [ok(length), done, .hold], [refused(length), done, .hold], [ok(chunked), chunks, .hold],
        [refused(chunked), chunks, .hold], [ok(length), done, .close], [refused(length), done, .close],
        [ok(close + chunked), chunks, .close], [refused(close + chunked), chunks, .close],
        [refused(chunked), chunks, .close], [ok(close + "\r\n"), done, .close], [ok("\r\n"), done, .close],
        [ok(length), .body("do"), .pause(.milliseconds(20)), .body("ne"), .hold], [interim, ok(length), done, .hold],
    ]
    private static let streamed: [[Reply.Action]] = [
        [ok(length), done, .hold], [ok(chunked), chunks, .hold], [ok(close + chunked), chunks, .close],
    ]
    private static let faults: [([Reply.Action], TransportError.Kind)] = [
        ([.close], .connectionLost), ([ok("Conte"), .close], .connectionLost), ([interim, .close], .connectionLost),
        ([ok(length), .body("do"), .close], .brokenBody), ([refused(length), .body("do"), .close], .brokenBody),
        ([ok(chunked), cutChunk, .close], .brokenBody), ([ok(close + chunked), cutChunk, .close], .brokenBody),
        ([refused(chunked), cutChunk, .close], .brokenBody),
    ]

    /// Sends a body to a server that replies to its first bytes.
    private func upload(
        _ actions: [Reply.Action],
        length: Int? = nil,
        isEncrypted: Bool = false,
        streamsResponse: Bool = false
    ) async throws -> HTTPResponse {
        let server = try await FaultServer.start(certificate: isEncrypted ? ServerCertificate() : nil)
        defer { withExtendedLifetime(server) {} }
        server.onUpload(.post, "/rows", after: 4, Reply(actions))
        var settings = CurlSettings()
        settings.tls.authorityFile = server.authorityFile
        let body = HTTPBody.stream(length: length) { QuietSource() }
        var request = HTTPRequest(method: .post, url: server.url.appending(path: "rows"), body: body)
        request.streamsResponse = streamsResponse
        return try await CurlTransport(settings).process(request)
    }

    @Test(arguments: complete, [nil, 10])
    func aCompleteResponseEndsTheExchange(actions: [Reply.Action], length: Int?) async throws {
        let response = try await upload(actions, length: length)
        #expect([200, 401].contains(response.status))
        #expect(response.body == Data("done".utf8))
    }

    @Test func aResponseWithoutABodyEndsTheExchange() async throws {
        #expect(try await upload([.head("HTTP/1.1 204 None\r\n\r\n"), .hold]).status == 204)
    }

    @Test(arguments: streamed, [false, true])
    func aCompleteStreamEndsTheExchange(actions: [Reply.Action], isEncrypted: Bool) async throws {
        let response = try await upload(actions, isEncrypted: isEncrypted, streamsResponse: true)
        #expect(response.status == 200)
        #expect(try await response.stream?.collected() == Data("done".utf8))
    }

    @Test(arguments: faults, [false, true])
    func aCloseEndsTheExchange(fault: ([Reply.Action], TransportError.Kind), isEncrypted: Bool) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await upload(fault.0, isEncrypted: isEncrypted)
        }
        #expect(error?.kind == fault.1)
    }

    @Test func aBodyThatEndsWithTheConnectionNeedsTheClosingAlert() async throws {
        let response = try await upload([Self.ok("\r\n"), Self.done, .close], isEncrypted: true)
        #expect(response.body == Data("done".utf8))
        let error = await #expect(throws: TransportError.self) {
            try await upload([Self.ok("\r\n"), Self.done, .cut], isEncrypted: true)
        }
        #expect(error?.kind == .brokenBody)
    }

    private func request(to server: FaultServer, _ source: QuietSource) -> HTTPRequest {
        HTTPRequest(method: .post, url: server.url.appending(path: "rows"), body: .stream { source })
    }

    /// A call that waited for the source would never end: the test opens the gate only afterwards.
    @Test func aCancelledCallDoesNotWaitForItsSource() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/rows", .json("1"))
        let source = QuietSource(ignoresCancels: true)
        let transport = try CurlTransport()
        let request = request(to: server, source)
        let call = Task { try await transport.process(request) }
        await source.gate.waitForArrivals(2)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await source.gate.open()
        await source.ends.waitForArrivals(1)
    }

    @Test func aDeadlineDoesNotWaitForTheSource() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/rows", .json("1"))
        let source = QuietSource(ignoresCancels: true)
        let transport = try CurlTransport().wrapped(by: .deadline(.seconds(5)))
        let clock = TestClock()
        let request = request(to: server, source)
        let call = Task { try await transport.process(request, in: CallContext(clock: clock)) }
        await source.gate.waitForArrivals(2)
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: TransportError.self) { try await call.value }
        #expect(error?.kind == .timedOut)
        await source.gate.open()
        await source.ends.waitForArrivals(1)
    }

    @Test func aRefusedConnectionDoesNotWaitForTheSource() async throws {
        let server = try await FaultServer.start()
        server.stop()
        try await server.waitUntilStopped()
        let source = QuietSource(ignoresCancels: true)
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().process(request(to: server, source))
        }
        #expect(error?.kind == .cannotConnect)
        await source.gate.open()
    }

    @Test func anEarlyResponseDoesNotWaitForTheSource() async throws {
        let server = try await FaultServer.start()
        server.onUpload(.post, "/rows", after: 4, Reply(Self.refused(Self.length), Self.done, .hold))
        let source = QuietSource(ignoresCancels: true)
        #expect(try await CurlTransport().process(request(to: server, source)).status == 401)
        await source.gate.open()
        await source.ends.waitForArrivals(1)
    }

    @Test(arguments: [([1], true), ([3], true), ([2], false), ([1, 2], false), ([1, 4], false), ([4, 1], true)])
    func aDescriptorIsReadAfterItsLastChange(changes: [Int32], isRead: Bool) {
        let reads = CurlReads()
        for change in changes { reads.record(change, on: 1_500) }
        #expect(reads.contains(1_500) == isRead)
        #expect(!reads.contains(1_501))
    }
}
#endif
