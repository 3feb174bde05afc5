#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Requests to this machine may have secrets that no proxy should see.
@Suite("CurlTransport: hosts of the loopback interface", .timeLimit(.minutes(5)))
struct CurlLoopbackTests {
    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost.", "app.localhost", "127.0.0.1", "127.1", "127.255.255.254", "2130706433",
        "0x7f000001", "0x7f.1", "0177.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[0::1]", "[::ffff:127.0.0.1]",
        "[::FFFF:7f00:1]",
    ])
    func isOne(host: String) throws { #expect(try url(of: host).isLoopback) }

    @Test(arguments: [
        "example.com", "localhost.example.com", "notlocalhost", "127.example.com", "127.0.0.1.example.com", "126.0.0.1",
        "128.0.0.1", "0.0.0.0", "1", "10.0.0.127", "[::2]", "[::]", "[1::1]", "[::ffff:128.0.0.1]", "[fe80::1]",
    ])
    func isNone(host: String) throws { #expect(try !url(of: host).isLoopback) }

    /// The proxy has no script for the request, and answers with 404.
    @Test(arguments: ["127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
    func isReachedWithoutTheProxy(host: String) async throws {
        let proxy = try await FaultServer.start()
        let server = try await FaultServer.start()
        server.on(.get, "/x", .text("ok"))
        var settings = CurlSettings()
        settings.proxy = .server(proxy.url)
        let port = try #require(server.url.port)
        let url = try #require(URL(string: "http://\(host):\(port)/x"))
        #expect(try await CurlTransport(settings).process(HTTPRequest(url: url)).status == 200)
        #expect(server.requests.count == 1)
    }

    private func url(of host: String) throws -> URL { try #require(URL(string: "http://\(host):8080/")) }
}
#endif
