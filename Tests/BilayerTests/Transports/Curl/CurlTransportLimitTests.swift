#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("CurlTransport: the size limit", .timeLimit(.minutes(5)))
struct CurlTransportLimitTests {
    let transport: CurlTransport

    init() throws { transport = try CurlTransport(maximumResponseBytes: 100_000) }

    @Test(
        arguments: [
            (.data(Data(repeating: 65, count: 100_000)), nil),
            (
                .data(Data(repeating: 65, count: 100_001)),
                "response too large: found 100001 announced, expected at most 100000 bytes"
            ),
            (.chunked([Data(repeating: 65, count: 60_000), Data(repeating: 65, count: 40_000)]), nil),
            (
                .chunked([Data(repeating: 65, count: 60_000), Data(repeating: 65, count: 40_001)]),
                "response too large: found more, expected at most 100000 bytes"
            ),
        ] as [(Reply, String?)]
    )
    func theBodyHasALimit(reply: Reply, message: String?) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.description == message)
        #expect(error?.response?.body.isEmpty != false)
    }

    @Test func anEndlessBodyIsCutOff() async throws {
        let server = try await FaultServer.start()
        let pieces = Array(repeating: Data(repeating: 65, count: 50_000), count: 3)
        server.on(.get, "/x", Reply(Reply.chunked(pieces).actions.dropLast() + [.hold]))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == .responseTooLarge)
    }

    /// The server sends for as long as it can: 600 MB.
    @Test(
        "what follows a body, and what is compressed and becomes none, has a limit",
        arguments: [
            (
                "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n",
                Data(repeating: 65, count: 60) + Data(": a\r\n".utf8)
            ),
            ("Content-Encoding: gzip\r\n\r\n", gzipHead(flags: 0)),
            ("Content-Encoding: gzip\r\n\r\n", gzipHead(flags: 8)),
            ("Content-Encoding: deflate\r\n\r\n", Data([0x78, 0x9C])),
        ],
        [false, true]
    )
    func floods(of message: (head: String, unit: Data), isStreamed: Bool) async throws {
        let server = try await FaultServer.start()
        var start = Data("HTTP/1.1 200 OK\r\n\(message.head)".utf8)
        var unit = message.unit
        if !message.head.contains("chunked") {
            start += message.unit
            // The server repeats an empty block of `deflate`. If flag 8 of the `gzip` head announces a file name, the
            // server repeats a letter instead, so that the name never ends.
            unit = message.unit.count > 3 && message.unit[3] == 8 ? Data([65]) : Data([0, 0, 0, 0xFF, 0xFF])
        }
        let many = Data((0..<(60_000 / unit.count)).map { _ in unit }.joined())
        server.on(.get, "/x", Reply(.head(start), .bodies(many, count: 10_000), .close))
        var request = HTTPRequest(url: server.url.appending(path: "x"))
        request.streamsResponse = isStreamed
        let error = await #expect(throws: TransportError.self) { try await transport.process(request).collected() }
        #expect(error?.kind == .responseTooLarge)
        #expect(error?.response?.status == 200)
    }

    @Test(arguments: [
        (900, 200, nil), (1_001, 1, "found more header fields, expected at most 1000"),
        (900, 400, "found more trailers, expected at most 262144 bytes"),
    ])
    func aTrailerHasTheLimitsOfAHead(count: Int, size: Int, detail: String?) async throws {
        let server = try await FaultServer.start()
        let fields = (0..<count).map { ("X-\($0)", String(repeating: "a", count: size)) }
        server.on(.get, "/x", .chunked(["[]"], trailers: HTTPHeaders(fields)))
        #expect(await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))?.detail == detail)
    }

    @Test func theBodyOfARedirectHasTheLimit() async throws {
        let server = try await FaultServer.start()
        let pieces = Array(repeating: Reply.Action.body(Data(count: 50_000)), count: 3)
        server.on(.get, "/x", Reply([.head("HTTP/1.1 302 Found\r\nLocation: /y\r\n\r\n")] + pieces + [.hold]))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == .responseTooLarge)
        #expect(error?.response?.status == 302)
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            String(repeating: "X: b\r\n", count: 1_001), "X: " + String(repeating: "b", count: 90_000) + "\r\n",
            String(repeating: "X: " + String(repeating: "b", count: 9_000) + "\r\n", count: 40),
        ]
    )
    func aHugeHeadIsRefused(fields: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Reply(.head("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 2\r\n\r\n[]"), .hold))
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        if fields.utf8.count < 100_000, fields.utf8.count > 80_000 {
            #expect(try await transport.process(request).status == 200)
        } else {
            #expect(await transport.failure(of: request)?.kind == .responseTooLarge)
        }
    }

    @Test func theLengthThatAHeadAnnouncesIsNoBody() async throws {
        let server = try await FaultServer.start()
        server.on(.head, "/x", .status(200, headers: [.contentLength: "9999999"]))
        let response = try await transport.process(HTTPRequest(method: .head, url: server.url.appending(path: "x")))
        #expect(response.headers[.contentLength] == "9999999")
        #expect(response.body.isEmpty)
    }
}

/// The start of a `gzip` stream (RFC 1952 §2.3). With flag 8, a file name follows.
private func gzipHead(flags: UInt8) -> Data { Data([0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3]) }

extension HTTPHeaders {
    fileprivate init(_ fields: [(String, String)]) {
        self.init()
        for (name, value) in fields { append(value, for: Name(name)) }
    }
}
#endif
