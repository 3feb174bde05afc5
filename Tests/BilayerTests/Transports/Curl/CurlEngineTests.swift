#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("CurlEngine: connections, threads, memory", .timeLimit(.minutes(5)))
struct CurlEngineTests {
    @Test func connectionsAreUsedAgain() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        // On a busy machine minutes may pass between two steps of a test.
        var settings = CurlSettings()
        settings.connectionIdleAge = .seconds(3600)
        let transport = try CurlTransport(settings)
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        for _ in 0..<20 { _ = try await transport.process(request) }
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }

    @Test(arguments: [1, 4])
    func noOriginHasMoreConnectionsThanTheLimit(limit: Int) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/echo") { .delayed(.milliseconds(2), then: .data($0.body)) }
        var settings = CurlSettings()
        settings.connectionsPerHost = limit
        let answers = try await echoes(100, by: CurlTransport(settings), at: server.url)
        #expect(answers == Array(repeating: true, count: 100))
        #expect(Set(server.requests.map(\.connection)).count <= limit)
    }

    @Test func hundredsOfCallsAtOnce() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/echo") { .data($0.body) }
        let answers = try await echoes(400, by: CurlTransport(), at: server.url)
        #expect(answers == Array(repeating: true, count: 400))
    }

    @Test func thousandsMayWait() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/echo") { .data($0.body) }
        var settings = CurlSettings()
        settings.connectionsPerHost = 8
        let answers = try await echoes(3_000, by: CurlTransport(settings), at: server.url)
        #expect(answers == Array(repeating: true, count: 3_000))
        #expect(Set(server.requests.map(\.connection)).count <= 8)
    }

    @Test func aConnectionThatTheServerClosedIsReplaced() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/x", .json("1"), Reply(Reply.json("2").actions + [.close]), .json("3"))
        let transport = try CurlTransport()
        let request = HTTPRequest(method: .post, url: server.url.appending(path: "x"), body: Data("body".utf8))
        for expected in ["1", "2", "3"] {
            #expect(try await transport.process(request).body == Data(expected.utf8))
        }
        #expect(server.requests.map(\.body) == Array(repeating: Data("body".utf8), count: 3))
    }

    @Test func theThreadEndsWithTheLastCopy() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        weak var engine: CurlEngine?
        do {
            let library = try CurlLibrary.shared.get()
            let made = try CurlEngine(library, CurlSettings())
            engine = made
            let exchange = CurlExchange(
                HTTPRequest(url: server.url.appending(path: "x")),
                timeout: .seconds(30),
                limit: 100
            )
            let outcome = await withCheckedContinuation { if exchange.wait($0) { made.start(exchange) } }
            #expect(try outcome.result.get().status == 200)
            made.stop()
        }
        // The engine's thread retains the engine until the thread ends.
        while engine != nil { await Task.yield() }
    }

    @Test func anEngineThatHasEndedStartsNothing() async throws {
        let engine = try CurlEngine(CurlLibrary.shared.get(), CurlSettings())
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let first = CurlExchange(HTTPRequest(url: url), timeout: .seconds(Int64.max), limit: 1)
        let outcome = await withCheckedContinuation { if first.wait($0) { engine.start(first) } }
        #expect(throws: TransportError.self) { try outcome.result.get() }
        engine.stop()
        while !engine.end() { await Task.yield() }
        let late = CurlExchange(HTTPRequest(url: url), timeout: .zero, limit: 1)
        let ended = await withCheckedContinuation { if late.wait($0) { engine.start(late) } }
        #expect(throws: CancellationError.self) { try ended.result.get() }
    }

    @Test func oneOriginWithoutAnAnswerDoesNotStopTheOthers() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/hold", .hold)
        server.on(.get, "/x", .json("1"))
        let silent = try await FaultServer.start()
        silent.on(.get, "/hold", .hold)
        var settings = CurlSettings()
        settings.connectionsPerHost = 2
        let transport = try CurlTransport(settings)
        let held = (0..<10)
            .map { _ in
                Task { try await transport.process(HTTPRequest(url: silent.url.appending(path: "hold"))) }
            }
        try await silent.waitForRequests(count: 2)
        #expect(try await transport.process(HTTPRequest(url: server.url.appending(path: "x"))).status == 200)
        for call in held { call.cancel() }
        for call in held { await #expect(throws: CancellationError.self) { try await call.value } }
    }

    @Test func aCallOutlivesItsTransport() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .held(then: .json("1")))
        let url = server.url.appending(path: "x")
        async let response = CurlTransport().process(HTTPRequest(url: url))
        try await server.waitForRequests(count: 1)
        server.release()
        #expect(try await response.status == 200)
    }

    /// 200 MB of zeros are 200 kB on the wire. The transfer ends at the limit.
    @Test func aCompressedBombEndsAtTheLimit() async throws {
        let bomb = try Self.bomb.get()
        let server = try await FaultServer.start()
        server.on(.get, "/bomb", .data(bomb, headers: [.contentEncoding: "gzip"]))
        server.on(.get, "/x", .json("1"))
        let transport = try CurlTransport(maximumResponseBytes: 10 << 20)
        let context = CallContext()
        let error = await #expect(throws: TransportError.self) {
            try await transport.process(HTTPRequest(url: server.url.appending(path: "bomb")), in: context)
        }
        #expect(error?.kind == .responseTooLarge)
        #expect(error?.response?.status == 200)
        // Only a part of the compressed bytes was received.
        #expect(try #require(context.transferMetrics.first).bytesReceived < bomb.count)
        #expect(try await transport.process(HTTPRequest(url: server.url.appending(path: "x"))).status == 200)
    }

    /// <doc:Transports> states this limit: libcurl does not check the end of a compressed stream.
    @Test func aCutStreamInAWholeMessageIsNotSeen() async throws {
        let server = try await FaultServer.start()
        // A stream of fewer than 20 bytes would be refused: no complete stream is so short.
        let cut = zippedText.dropLast(4)
        server.on(.get, "/x", .data(cut, headers: [.contentEncoding: "gzip"]))
        let response = try await CurlTransport().process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.body == Data("[1,2,3]".utf8))
    }

    private static let bomb = Result {
        try ChildProcess.output(of: ["/bin/sh", "-c", "head -c 209715200 /dev/zero | gzip -9 -c"])
    }

    private func echoes(_ count: Int, by transport: CurlTransport, at url: URL) async throws -> [Bool] {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    let body = Data("body \(number)".utf8)
                    let request = HTTPRequest(method: .post, url: url.appending(path: "echo"), body: body)
                    return try await transport.process(request).body == body
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// `[1,2,3]`, compressed by gzip.
private let zippedText = Data(base64Encoded: "H4sIAAAAAAACA4s21DHSMY4FAOmzbf0HAAAA") ?? Data()
#endif
