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

    @Test(arguments: BuiltInTransport.allCases)
    func aLoopEndsAtTheDefaultLimit(over choice: BuiltInTransport) async throws {
        let transport = try choice.transport()
        let server = try await FaultServer.start()
        server.on(.get, "/a", .redirect(to: "/a"))
        #expect(await outcome(of: nil, transport, server) == (nil, .tooManyRedirects, 21))
    }
}
