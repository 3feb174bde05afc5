#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Glibc
import Testing

/// A process has one environment, so each test runs in a process of its own. The fault server refuses a `CONNECT` with
/// 400.
@Suite("URLSessionTransport: a proxy that refuses the tunnel", .timeLimit(.minutes(5)))
struct RefusedTunnelTests {
    @Test func isNoResponseOfTheServer() async throws {
        guard BuiltInTransport.allCases.contains(.urlSession) else { return }
        await #expect(processExitsWith: .success) {
            let proxy = try await FaultServer.start()
            setVariable("https_proxy", proxy)
            let request = HTTPRequest(url: URL("https://no-such-host.invalid/users"))
            let error = await URLSessionTransport().failure(of: request)
            #expect(error?.kind == .cannotConnect)
            #expect(error?.detail == "the proxy answered 400, expected a tunnel")
            #expect(error?.response == nil)
        }
    }

    @Test func letsAFailoverSendAPostToTheNextAddress() async throws {
        guard BuiltInTransport.allCases.contains(.urlSession) else { return }
        await #expect(processExitsWith: .success) {
            let (proxy, server) = (try await FaultServer.start(), try await FaultServer.start())
            server.on(.post, "/users", .json("7"))
            setVariable("https_proxy", proxy)
            let first = URL("https://no-such-host.invalid")
            let transport = URLSessionTransport().wrapped(by: .failover([first, server.url]))
            let client = Client(baseURL: first, transport: transport)
            #expect(try await client.fetch(Route<Json>.post("users", body: .text("Ada"))) == 7)
        }
    }
}

/// Sets a proxy, and clears the list of hosts for which no proxy is used.
private func setVariable(_ name: String, _ proxy: FaultServer) {
    for name in ["no_proxy", "NO_PROXY"] { _ = unsafe unsetenv(name) }
    _ = unsafe setenv(name, proxy.url.absoluteString, 1)
}
#endif
