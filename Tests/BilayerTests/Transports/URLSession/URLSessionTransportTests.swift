import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSessionTransport: answers and requests")
struct URLSessionTransportTests {
    let transport = URLSessionTransport()

    @Test(
        arguments: [
            (.json(#"{"a":1}"#), 200, #"{"a":1}"#, "application/json"),
            (.json(#"{"error":"bad"}"#, status: 400), 400, #"{"error":"bad"}"#, "application/json"),
            (.text("<html>", contentType: "text/html", status: 502), 502, "<html>", "text/html"),
            (.status(500), 500, "", nil),
            (.status(204), 204, "", nil),
            (.status(304), 304, "", nil),
            (.status(404), 404, "", nil),
            (
                .json("{}", status: 401, headers: [.wwwAuthenticate: "Bearer realm=\"x\""]), 401, "{}",
                "application/json"
            ),
            (.basicChallenge(body: #"{"e":1}"#), 401, #"{"e":1}"#, "application/json"),
            (.status(401, headers: [.wwwAuthenticate: "Basic realm=\"x\""]), 401, "", nil),
            (
                .json("{}", status: 401, headers: [.wwwAuthenticate: "Digest realm=\"x\", nonce=\"n\", qop=\"auth\""]),
                401, "{}",
                "application/json"
            ),
            (.status(401), 401, "", nil),
            (
                .json("{}", status: 407, headers: ["Proxy-Authenticate": "Basic realm=\"x\""]), 407, "{}",
                "application/json"
            ),
            (.chunked(["[1", ",2]"]), 200, "[1,2]", "application/json"),
            (.chunked(["[1", ",2]"], every: .milliseconds(20)), 200, "[1,2]", "application/json"),
            (.status(599), 599, "", nil),
            (
                .data(compressedNumbers, contentType: "text/json", headers: [.contentEncoding: "gzip"]), 200, "[1,2,3]",
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

    @Test func closedInsteadOfCounted() async throws {
        let server = try await FaultServer.start()
        server.on(
            .get,
            "/x",
            Reply(.head("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"), .body("all of it"), .close)
        )
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(String(decoding: response.body, as: UTF8.self) == "all of it")
    }

    @Test func interimAnswersAreNotTheAnswer() async throws {
        let server = try await FaultServer.start()
        let head = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        server.on(.get, "/x", Reply(.head(head), .body("ok")))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.status == 200)
        #expect(response.body == Data("ok".utf8))
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "M-SEARCH", "x-low"])
    func sendsEveryMethod(method: HTTPMethod) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/x", .json("[1]"))
        let body = [.get, .head].contains(method) ? nil : Data("body of \(method)".utf8)
        let request = HTTPRequest(method: method, url: server.url.appending(path: "x"), body: body)
        let response = try await transport.process(request)
        #expect(response.status == 200)
        #expect(response.body == (method == .head ? Data() : Data("[1]".utf8)))
        #expect(server.requests.map(\.method) == [method])
        #expect(server.requests.map(\.body) == [body ?? Data()])
    }

    @Test func sendsHeadersAndQueryAsTheyAre() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/a%2Fb", .status(204))
        let url = try #require(URL(string: "\(server.url)/a%2Fb?q=1%2B2&r=%26"))
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
        _ = try await transport.process(request)

        let sent = try #require(server.requests.first)
        #expect(sent.target == "/a%2Fb?q=1%2B2&r=%26")
        #expect(sent.headers["x-trace"] == "7")
        #expect(sent.headers[.accept] == "text/plain")
        #expect(sent.headers[.contentType] == "application/vnd.x+json")
        #expect(sent.headers["X-Tag"] == "a, b")
        #expect(sent.headers["X-Empty"] == "")
        #expect(sent.headers[.authorization] == nil)
        #expect(sent.headers[.cookie] == nil)
    }

    @Test func repeatedFieldsOfAnAnswerAreJoined() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .status(200, headers: ["X-Tag": "a", "x-tag": "b"]))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.headers["X-TAG"] == "a, b")
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
            HTTPRequest(url: url, headers: ["X": "a\0b"]),
            HTTPRequest(method: "GET /y HTTP/1.1\r\n", url: url),
            HTTPRequest(method: .get, url: url, body: Data("x".utf8)),
        ]
        for request in requests {
            let error = await #expect(throws: TransportError.self) { try await transport.process(request) }
            #expect(error?.kind == .invalidRequest)
        }
        #expect(server.requests.isEmpty)
    }

    /// If the session sent these fields, the server would wait for a body until the time limit.
    @Test func theLengthOfARequestIsTheSessionsBusiness() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        let headers: HTTPHeaders = [.contentLength: "5", "Transfer-Encoding": "chunked"]
        let request = HTTPRequest(url: server.url.appending(path: "x"), headers: headers, timeout: .seconds(5))
        #expect(try await transport.process(request).status == 200)
        #expect(server.requests.first?.headers[.contentLength] == nil)
    }

    @Test func anEmptyBodyOfAGetIsNone() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "x"), body: Data()))
        #expect(response.status == 200)
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
        let body = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let response = try await transport.process(
            HTTPRequest(method: .post, url: server.url.appending(path: "echo"), body: body)
        )
        #expect(response.body == body)
    }

    @Test func hundredsOfCallsAtOnce() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/echo") { .data($0.body) }
        let url = server.url.appending(path: "echo")
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let body = Data("body \(number)".utf8)
                    return try await transport.process(HTTPRequest(method: .post, url: url, body: body)).body == body
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 300)
        #expect(!answers.contains(false))
    }

    @Test func settingsOfAnInjectedSessionAreUsed() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .basicChallenge())
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-From": "session"]
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        let response = try await URLSessionTransport(session: session)
            .process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.status == 401)
        #expect(server.requests.first?.headers["X-From"] == "session")
    }

    @Test func protocolsOfAConfigurationAnswerInItsPlace() async throws {
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.protocolClasses = [EchoProtocol.self]
        let url = try #require(URL(string: "http://example.invalid/x"))
        let response = try await URLSessionTransport(configuration: configuration).process(HTTPRequest(url: url))
        #expect(response.status == 202)
        #expect(response.body == Data("/x".utf8))
    }
}

/// `[1,2,3]`, compressed by gzip.
private let compressedNumbers = Data(base64Encoded: "H4sIAAAAAAACA4s21DHSMY4FAOmzbf0HAAAA") ?? Data()

/// Answers with the request's path, without a network.
private final class EchoProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let head = HTTPURLResponse(url: url, statusCode: 202, httpVersion: nil, headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(url.path.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
