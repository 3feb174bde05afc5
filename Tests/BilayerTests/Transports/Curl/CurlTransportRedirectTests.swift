#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("CurlTransport: redirects", .timeLimit(.minutes(5)))
struct CurlTransportRedirectTests {
    let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test(
        arguments: [
            (301, .post, .get), (302, .post, .get), (303, .post, .get), (303, .put, .get), (303, .head, .head),
            (307, .post, .post), (308, .put, .put), (302, .get, .get), (301, .delete, .delete),
        ] as [(HTTPStatus, HTTPMethod, HTTPMethod)]
    )
    func followsWithMethodAndBody(status: HTTPStatus, method: HTTPMethod, next: HTTPMethod) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/a", .redirect(to: "\(server.url)/b?x=1", status: status))
        server.on(next, "/b", .json("[1]"))
        var request = HTTPRequest(method: method, url: server.url.appending(path: "a"), headers: ["X-Trace": "7"])
        if ![.get, .head].contains(method) { request.body = .data(Data(#"{"k":1}"#.utf8)) }
        let response = try await transport.process(request)
        #expect(response.status == 200)
        #expect(response.url?.absoluteString == "\(server.url)/b?x=1")
        let last = try #require(server.requests.last)
        #expect(server.requests.count == 2)
        #expect(last.headers["X-Trace"] == "7")
        #expect(last.body == (next == method ? request.body?.data ?? Data() : Data()))
    }

    @Test(
        arguments: [
            (.status(302), 302), (.redirect(to: ""), 302), (.redirect(to: "ftp://example.com/"), 302),
            (.redirect(to: "file:///etc/passwd"), 302), (.redirect(to: "http://"), 302),
            (.redirect(to: "mailto:x"), 302), (.redirect(to: "/b", status: 300), 300),
            (.redirect(to: "/b", status: 304), 304), (.redirect(to: "/b", status: 201), 201),
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
        let response = try await transport.process(HTTPRequest(url: first.url.appending(path: "a"), headers: headers))
        #expect(response.status == 204)
        let elsewhere = try #require(second.requests.first).headers
        for secret in secrets {
            let sent = first.requests.map { $0.headers[secret.name] }
            #expect(sent == [secret.value, secret.value, nil], "\(secret.name.rawValue)")
            #expect(elsewhere[secret.name] == nil, "\(secret.name.rawValue)")
        }
        #expect(elsewhere["X-Trace"] == "7")
    }
}
#endif
