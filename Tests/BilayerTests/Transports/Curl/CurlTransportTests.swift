#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("CurlTransport: answers and requests", .timeLimit(.minutes(5)))
struct CurlTransportTests {
    let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test(
        arguments: [
            (.json(#"{"a":1}"#), 200, #"{"a":1}"#, "application/json"),
            (.json(#"{"error":"bad"}"#, status: 400), 400, #"{"error":"bad"}"#, "application/json"),
            (.text("<html>", contentType: "text/html", status: 502), 502, "<html>", "text/html"),
            (.status(500), 500, "", nil),
            (.status(204), 204, "", nil),
            (.status(304, headers: [.contentLength: "999999999"]), 304, "", nil),
            (.status(404), 404, "", nil),
            (
                .json("{}", status: 401, headers: [.wwwAuthenticate: "Bearer realm=\"x\""]), 401, "{}",
                "application/json"
            ),
            (.basicChallenge(body: #"{"e":1}"#), 401, #"{"e":1}"#, "application/json"),
            (
                .json("{}", status: 401, headers: [.wwwAuthenticate: "Digest realm=\"x\", nonce=\"n\", qop=\"auth\""]),
                401, "{}", "application/json"
            ),
            (
                .json("{}", status: 407, headers: ["Proxy-Authenticate": "Basic realm=\"x\""]), 407, "{}",
                "application/json"
            ),
            (.chunked(["[1", ",2]"]), 200, "[1,2]", "application/json"),
            (.chunked(["[1", ",2]"], every: .milliseconds(20)), 200, "[1,2]", "application/json"),
            (.status(599), 599, "", nil),
            (
                .data(zippedNumbers, contentType: "text/json", headers: [.contentEncoding: "gzip"]), 200, "[1,2,3]",
                "text/json"
            ),
        ] as [(Reply, HTTPStatus, String, String?)]
    )
    func everyCompleteAnswerIsAResponse(reply: Reply, status: HTTPStatus, body: String, type: String?) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.status == status)
        #expect(String(decoding: response.body, as: UTF8.self) == body)
        #expect(response.mediaType?.essence == type)
        #expect(response.url?.path == "/x")
        #expect(server.requests.count == 1)
    }

    @Test func aBodyWithoutALengthEndsWithTheConnection() async throws {
        let server = try await FaultServer.start()
        let head = "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"
        server.on(.get, "/x", Reply(.head(head), .body("all of it"), .close))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(String(decoding: response.body, as: UTF8.self) == "all of it")
    }

    @Test func interimAnswersAreNotTheAnswer() async throws {
        let server = try await FaultServer.start()
        let head = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        server.on(.get, "/x", Reply(.head(head), .body("ok")))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.status == 200)
        #expect(response.headers[.link] == nil)
        #expect(response.body == Data("ok".utf8))
    }

    @Test func aTrailerIsNoFieldOfTheHead() async throws {
        let server = try await FaultServer.start()
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Sum: 1\r\n\r\n"
        server.on(.get, "/x", Reply(.head(head), .body("2\r\n[]\r\n0\r\nX-Sum: abc\r\nX-More: 1\r\n\r\n")))
        for _ in 0..<2 {
            let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
            #expect(response.body == Data("[]".utf8))
            #expect(response.headers.values(for: "X-Sum") == ["1"])
            #expect(response.headers["X-More"] == nil)
        }
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }

    @Test func fieldsKeepTheirOrderAndStayApart() async throws {
        let server = try await FaultServer.start()
        let fields = "X-Tag: b\r\nset-cookie: a=1\r\nX-Tag:a\r\nSet-Cookie: b=2\r\nX-Long: 1\r\n  2\r\n"
        server.on(.get, "/x", Reply(.head("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.headers.values(for: "X-Tag") == ["b", "a"])
        #expect(response.headers.values(for: .setCookie) == ["a=1", "b=2"])
        #expect(response.headers["X-Long"] == "1 2")
        let names = response.headers.map(\.name.rawValue)
        #expect(names == ["X-Tag", "set-cookie", "X-Tag", "Set-Cookie", "X-Long", "Content-Length"])
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "M-SEARCH", "x-low"])
    func sendsEveryMethod(method: HTTPMethod) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/x", .json("[1]"))
        let body = method == .head ? nil : Data("body of \(method)".utf8)
        let request = HTTPRequest(method: method, url: server.url.appending(path: "x"), body: body)
        let response = try await transport.process(request)
        #expect(response.status == 200)
        #expect(response.body == (method == .head ? Data() : Data("[1]".utf8)))
        #expect(server.requests.map(\.method) == [method])
        #expect(server.requests.map(\.body) == [body ?? Data()])
        #expect(server.requests.first?.headers[.contentLength] == body.map { "\($0.count)" })
        #expect(server.requests.first?.headers["Expect"] == nil)
    }

    @Test(
        arguments: [
            (.get, nil, nil), (.get, Data(), nil), (.delete, nil, nil), (.delete, Data(), "0"), (.post, nil, "0"),
            (.put, nil, "0"), (.patch, Data(), "0"), (.options, nil, nil),
        ] as [(HTTPMethod, Data?, String?)]
    )
    func aRequestWithoutABodySaysSoWhereOneIsUsual(method: HTTPMethod, body: Data?, length: String?) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/x", .json("1"))
        _ = try await transport.process(HTTPRequest(method: method, url: server.url.appending(path: "x"), body: body))
        #expect(server.requests.first?.headers[.contentLength] == length)
        #expect(server.requests.first?.headers["Transfer-Encoding"] == nil)
    }

    @Test func sendsHeadersAndQueryAsTheyAre() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/a%2Fb", .status(204))
        let url = try #require(URL(string: "\(server.url)/a%2Fb?q=1%2B2&r=%26#part"))
        var request = HTTPRequest(
            method: .post,
            url: url,
            headers: ["X-TrAcE": "7", .accept: "text/plain"],
            body: Data("{}".utf8)
        )
        request.headers[.contentType] = "application/vnd.x+json"
        request.headers.append("a", for: "X-Tag")
        request.headers.append("b", for: "x-tag")
        request.headers["X-Empty"] = ""
        request.headers["X-Blank"] = "  "
        request.headers[.contentLength] = "1"
        request.headers["Transfer-Encoding"] = "chunked"
        _ = try await transport.process(request)

        let sent = try #require(server.requests.first)
        #expect(sent.target == "/a%2Fb?q=1%2B2&r=%26")
        #expect(sent.headers["x-trace"] == "7")
        #expect(sent.headers[.accept] == "text/plain")
        #expect(sent.headers[.contentType] == "application/vnd.x+json")
        #expect(sent.headers.values(for: "X-Tag") == ["a", "b"])
        #expect(sent.headers["X-Empty"] == "")
        #expect(sent.headers["X-Blank"] == "")
        #expect(sent.headers.values(for: .contentLength) == ["2"])
        #expect(sent.headers["Transfer-Encoding"] == nil)
        #expect(sent.headers[.authorization] == nil)
        #expect(sent.headers[.cookie] == nil)
        #expect(sent.body == Data("{}".utf8))
    }

    @Test func requestsCompressionUnlessTheCallerDoes() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        let url = server.url.appending(path: "x")
        _ = try await transport.process(HTTPRequest(url: url))
        _ = try await transport.process(HTTPRequest(url: url, headers: [.acceptEncoding: "identity"]))
        #expect(server.requests.first?.headers[.acceptEncoding]?.contains("gzip") == true)
        #expect(server.requests.last?.headers.values(for: .acceptEncoding) == ["identity"])
    }

    /// The user and password are sent only with the request whose address has them. `URLSession` on Linux sends them,
    /// too.
    @Test func userAndPasswordOfAnAddressAreSentWithItAlone() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        let port = try #require(server.url.port)
        let url = try #require(URL(string: "http://user:p%40ss@127.0.0.1:\(port)/x"))
        _ = try await transport.process(HTTPRequest(url: url))
        _ = try await transport.process(HTTPRequest(url: url, headers: [.authorization: "Bearer t"]))
        _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        let sent = server.requests.map { $0.headers.values(for: .authorization) }
        #expect(sent == [["Basic dXNlcjpwQHNz"], ["Bearer t"], []])
    }

    @Test func sharesNoCookiesAndNoCache() async throws {
        let server = try await FaultServer.start()
        let headers: HTTPHeaders = [.setCookie: "k=v; Path=/", .cacheControl: "max-age=60", .eTag: "\"1\""]
        server.on(.get, "/x", .json("1", headers: headers))
        for _ in 0..<2 { _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "x"))) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.headers[.cookie] == nil && $0.headers[.ifNoneMatch] == nil })
    }

    @Test func nothingIsSentOfARefusedRequest() async throws {
        let server = try await FaultServer.start()
        let url = server.url.appending(path: "x")
        let requests = [
            HTTPRequest(url: url, headers: ["X": "a\r\nX-Evil: 1"]),
            HTTPRequest(url: url, headers: ["X\r\nX-Evil": "1"]),
            HTTPRequest(url: url, headers: ["X": "a\0b"]), HTTPRequest(method: "GET /y HTTP/1.1\r\n", url: url),
            HTTPRequest(method: .head, url: url, body: Data("x".utf8)),
            HTTPRequest(url: try #require(URL(string: "file:///etc/passwd"))),
        ]
        for request in requests {
            let error = await #expect(throws: TransportError.self) { try await transport.process(request) }
            #expect(error?.kind == .invalidRequest)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func recordsWhatWasSent() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .redirect(to: "/y"))
        server.on(.get, "/y", .closeBeforeAnswer)
        let context = CallContext()
        let request = HTTPRequest(url: server.url.appending(path: "x"), headers: ["X-Trace": "7"])
        await #expect(throws: TransportError.self) { try await transport.process(request, in: context) }
        #expect(context.sentRequest?.url.path == "/y")
        #expect(context.sentRequest?.headers["X-Trace"] == "7")
    }

    @Test func largeBodiesGoBothWays() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/echo") { .data($0.body) }
        let bytes = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        // A slice begins at another index than 0.
        for body in [bytes, bytes.dropFirst(3)] {
            let request = HTTPRequest(method: .post, url: server.url.appending(path: "echo"), body: body)
            #expect(try await transport.process(request).body == Data(body))
        }
    }

    @Test func everyExchangeIsMeasured() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/a", .redirect(to: "/b", status: 307))
        server.on(.post, "/b", .data(zippedNumbers, headers: [.contentEncoding: "gzip"]))
        let context = CallContext()
        let request = HTTPRequest(method: .post, url: server.url.appending(path: "a"), body: Data("four".utf8))
        _ = try await transport.process(request, in: context)
        let metrics = context.transferMetrics
        #expect(metrics.map(\.isConnectionReused) == [false, true])
        #expect(metrics.map(\.networkProtocol) == ["http/1.1", "http/1.1"])
        #expect(metrics.map(\.bytesSent) == [4, 4])
        #expect(metrics.map(\.bytesReceived) == [0, zippedNumbers.count])
        #expect(metrics.map { $0.connect == nil } == [false, true])
        #expect(metrics.allSatisfy { $0.secureConnect == nil && $0.firstByte != nil && $0.total > .zero })
    }

    @Test func theLookUpOfANameIsMeasured() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        let url = try #require(URL(string: "http://localhost:\(server.url.port ?? 0)/x"))
        let context = CallContext()
        _ = try await transport.process(HTTPRequest(url: url), in: context)
        let metrics = try #require(context.transferMetrics.first)
        let lookUp = try #require(metrics.nameLookup)
        #expect(lookUp > .zero && lookUp < metrics.total)
    }

    @Test func aCallOfAClientShowsItsMeasurements() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"), .truncatedBody(sent: 5, declared: 10))
        let client = Client(baseURL: server.url, transport: transport)
        let answer = try await client.send(Route<Json>.get("x"))
        #expect(answer.transferMetrics.count == 1)
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("x")) }
        #expect(error?.status == 200)
        #expect(error?.response?.body.count == 5)
        #expect(error?.description.contains("-> 200 OK, 5 B") == true)
    }
}

/// `[1,2,3]`, compressed by gzip.
private let zippedNumbers = Data(base64Encoded: "H4sIAAAAAAACA4s21DHSMY4FAOmzbf0HAAAA") ?? Data()
#endif
