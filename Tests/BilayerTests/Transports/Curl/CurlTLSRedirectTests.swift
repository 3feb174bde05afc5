#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("CurlTransport: redirects from and to TLS", .timeLimit(.minutes(5)))
struct CurlTLSRedirectTests {
    private let secure: FaultServer
    private let plain: FaultServer
    private let transport: CurlTransport

    init() async throws {
        secure = try await FaultServer.start(certificate: ServerCertificate())
        plain = try await FaultServer.start()
        var settings = CurlSettings()
        settings.tls.authorityFile = secure.authorityFile
        transport = try CurlTransport(settings)
    }

    @Test(arguments: [301, 302, 303, 307, 308] as [HTTPStatus], [HTTPMethod.get, .post])
    func noneLeavesTLS(status: HTTPStatus, method: HTTPMethod) async throws {
        secure.on(method, "/a", .text("moved", status: status, headers: [.location: "\(plain.url)/b"]))
        let body = method == .post ? Data("secret".utf8) : nil
        let request = HTTPRequest(method: method, url: secure.url.appending(path: "a"), body: body)
        let response = try await transport.process(request)
        #expect(response.status == status)
        #expect(response.body == Data("moved".utf8))
        #expect(plain.requests.isEmpty)
    }

    @Test func oneToTLSIsFollowedWithoutCredentials() async throws {
        plain.on(.get, "/a", .redirect(to: "\(secure.url)/b"))
        secure.on(.get, "/b", .json("[1]"))
        let headers: HTTPHeaders = [.authorization: "Bearer t", "X-Trace": "7"]
        let request = HTTPRequest(url: plain.url.appending(path: "a"), headers: headers)
        #expect(try await transport.process(request).body == Data("[1]".utf8))
        #expect(secure.requests.map { $0.headers[.authorization] } == [nil])
        #expect(secure.requests.map { $0.headers["X-Trace"] } == ["7"])
    }

    @Test func oneWithinTLSIsFollowed() async throws {
        secure.on(.get, "/a", .redirect(to: "/b"))
        secure.on(.get, "/b", .json("[1]"))
        #expect(try await transport.process(HTTPRequest(url: secure.url.appending(path: "a"))).status == 200)
    }
}
#endif
