import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("URLSessionTransport: redirects")
struct URLSessionTransportRedirectTests {
    let transport = URLSessionTransport()

    @Test(
        arguments: [
            (301, .get, .get), (302, .get, .get), (303, .get, .get), (307, .get, .get), (308, .get, .get),
            (301, .post, .get), (302, .post, .get), (303, .post, .get), (307, .post, .post), (308, .post, .post),
            (301, .put, .put), (302, .put, .put), (303, .put, .get), (307, .put, .put), (308, .patch, .patch),
            (303, .head, .head), (302, .head, .head), (303, .delete, .get),
        ] as [(HTTPStatus, HTTPMethod, HTTPMethod)]
    )
    func keepOrDropTheBody(status: HTTPStatus, method: HTTPMethod, next: HTTPMethod) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/a", .redirect(to: "/b?x=1", status: status))
        server.on(next, "/b", .json("[1]"))
        var request = HTTPRequest(method: method, url: server.url.appending(path: "a"), headers: ["X-Trace": "7"])
        if ![.get, .head].contains(method) {
            request.body = .data(Data(#"{"k":1}"#.utf8))
            request.headers[.contentType] = "application/json"
        }
        let response = try await transport.process(request)
        #expect(response.status == 200)
        #expect(response.url?.absoluteString == "\(server.url)/b?x=1")

        let last = try #require(server.requests.last)
        #expect(server.requests.count == 2)
        #expect(last.target == "/b?x=1")
        #expect(last.headers["X-Trace"] == "7")
        #expect(last.body == (next == method ? request.body?.data ?? Data() : Data()))
        #expect(last.headers[.contentType] == (next == method ? request.headers[.contentType] : nil))
    }

    @Test(
        arguments: [
            (.status(302), 302), (.redirect(to: ""), 302), (.redirect(to: "ftp://example.com/"), 302),
            (.redirect(to: "file:///etc/passwd"), 302), (.redirect(to: "http://"), 302),
            (.redirect(to: "mailto:x"), 302), (.redirect(to: "/b", status: 300), 300),
            (.redirect(to: "/b", status: 304), 304), (.redirect(to: "/b", status: 305), 305),
            (.redirect(to: "/b", status: 306), 306), (.redirect(to: "/b", status: 201), 201),
        ] as [(Reply, HTTPStatus)]
    )
    func othersAreGivenAsTheyAre(reply: Reply, status: HTTPStatus) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", reply, .json("[1]"))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "a")))
        #expect(response.status == status)
        #expect(response.body.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test func aRedirectThatIsNotFollowedKeepsItsBody() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", .text("moved to nowhere", status: 302, headers: [.location: "ftp://h/"]))
        let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "a")))
        #expect(response.status == 302)
        #expect(response.body == Data("moved to nowhere".utf8))
    }

    /// On Linux the transport refuses the body only when all of it has come, because the session does not show it
    /// before.
    @Test(
        arguments: [
            .data(Data(count: 200_000), status: 302, headers: [.location: "/b"]),
            .chunked([Data(count: 200_000)], status: 302, headers: [.location: "/b"]),
            Reply(.head("HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n"), .body(Data(count: 200_000)), .close),
        ] as [Reply]
    )
    func theBodyOfARedirectHasTheLimit(reply: Reply) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", reply)
        server.on(.get, "/b", .json("[1]"))
        let request = HTTPRequest(url: server.url.appending(path: "a"))
        let transport = URLSessionTransport(maximumResponseBytes: 1_000)
        let error = await #expect(throws: TransportError.self) { try await transport.process(request) }
        #expect(error?.kind == .responseTooLarge)
        #expect(error?.response?.status == 302)
        #expect(server.requests.count == 1)
    }

    #if os(Linux)
    /// The session reports a redirect only when the redirect's body has ended.
    @Test func anEndlessBodyOfARedirectEndsWithTheTimeLimit() async throws {
        let server = try await FaultServer.start()
        let pieces = Array(repeating: [Reply.Action.body("12345"), .pause(.milliseconds(200))], count: 50).joined()
        server.on(.get, "/a", Reply([.head("HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n")] + pieces + [.close]))
        server.on(.get, "/b", .json("[1]"))
        let request = HTTPRequest(url: server.url.appending(path: "a"), timeout: .seconds(1))
        let error = await #expect(throws: TransportError.self) { try await transport.process(request) }
        #expect(error?.kind == .timedOut)
        #expect(server.requests.count == 1)
    }
    #endif

    @Test func credentialsStayAtTheirOrigin() async throws {
        let first = try await FaultServer.start()
        let second = try await FaultServer.start()
        first.on(.get, "/a", .redirect(to: "/b"))
        first.on(.get, "/b", .redirect(to: "\(second.url)/c"))
        second.on(.get, "/c", .redirect(to: "\(first.url)/d"))
        first.on(.get, "/d", .status(204))
        let secrets: HTTPHeaders = [
            .authorization: "Bearer t", .cookie: "k=v", .apiKey: "k", "X-Auth": "a", "X-Auth-Key": "b",
            "X-Functions-Key": "c", "Ocp-Apim-Subscription-Key": "d",
        ]
        var headers = secrets
        headers["X-Trace"] = "7"
        headers[.accept] = "text/plain"
        let response = try await transport.process(HTTPRequest(url: first.url.appending(path: "a"), headers: headers))
        #expect(response.status == 204)
        let elsewhere = try #require(second.requests.first).headers
        for secret in secrets {
            let sent = first.requests.map { $0.headers[secret.name] }
            #expect(sent == [secret.value, secret.value, nil], "\(secret.name.rawValue)")
            #expect(elsewhere[secret.name] == nil, "\(secret.name.rawValue)")
        }
        #expect(elsewhere["X-Trace"] == "7" && elsewhere[.accept] == "text/plain")
    }
}
