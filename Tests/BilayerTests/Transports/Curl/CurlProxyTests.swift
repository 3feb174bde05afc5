#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("CurlTransport: proxies", .timeLimit(.minutes(5)))
struct CurlProxyTests {
    /// A proxy receives the whole address as the target of the request. The fault server has no script for it, and
    /// answers with 404.
    @Test(arguments: [true, false])
    func aProxyReceivesTheRequest(forLoopback: Bool) async throws {
        let proxy = try await FaultServer.start()
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        var settings = CurlSettings()
        settings.proxy = .server(try address(of: proxy))
        settings.proxy.isForLoopback = forLoopback
        let response = try await CurlTransport(settings).process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.status == (forLoopback ? 404 : 200))
        #expect(server.requests.count == (forLoopback ? 0 : 1))
        let line = "GET \(server.url)/x HTTP/1.1\r\n"
        #expect(proxy.requests.map { $0.head.starts(with: Data(line.utf8)) } == (forLoopback ? [true] : []))
    }

    @Test func anUnknownHostIsLeftToTheProxy() async throws {
        let proxy = try await FaultServer.start()
        var settings = CurlSettings()
        settings.proxy = .server(try address(of: proxy))
        let url = try #require(URL(string: "http://no-such-host.invalid/users?page=2"))
        #expect(try await CurlTransport(settings).process(HTTPRequest(url: url)).status == 404)
        let line = "GET http://no-such-host.invalid/users?page=2 HTTP/1.1\r\n"
        #expect(proxy.requests.map { $0.head.starts(with: Data(line.utf8)) } == [true])
    }

    @Test func exceptedHostsNeedNoProxy() async throws {
        let proxy = try await FaultServer.start()
        var settings = CurlSettings()
        settings.proxy = .server(try address(of: proxy), exceptHosts: ["no-such-host.invalid"])
        let url = try #require(URL(string: "http://no-such-host.invalid/"))
        let transport = try CurlTransport(settings)
        let error = await #expect(throws: TransportError.self) { try await transport.process(HTTPRequest(url: url)) }
        #expect(error?.kind == .cannotFindHost)
    }

    @Test func aProxyThatIsNotThereIsNamed() async throws {
        var settings = CurlSettings()
        settings.proxy = .server(try #require(URL(string: "http://user:s3cr3t@no-such-proxy.invalid:3128")))
        let url = try #require(URL(string: "http://api.example.com/"))
        let transport = try CurlTransport(settings)
        let error = await #expect(throws: TransportError.self) { try await transport.process(HTTPRequest(url: url)) }
        #expect(error?.kind == .cannotFindHost)
        #expect(error?.detail == "no address of the proxy")
    }

    /// A proxy's refusal of a tunnel is not a response of the server.
    @Test func aRefusedTunnelIsNoResponse() async throws {
        let proxy = try await FaultServer.start()
        var settings = CurlSettings()
        settings.proxy = .server(try address(of: proxy))
        let transport = try CurlTransport(settings)
        let url = try #require(URL(string: "https://api.example.com/users"))
        let error = await #expect(throws: TransportError.self) { try await transport.process(HTTPRequest(url: url)) }
        #expect(error?.kind == .cannotConnect)
        #expect(error?.detail == "the proxy answered 400, expected a tunnel")
        #expect(error?.response == nil)
    }

    private func address(of proxy: FaultServer) throws -> URL {
        let port = try #require(proxy.url.port)
        return try #require(URL(string: "http://user:s3cr3t@127.0.0.1:\(port)"))
    }
}
#endif
