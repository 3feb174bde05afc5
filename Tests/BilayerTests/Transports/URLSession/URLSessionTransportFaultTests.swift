import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("URLSessionTransport: faults")
struct URLSessionTransportFaultTests {
    let transport = URLSessionTransport(maximumResponseBytes: 100_000)

    @Test(
        arguments: [
            (.truncatedBody(sent: 5, declared: 10), .brokenBody),
            (.resetInBody(after: 5), .brokenBody),
            (.unfinishedChunks(), .brokenBody),
            (.badChunk, .brokenBody),
            (.badGzip, .brokenBody),
            (.resetBeforeAnswer, .connectionLost),
            (.closeBeforeAnswer, .connectionLost),
            (.notHTTP, .malformedResponse),
            (Reply(.head("HTTP/1.1 200 OK\r\nNo colon here\r\n\r\n"), .close), .malformedResponse),
            (
                Reply(.head("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nNo colon here\r\n\r\n"), .close),
                .malformedResponse
            ),
            (Reply(.head("HTTP/7.3 200 OK\r\n\r\n"), .close), .malformedResponse),
            (Reply(.head("HTTP/1.1 100 Continue\r\n\r\n"), .close), .connectionLost),
            (.redirect(to: "/x"), .tooManyRedirects),
        ] as [(Reply, TransportError.Kind)]
    )
    func haveOneKindEach(reply: Reply, kind: TransportError.Kind) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        #expect(await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))?.kind == kind)
    }

    @Test func aCutBodySaysHowMuchCame() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .truncatedBody(sent: 5, declared: 10))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.description == "broken response body: found 5 bytes, expected 10 as announced")
        #expect(error?.underlyingError is URLError)
        #expect(error?.response?.status == 200)
        #expect(error?.response?.body.count == 5)
    }

    @Test func aCutStreamSaysHowMuchCame() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .truncatedBody(sent: 5, declared: 10))
        var request = HTTPRequest(url: server.url.appending(path: "x"))
        request.streamsResponse = true
        let stream = try #require(try await transport.process(request).stream)
        let error = await #expect(throws: TransportError.self) { try await stream.collected() }
        #expect(error?.description == "broken response body: found 5 bytes, expected 10 as announced")
    }

    @Test func aBodyThatIsBadlyCompressedHasNoLengthToCompare() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .badGzip)
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.description == "broken response body: found 0 bytes out of gzip, expected a complete body")
    }

    @Test(arguments: [.stallInHead, .stallInBody(after: 5), .hold] as [Reply])
    func aStallEndsWithTheTimeLimit(reply: Reply) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .milliseconds(300))
        #expect(await transport.failure(of: request)?.kind == .timedOut)
    }

    @Test func aSlowAnswerThatKeepsComingIsNotTimedOut() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .chunked(["1", "2", "3", "4"], every: .milliseconds(1500)))
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .seconds(4))
        #expect(try await transport.process(request).body == Data("1234".utf8))
    }

    @Test func aPortWithoutAListener() async throws {
        // The system never gives out this port. A port that a server has left may be that of another test's server.
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        #expect(await transport.failure(of: HTTPRequest(url: url))?.kind == .cannotConnect)
    }

    @Test func aHostThatDoesNotExist() async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid/?token=s3cr3t"))
        let error = try #require(await transport.failure(of: HTTPRequest(url: url)))
        #expect(error.kind == .cannotFindHost)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(error)\(String(reflecting: error))\(dumped)".contains("s3cr3t"))
    }

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
        #expect(await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))?.description == message)
    }

    @Test func anAnnouncedLengthOverTheLimitIsRefusedBeforeTheBody() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n"), .body("x"), .hold))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == .responseTooLarge)
    }

    @Test func anEndlessBodyIsCutOff() async throws {
        let server = try await FaultServer.start()
        let pieces = Array(repeating: Data(repeating: 65, count: 50_000), count: 3)
        let whole = Reply.chunked(pieces).actions.dropLast()
        server.on(.get, "/x", Reply(Array(whole) + [.hold]))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == .responseTooLarge)
    }

    @Test func theLimitHoldsAfterDecompression() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .data(manyLetters, headers: [.contentEncoding: "gzip"]))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == .responseTooLarge)
    }

    @Test func theLengthThatAHeadAnnouncesIsNoBody() async throws {
        let server = try await FaultServer.start()
        server.on(.head, "/x", .status(200, headers: [.contentLength: "9999999"]))
        let response = try await transport.process(HTTPRequest(method: .head, url: server.url.appending(path: "x")))
        #expect(response.headers[.contentLength] == "9999999")
        #expect(response.body.isEmpty)
    }

    @Test func aServerThatSpeaksNoTls() async throws {
        let server = try await FaultServer.start()
        let url = try #require(URL(string: server.url.absoluteString.replacing("http:", with: "https:")))
        let error = await transport.failure(of: HTTPRequest(url: url, timeout: .seconds(5)))
        #expect(error?.kind == .secureConnectionFailed)
    }

    /// Heads that break the rules: the process lives, and the call ends with the status of the head or with an error.
    ///
    /// Left out is a head that ends before its empty line: `FoundationNetworking` of Swift 6.3.1 ends the process then
    /// (swift-corelibs-foundation issue 5285).
    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nA\0: b\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nA: b\0\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nNo colon here\r\n\r\n", nil),
            ("HTTP/1.1\r\n\r\n", nil),
            ("HTTP/1.1 abc OK\r\n\r\n", nil),
            ("HTTP/9.9 200 OK\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\n: empty\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", 200),
            ("HTTP/1.1 200 OK\nA: b\n\n", nil),
            ("\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 200),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", 200),
            ("HTTP/1.1 999 X\r\n\r\n", 999),
            ("HTTP/1.1 99 X\r\n\r\n", nil),
            ("HTTP/1.1 200 \u{1}\u{7F}\r\nX: \u{1}\r\n\r\n", 200),
            ("HTTP/1.1 302 Found\r\nLocation: \r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: http://\r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: //\r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: gopher://h/x\r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: http://[bad/\r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: %zz\r\n\r\n", 404),
            ("HTTP/1.1 302 Found\r\nLocation: ///x?%\r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: x:y\r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:99999/\r\n\r\n", 302),
            ("HTTP/1.1 401 X\r\nWWW-Authenticate: \r\n\r\n", 401),
            ("HTTP/1.1 401 X\r\nWWW-Authenticate: Basic\r\n\r\n", 401),
            ("HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"\r\n\r\n", 401),
            ("HTTP/1.1 401 X\r\nWWW-Authenticate: ,,=\r\n\r\n", 401),
            ("HTTP/1.1 101 Switching\r\n\r\n", nil),
            ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", 204),
            ("HTTP/1.1 2000 OK\r\n\r\n", nil),
            ("ICY 200 OK\r\n\r\n", nil),
            ("HTTP/1.1 302 Found\r\nLocation: http://a b/\r\n\r\n", 302),
            ("HTTP/1.1 200\r\n\r\n", nil),
        ] as [(String, HTTPStatus?)]
    )
    func brokenHeadsEndTheCall(head: String, status: HTTPStatus?) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Reply(.head(head), .close))
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .seconds(5))
        do {
            let response = try await transport.process(request)
            #if os(Linux)
            #expect(response.status == status)
            #else
            #expect(response.status == status || status == nil)
            #endif
        } catch let error as TransportError {
            #expect(error.kind != .timedOut, "\(error)")
            #if os(Linux)
            #expect([.malformedResponse, .connectionLost].contains(error.kind), "\(error)")
            #expect(status == nil, "\(error)")
            #endif
        }
    }
}

/// 200 000 times the letter A, compressed by gzip to 230 bytes.
private let manyLetters =
    Data(
        base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoGzrX8oM/kABAAAA" + String(repeating: "A", count: 253)
            + "K8B0WrrrEANAwA="
    ) ?? Data()
