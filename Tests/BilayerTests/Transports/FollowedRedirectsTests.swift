import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Redirects that transports follow by a policy")
struct FollowedRedirectsTests {
    private func outcome(
        of policy: RedirectPolicy?,
        _ transport: AnyNode<HTTPRequest, HTTPResponse>,
        _ server: FaultServer
    ) async -> (status: HTTPStatus?, fault: TransportError.Kind?, requests: Int) {
        var options = CallOptions()
        options[RedirectPolicy.self] = policy
        let before = server.requests.count
        do {
            let request = HTTPRequest(url: server.url.appending(path: "a"))
            let response = try await transport.process(request, in: CallContext(options: options))
            return (response.status, nil, server.requests.count - before)
        } catch {
            return (nil, (error as? TransportError)?.kind, server.requests.count - before)
        }
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aLimitCountsFollowedRedirects(over choice: BuiltInTransport) async throws {
        let transport = try choice.transport()
        let server = try await FaultServer.start()
        server.on(.get, "/a", .redirect(to: "/b"))
        server.on(.get, "/b", .redirect(to: "/c"))
        server.on(.get, "/c", .json("[]"))
        #expect(await outcome(of: nil, transport, server) == (200, nil, 3))
        #expect(await outcome(of: .follow(limit: 2), transport, server) == (200, nil, 3))
        #expect(await outcome(of: .follow(limit: 1), transport, server) == (nil, .tooManyRedirects, 2))
        #expect(await outcome(of: .never, transport, server) == (302, nil, 1))
    }

    /// WHATWG URL: the escapes of an address are preserved, although the address also has a percent sign that begins no
    /// escape.
    @Test(
        arguments: BuiltInTransport.allCases,
        [
            ("/s?q=%C3%A9&d=50%", "/s?q=%C3%A9&d=50%25"),
            ("/caf%C3%A9?d=100%&n=a%20b", "/caf%C3%A9?d=100%25&n=a%20b"),
        ]
    )
    func escapesBesideALonePercentSignAreKept(over choice: BuiltInTransport, address: (String, String)) async throws {
        let (server, transport) = (try await FaultServer.start(), try choice.transport())
        server.on(.get, "/a", .redirect(to: address.0))
        server.on(.get, address.1, .json("[]"))
        #expect(await outcome(of: nil, transport, server) == (200, nil, 2))
        #expect(server.requests.last?.target == address.1)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aRedirectToAnotherOriginIsAnAnswerIfThePolicySaysSo(
        over choice: BuiltInTransport
    ) async throws {
        let transport = try choice.transport()
        let (server, other) = (try await FaultServer.start(), try await FaultServer.start())
        server.on(.get, "/a", .redirect(to: "\(other.url)/b"))
        other.on(.get, "/b", .json("[]"))
        #expect(await outcome(of: .sameOrigin(), transport, server) == (302, nil, 1))
        #expect(other.requests.isEmpty)
        #expect(await outcome(of: .follow(), transport, server) == (200, nil, 1))
    }

    /// None of these targets can be used: the call returns the response with the redirect.
    @Test(
        arguments: BuiltInTransport.allCases,
        [
            "http://127.0.0.1:99999/x", "http://127.0.0.1:0/x", "http://[::1/x", "http:///x", "javascript:alert(1)",
            "file:///etc/passwd", "ftp://127.0.0.1/x", "http://127.0.0.1:80:80/x",
        ]
    )
    func aRedirectToNoUsableAddressIsAnAnswer(over choice: BuiltInTransport, location: String) async throws {
        let transport = try choice.transport()
        let server = try await FaultServer.start()
        server.on(.get, "/a", .redirect(to: location))
        #expect(await outcome(of: nil, transport, server) == (302, nil, 1))
    }

    @Test(arguments: BuiltInTransport.allCases)
    func theSameLocationTwiceIsOne(over choice: BuiltInTransport) async throws {
        let transport = try choice.transport()
        let server = try await FaultServer.start()
        func redirect(_ fields: String) -> Reply {
            Reply(.head("HTTP/1.1 302 Found\r\n\(fields)Content-Length: 0\r\n\r\n"))
        }
        server.on(.get, "/b", .json("[]"))
        server.on(.get, "/a", redirect("Location: /b\r\nLocation: /b\r\n"))
        #expect(await outcome(of: nil, transport, server) == (200, nil, 2))
        #expect(server.requests.last?.target == "/b")
    }

    #if os(Linux)
    @Test func ofTwoLocationsNoneIsFollowed() async throws {
        let server = try await FaultServer.start()
        server.on(
            .get,
            "/a",
            Reply(.head("HTTP/1.1 302 Found\r\nLocation: /b\r\nLocation: /c\r\nContent-Length: 0\r\n\r\n"))
        )
        let (status, kind, requests) = await outcome(of: nil, try CurlTransport().erased(), server)
        #expect(requests == 1)
        // A newer libcurl refuses such a response by itself.
        #expect(
            status == 302 && kind == nil || status == nil && kind == .malformedResponse,
            "\(String(describing: kind))"
        )
    }

    @Test(arguments: ["/a/./b", "/a/../b", "/a/%2e%2e/b", "/..", "/a//b", "/a/.", "/a/b/../../.."])
    func aPathIsSentAsItIs(path: String) async throws {
        let server = try await FaultServer.start()
        let url = try #require(URL(string: server.url.absoluteString + path + "?x=1"))
        _ = try await CurlTransport().process(HTTPRequest(url: url))
        // A newer libcurl writes the digits of an escape in upper case.
        #expect(server.requests.map { $0.target.lowercased() } == ["\(path)?x=1"])
    }

    /// <doc:Transports> has a row for this.
    @Test func aSessionResolvesSegmentsOfDots() async throws {
        let server = try await FaultServer.start()
        let url = try #require(URL(string: server.url.absoluteString + "/a/./b/../c"))
        _ = try await URLSessionTransport().process(HTTPRequest(url: url), in: CallContext())
        #expect(server.requests.map(\.target) == ["/a/c"])
    }
    #endif

    @Test(arguments: BuiltInTransport.allCases)
    func aLoopEndsAtTheDefaultLimit(over choice: BuiltInTransport) async throws {
        let transport = try choice.transport()
        let server = try await FaultServer.start()
        server.on(.get, "/a", .redirect(to: "/a"))
        #expect(await outcome(of: nil, transport, server) == (nil, .tooManyRedirects, 21))
    }
}
