#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Glibc
import Testing

/// A process has one environment, so each test runs in a process of its own.
///
/// A proxy receives the whole address as the target of the request. The fault server has no script for it, and
/// answers with 404, which shows that the request went there.
@Suite("CurlTransport: proxies that the environment names", .timeLimit(.minutes(5)))
struct CurlProxyEnvironmentTests {
    @Test func aRequestGoesToTheProxyOfItsScheme() async {
        await #expect(processExitsWith: .success) {
            let proxy = try await FaultServer.start()
            let transport = try CurlTransport()
            setVariable("http_proxy", proxy)
            #expect(await outcome(of: "http://no-such-host.invalid/", by: transport) == "404")
            #expect(await outcome(of: "https://no-such-host.invalid/", by: transport) == "cannot find the host")
            setVariable("https_proxy", proxy)
            #expect(await outcome(of: "https://no-such-host.invalid/", by: transport) == "cannot connect to the host")
        }
    }

    @Test func oneProxyIsForAllSchemes() async {
        await #expect(processExitsWith: .success) {
            let proxy = try await FaultServer.start()
            let transport = try CurlTransport()
            setVariable("all_proxy", proxy)
            #expect(await outcome(of: "http://no-such-host.invalid/", by: transport) == "404")
            #expect(await outcome(of: "https://no-such-host.invalid/", by: transport) == "cannot connect to the host")
        }
    }

    /// A web server that runs a program for a request (CGI) sets `HTTP_PROXY` to the request's field `Proxy`.
    @Test func aNameInCapitalsIsNoProxy() async {
        await #expect(processExitsWith: .success) {
            setVariable("HTTP_PROXY", try await FaultServer.start())
            #expect(
                await outcome(of: "http://no-such-host.invalid/", by: try CurlTransport()) == "cannot find the host"
            )
        }
    }

    @Test func exceptedHostsAndTheirDomainsNeedNoProxy() async {
        await #expect(processExitsWith: .success) {
            let proxy = try await FaultServer.start()
            let transport = try CurlTransport()
            setVariable("http_proxy", proxy)
            _ = unsafe setenv("no_proxy", "example.com,no-such-host.invalid", 1)
            for host in ["no-such-host.invalid", "api.no-such-host.invalid"] {
                #expect(await outcome(of: "http://\(host)/", by: transport) == "cannot find the host")
            }
            #expect(await outcome(of: "http://not-no-such-host.invalid/", by: transport) == "404")
        }
    }

    @Test func theLoopbackInterfaceNeedsNoneUnlessASettingSaysSo() async {
        await #expect(processExitsWith: .success) {
            let proxy = try await FaultServer.start()
            let server = try await FaultServer.start()
            server.on(.get, "/x", .json("1"))
            setVariable("http_proxy", proxy)
            let address = "\(server.url)/x"
            #expect(await outcome(of: address, by: try CurlTransport()) == "200")
            var settings = CurlSettings()
            settings.proxy.isForLoopback = true
            #expect(await outcome(of: address, by: try CurlTransport(settings)) == "404")
            // As the table in <doc:Transports> says, a session obeys the environment.
            if BuiltInTransport.allCases.contains(.urlSession) {
                #expect(await outcome(of: address, by: URLSessionTransport()) == "404")
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func aSettingReplacesTheEnvironment() async {
        await #expect(processExitsWith: .success) {
            let (named, other) = (try await FaultServer.start(), try await FaultServer.start())
            setVariable("http_proxy", named)
            var settings = CurlSettings()
            settings.proxy = .none
            let direct = await outcome(of: "http://no-such-host.invalid/", by: try CurlTransport(settings))
            #expect(direct == "cannot find the host")
            named.stop()
            settings.proxy = .server(other.url)
            #expect(await outcome(of: "http://no-such-host.invalid/", by: try CurlTransport(settings)) == "404")
        }
    }
}

private func setVariable(_ name: String, _ proxy: FaultServer) { _ = unsafe setenv(name, proxy.url.absoluteString, 1) }

/// The status of the response, or the kind of the error.
private func outcome(of address: String, by transport: some Node<HTTPRequest, HTTPResponse>) async -> String {
    guard let url = URL(string: address) else { return "no address" }
    do {
        return "\(try await transport.process(HTTPRequest(url: url, timeout: .seconds(60))).status.code)"
    } catch {
        return (error as? TransportError).map { "\($0.kind)" } ?? "\(error)"
    }
}
#endif
