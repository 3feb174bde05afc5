#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("CurlTransport: faults", .timeLimit(.minutes(5)))
struct CurlTransportFaultTests {
    let transport: CurlTransport

    init() throws { transport = try CurlTransport(maximumResponseBytes: 100_000) }

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
            (.redirect(to: "/x"), .tooManyRedirects),
        ] as [(Reply, TransportError.Kind)]
    )
    func haveOneKindEach(reply: Reply, kind: TransportError.Kind) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        #expect(await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))?.kind == kind)
    }

    /// libcurl before 8.2 keeps a pointer to the last field of the previous transfer. A head that begins with a
    /// continued line would end the process by that pointer. The line is refused or left out (RFC 9112 §2.2); newer
    /// libraries leave it out.
    @Test func aHeadThatBeginsWithAContinuedLineIsRefusedOrReadWithoutIt() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/ok", .json("[]"))
        server.on(.get, "/x", Reply(.head("HTTP/1.1 200 OK\r\n X: 1\r\nContent-Length: 2\r\n\r\n[]"), .close))
        for _ in 0..<3 {
            _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "ok")))
            do {
                let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
                #expect(response.headers["X"] == nil && response.body == Data("[]".utf8))
            } catch let error as TransportError {
                #expect(error.kind == .malformedResponse)
            }
        }
        #expect(try await transport.process(HTTPRequest(url: server.url.appending(path: "ok"))).status == 200)
    }

    @Test(
        "lengths that are not one number are no response",
        arguments: [
            "Content-Length: 2\r\nContent-Length: 1", "Content-Length: 1, 2", "Content-Length: 0x2",
            "Content-Length: 2abc",
            "Content-Length: +2", "Content-Length: ", "Content-Length: 2,", "Content-Length: 99999999999999999999999",
        ]
    )
    func anUnclearLengthIsNoResponse(fields: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Reply(.head("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"), .body("[]"), .close))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == .malformedResponse)
    }

    @Test(
        "a length that is said twice, and one beside chunks, is clear",
        arguments: [
            ("Content-Length: 2, 2", "[]"), ("Content-Length: 2\r\nContent-Length: 2", "[]"),
            ("Content-Length: 9\r\nTransfer-Encoding: chunked", "2\r\n[]\r\n0\r\n\r\n"),
        ]
    )
    func aClearLengthIsAResponse(fields: String, body: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Reply(.head("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"), .body(body), .close))
        for isStreamed in [false, true] {
            var request = HTTPRequest(url: server.url.appending(path: "x"))
            request.streamsResponse = isStreamed
            let response = try await transport.process(request).collected()
            #expect(response.body == Data("[]".utf8))
        }
    }

    /// libcurl decompresses all that it has received, even if the reader has no room for it, and keeps at most 64 MB.
    @Test(arguments: [159, 1_000])
    func aStreamThatIsCompressedAThousandTimesIsRead(ratio: Int) async throws {
        let server = try await FaultServer.start()
        if ratio == 159 {
            server.on(.get, "/x", .gzipBomb(of: 200_000_000))
        } else {
            let densest = ["/bin/sh", "-c", "head -c 200000000 /dev/zero | gzip -9 -c"]
            server.on(.get, "/x", .data(try ChildProcess.output(of: densest), headers: [.contentEncoding: "gzip"]))
        }
        var request = HTTPRequest(url: server.url.appending(path: "x"))
        request.streamsResponse = true
        var count = 0
        for try await chunk in try await transport.process(request).chunks { count += chunk.count }
        #expect(count == 200_000_000)
    }

    /// A few bytes in these encodings can become any number of bytes, which libcurl would keep for the reader.
    @Test(
        "a stream in an encoding without a bound is refused at its head",
        arguments: ["zstd", "br", "gzip, gzip", "gzip, zstd"]
    )
    func unboundedEncodings(encoding: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .data(Data("x".utf8), headers: [.contentEncoding: encoding]))
        var request = HTTPRequest(url: server.url.appending(path: "x"))
        request.streamsResponse = true
        let error = await transport.failure(of: request)
        #expect(error?.kind == .unsupported)
        #expect(
            error?.detail == "found a stream in the encoding \(encoding), expected one of gzip and deflate, or none"
        )
        #expect(server.requests.first?.headers[.acceptEncoding] == "gzip, deflate")
    }

    @Test(
        "bytes that cannot be decompressed are named as what they are not",
        arguments: [true, false],
        [Data("no gzip, but long enough to be one".utf8), twoMembers]
    )
    func decompression(isStreamed: Bool, body: Data) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .data(body, headers: [.contentEncoding: "gzip"]))
        var request = HTTPRequest(url: server.url.appending(path: "x"))
        request.streamsResponse = isStreamed
        let error = await #expect(throws: TransportError.self) {
            try await transport.process(request).collected()
        }
        #expect(
            error?.description
                == "broken response body: found bytes that are no gzip, expected one valid stream of it"
        )
    }

    /// With URLSession most of these end the process on Linux.
    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\n", .connectionLost),
            ("HTTP/1.1 200 OK\r\nContent-Ty", .connectionLost),
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", .connectionLost),
            ("HTTP/1.1 100 Continue\r\n\r\n", .connectionLost),
            ("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n", .connectionLost),
            ("HTTP/1.1 200 OK\r\nNo colon here\r\n\r\n", .malformedResponse),
            ("HTTP/7.3 200 OK\r\n\r\n", .malformedResponse),
            ("HTTP/1.1\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 abc OK\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 99 X\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 2000 X\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 -20 X\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 101 Switching Protocols\r\n\r\n", .malformedResponse),
            ("SSH-2.0-OpenSSH_9.2\r\n", .malformedResponse),
            ("<html>HTTP 0.9</html>", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .malformedResponse),
        ] as [(String, TransportError.Kind)]
    )
    func aBadHeadIsNoResponse(head: String, kind: TransportError.Kind) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Reply(.head(head), .pause(.milliseconds(30)), .close))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == kind)
        #expect(error?.response == nil)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 O", nil), ("HTTP/1.1 200 OK\r\nA\0: b\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nA: b\0\r\n\r\n", nil), ("HTTP/1.1 200 OK\r\n: empty\r\n\r\n", 200),
            ("HTTP/1.1 200 OK\nA: b\n\n", 200), ("\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", nil),
            ("HTTP/1.1 999 X\r\n\r\n", 999), ("HTTP/1.1 302 Found\r\nLocation: \r\n\r\n", 302),
            ("HTTP/1.1 302 Found\r\nLocation: http://\r\n\r\n", 302),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n[]\r\n", nil),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n[]\r\n", nil),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: nonsense\r\nContent-Length: 2\r\n\r\n[]", nil),
        ] as [(String, HTTPStatus?)]
    )
    func anOddMessageEndsTheCall(message: String, status: HTTPStatus?) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Reply(.head(message), .close))
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .seconds(10))
        do {
            let response = try await transport.process(request)
            #expect(response.status == status)
            #expect(response.body.isEmpty)
        } catch let error as TransportError {
            #expect(status == nil, "\(error)")
            let kinds: [TransportError.Kind] = [.connectionLost, .malformedResponse, .brokenBody, .unsupported]
            #expect(kinds.contains(error.kind), "\(error)")
        }
    }

    @Test(
        arguments: [
            (.truncatedBody(sent: 5, declared: 10), 5, "found 5 bytes, expected 10 as announced"),
            (.resetInBody(after: 5), 5, nil),
            (.unfinishedChunks(["[1,", "2"]), 4, "found 4 bytes, expected a complete body"),
            (.stallInBody(after: 5), 5, "found no byte within 5.000 s"),
            (
                Reply(.head("HTTP/1.1 500 X\r\nContent-Type: text/x\r\nContent-Length: 9999999\r\n\r\n"), .hold), 0,
                "found 9999999 announced, expected at most 100000 bytes"
            ),
        ] as [(Reply, Int, String?)]
    )
    func theErrorKeepsWhatCame(reply: Reply, count: Int, detail: String?) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        // Long enough for the head on a busy machine.
        let isStalled = detail?.contains("no byte") == true
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .seconds(isStalled ? 5 : 60))
        let error = try #require(await transport.failure(of: request))
        #expect(error.response?.body.count == count)
        #expect(error.response.map { [200, 500].contains($0.status.code) } == true)
        #expect(error.response?.headers.isEmpty == false)
        if let detail { #expect(error.detail == detail) }
    }

    @Test(arguments: [.stallInHead, .stallInBody(after: 5), .hold, .redirect(to: "/hold")] as [Reply])
    func aStallEndsWithTheTimeLimit(reply: Reply) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        server.on(.get, "/hold", .hold)
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .milliseconds(250))
        #expect(await transport.failure(of: request)?.kind == .timedOut)
    }

    /// Only a whole line of the head counts, so a part of a line may have arrived (<doc:Transports>).
    @Test(
        arguments: [
            (.hold, "whole line of a head"), (.stallInHead, "whole line of a head"),
            (Reply(.head("HTTP/1.1 200 OK\r\nX-"), .hold), "whole line of a head"),
            (.stallInBody(after: 5), "byte"),
        ] as [(Reply, String)]
    )
    func theTimeLimitSaysWhatIsMissing(reply: Reply, missing: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        // Long enough for the connection and the head on a busy machine.
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .seconds(8))
        #expect(await transport.failure(of: request)?.detail == "found no \(missing) within 8.000 s")
    }

    @Test func aStallInTheBodyOfARedirectEndsWithTheTimeLimit() async throws {
        let server = try await FaultServer.start()
        let head = "HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Length: 10\r\n\r\n"
        server.on(.get, "/x", Reply(.head(head), .body("12345"), .hold))
        server.on(.get, "/y", .json("1"))
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .milliseconds(250))
        #expect(await transport.failure(of: request)?.kind == .timedOut)
        #expect(server.requests.count == 1)
    }

    @Test func aSlowAnswerThatKeepsComingIsNotTimedOut() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .chunked(["1", "2", "3", "4"], every: .milliseconds(1500)))
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .seconds(4))
        #expect(try await transport.process(request).body == Data("1234".utf8))
    }

    @Test func waitingForAConnectionDoesNotCount() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/slow", .delayed(.seconds(4), then: .json("1")))
        server.on(.get, "/x", .json("2"))
        var settings = CurlSettings()
        settings.connectionsPerHost = 1
        let transport = try CurlTransport(settings)
        async let first = transport.process(HTTPRequest(url: server.url.appending(path: "slow")))
        try await server.waitForRequests(count: 1)
        let request = HTTPRequest(url: server.url.appending(path: "x"), timeout: .seconds(3))
        #expect(try await transport.process(request).status == 200)
        #expect(try await first.status == 200)
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }

    @Test func aPortWithoutAListener() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = await transport.failure(of: HTTPRequest(url: url))
        #expect(error?.kind == .cannotConnect)
        #expect((error?.underlyingError as? CurlError)?.code == 7)
    }

    @Test func aHostThatDoesNotExist() async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid/?token=s3cr3t"))
        let error = try #require(await transport.failure(of: HTTPRequest(url: url)))
        #expect(error.kind == .cannotFindHost)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(error)\(String(reflecting: error))\(dumped)".contains("s3cr3t"))
    }

    @Test func aServerThatSpeaksNoTls() async throws {
        let server = try await FaultServer.start()
        let url = try #require(URL(string: server.url.absoluteString.replacing("http:", with: "https:")))
        let error = await transport.failure(of: HTTPRequest(url: url, timeout: .seconds(5)))
        #expect(error?.kind == .secureConnectionFailed)
    }
}

/// Twice `[1,2,3]`, each compressed by gzip as a member of its own (RFC 1952 §2.2), as in files that were joined.
private let twoMembers = member + member
private let member = Data(base64Encoded: "H4sIAAAAAAACA4s21DHSMY4FAOmzbf0HAAAA") ?? Data()
#endif
