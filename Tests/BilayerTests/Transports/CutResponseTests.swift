#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Cuts inside the head are tested only over `CurlTransport`, because such a cut makes `URLSession` on Linux end the
/// process.
@Suite("A response that is cut at any byte is an error")
struct CutResponseTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

    // The rest of the head with the body as it is sent, and how many bytes at the end may be missing, because they are
    // not part of the content.
    @Test(arguments: [
        ("Content-Length: 15\r\n\r\n[1,2,3,\"four\"]\n", 0),
        ("Transfer-Encoding: chunked\r\n\r\n8\r\n[1,2,3,\"\r\n7;x=y\r\nfour\"]\n\r\n0\r\n\r\n", 4),
    ])
    func aCutIsNeverASuccess(framing: String, end: Int) async throws {
        let text = Data((Self.head + framing).utf8)
        let headCount = try #require(text.range(of: Data("\r\n\r\n".utf8))).upperBound
        let server = try await FaultServer.start()
        let transport = try CurlTransport()
        for count in 0..<(text.count - end) {
            server.on(.get, "/\(count)", Reply(.head(text.prefix(count)), .close))
            let request = HTTPRequest(url: server.url.appending(path: "\(count)"))
            let found = try #require(
                await #expect(throws: TransportError.self, "cut at \(count)") { try await transport.process(request) }
            )
            if count < headCount {
                #expect([.connectionLost, .malformedResponse].contains(found.kind), "cut at \(count): \(found)")
            } else {
                #expect(found.kind == .brokenBody, "cut at \(count): \(found)")
                let response = try #require(found.response, "cut at \(count)")
                #expect(response.status == 200)
                #expect(Data("[1,2,3,\"four\"]\n".utf8).starts(with: response.body), "cut at \(count)")
            }
        }
    }

    /// A `deflate` stream of no bytes has 8 bytes. libcurl takes a shorter one for whole; the transport finds the cut.
    @Test(arguments: 1...8)
    func aDeflateThatIsCutEarlyIsNotWhole(count: Int) async throws {
        let empty = Data([0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01])
        let server = try await FaultServer.start()
        server.on(.get, "/x", .data(empty.prefix(count), headers: [.contentEncoding: "deflate"]))
        for choice in BuiltInTransport.allCases {
            let transport = try choice.transport()
            let request = HTTPRequest(url: server.url.appending(path: "x"))
            if count == 8 {
                #expect(try await transport.process(request, in: CallContext()).body.isEmpty)
            } else {
                let error = await #expect(throws: TransportError.self) {
                    try await transport.process(request, in: CallContext())
                }
                #expect(error?.kind == .brokenBody, "\(choice)")
                #expect(error?.detail == "found \(count) bytes of deflate, expected 8 or more", "\(choice)")
            }
        }
    }

    /// Some servers send `deflate` without the zlib head and checksum around it (RFC 9110 §8.4.1.2, RFC 1951).
    @Test(
        arguments: [
            ("[]", [139, 142, 5, 0]), ("{}", [171, 174, 5, 0]), ("1", [51, 4, 0]), ("null", [203, 43, 205, 201, 1, 0]),
            (#"{"a":1,"b":2}"#, [171, 86, 74, 84, 178, 50, 212, 81, 74, 82, 178, 50, 170, 5, 0]),
        ] as [(String, [UInt8])]
    )
    func aDeflateWithoutTheZlibHeadMayBeShorter(text: String, bytes: [UInt8]) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .data(Data(bytes), headers: [.contentEncoding: "deflate"]))
        for choice in BuiltInTransport.allCases {
            for isStreamed in [false, true] {
                var request = HTTPRequest(url: server.url.appending(path: "x"))
                request.streamsResponse = isStreamed
                let response = try await choice.transport().process(request, in: CallContext()).collected()
                #expect(response.body == Data(text.utf8), "\(choice)")
            }
        }
    }

    @Test(arguments: 1...7)
    func aDeflateThatIsCutInItsContentIsNotWhole(count: Int) async throws {
        // `[]` as a `deflate` stream, with its head and its checksum.
        let whole = Data([0x78, 0x9C, 139, 142, 5, 0, 0x01, 0x15, 0x00, 0xB9])
        let server = try await FaultServer.start()
        server.on(.get, "/x", .data(whole.prefix(count), headers: [.contentEncoding: "deflate"]))
        for choice in BuiltInTransport.allCases {
            let request = HTTPRequest(url: server.url.appending(path: "x"))
            let error = await #expect(throws: TransportError.self) {
                try await choice.transport().process(request, in: CallContext())
            }
            #expect(error?.kind == .brokenBody, "\(choice)")
        }
    }
}

/// RFC 9112 §8: a body that ends with the connection is whole only if TLS says that nothing more follows.
@Suite("A response that is cut inside of TLS", .timeLimit(.minutes(5)))
struct CutTLSResponseTests {
    private let server: FaultServer
    private let transport: CurlTransport

    init() async throws {
        server = try await FaultServer.start(certificate: ServerCertificate())
        var settings = CurlSettings()
        settings.tls.authorityFile = server.authorityFile
        transport = try CurlTransport(settings)
    }

    private func request(_ last: Reply.Action, framing: String) -> HTTPRequest {
        server.on(.get, "/x", Reply(.head("HTTP/1.1 200 OK\r\n\(framing)\r\n"), .body("[1,2"), last))
        return HTTPRequest(url: server.url.appending(path: "x"))
    }

    @Test(arguments: ["", "Connection: close\r\n"], [false, true])
    func itsEndWithoutAnAlertIsACut(fields: String, isStreamed: Bool) async throws {
        var request = request(.cut, framing: fields)
        request.streamsResponse = isStreamed
        let error = await #expect(throws: TransportError.self) { try await transport.process(request).collected() }
        #expect(error?.kind == .brokenBody)
        #expect(error?.response?.status == 200)
        #expect(
            error?.detail
                == "found 4 bytes and the end of the connection, expected the closing alert of TLS before it"
        )
    }

    @Test func itsEndWithAnAlertIsTheEnd() async throws {
        let response = try await transport.process(request(.close, framing: ""))
        #expect(response.body == Data("[1,2".utf8))
    }

    @Test func aBodyWithALengthNeedsNone() async throws {
        let response = try await transport.process(request(.cut, framing: "Content-Length: 4\r\n"))
        #expect(response.body == Data("[1,2".utf8))
    }
}
#endif
