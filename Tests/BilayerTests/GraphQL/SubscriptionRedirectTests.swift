import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// The payload of `connection_init` usually has an access token, which no other origin may get.
@Suite("GraphQL: redirects of a subscription over WebSocket", .timeLimit(.minutes(5)))
struct SubscriptionRedirectTests {
    private struct Ticked: GraphQLOperation {
        static let document = "subscription Ticked { ticked }"
        struct Data: Codable, RawMappable { let ticked: Int }
    }

    private let stub = StubTransport()
    private let peer = StubWebSocket()

    init() {
        for message in [
            #"{"type":"connection_ack"}"#, #"{"id":"1","type":"next","payload":{"data":{"ticked":1}}}"#,
            #"{"id":"1","type":"complete"}"#,
        ] {
            peer.push(.text(message))
        }
        stub.on(.get, "/socket", .webSocket(peer))
    }

    /// A transport over the stub that follows redirects as the library's transports do.
    private var following: AnyNode<HTTPRequest, HTTPResponse> {
        AnyNode { [stub] request, context in
            try await request.followingRedirects(in: context) { try await stub.process($0, in: context) }
        }
    }

    private func all(through transport: some Node<HTTPRequest, HTTPResponse>) async throws -> [Int] {
        let middleware = SubscriptionsOverWebSocket { ["token": "SECRET"] }
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport.wrapped(by: middleware))
        var found: [Int] = []
        let route = Route<Int>.graphQL(Ticked(), at: \.ticked)
        for try await number in client.stream(route, as: .graphQL) { found.append(number) }
        return found
    }

    @Test(arguments: ["https://elsewhere.example/socket", "https://api.example.com:8443/socket"])
    func aRedirectToAnotherOriginIsTheResponse(location: String) async throws {
        stub.on(.get, "/graphql", .status(302, headers: [.location: location]))
        let error = await #expect(throws: CallError.self) { try await all(through: following) }
        #expect(error?.status == 302)
        #expect(error?.events.contains { $0.text.contains("redirects to another origin are not followed") } == true)
        #expect(stub.requests.map(\.url.path) == ["/graphql"])
        #expect(peer.sent.isEmpty)
    }

    @Test func aRedirectWithinTheOriginIsFollowed() async throws {
        stub.on(.get, "/graphql", .status(302, headers: [.location: "/socket"]))
        #expect(try await all(through: following) == [1])
    }

    /// A transport of the app that follows redirects by its own rules.
    @Test func nothingIsSentToAnotherOriginThatATransportHasBeenLedTo() async throws {
        let leaving = AnyNode<HTTPRequest, HTTPResponse> { [stub] request, context in
            context.recordSent(request)
            var request = request
            request.url = URL("https://elsewhere.example/socket")
            return try await stub.process(request, in: context)
        }
        let error = await #expect(throws: CallError.self) { try await all(through: leaving) }
        #expect(error?.underlyingError is StreamFormatError)
        #expect(peer.sent.isEmpty)
        #expect(peer.closeCode == .goingAway)
    }

    @Test func anotherAddressOfAFailoverIsNoOtherOrigin() async throws {
        let bases = [URL("https://api.example.com"), URL("https://fallback.example")]
        let transport = AnyNode<HTTPRequest, HTTPResponse> { [stub] request, context in
            context.recordSent(request)
            if request.url.host() == "api.example.com" { throw TransportError(.cannotConnect) }
            var request = request
            request.url = URL("https://fallback.example/socket")
            return try await stub.process(request, in: context)
        }
        #expect(try await all(through: transport.wrapped(by: .failover(bases))) == [1])
    }

    /// A node of the app may send the operations to a host of its own choice.
    @Test func aHostThatANodeInsideHasChosenIsTheOrigin() async throws {
        let moving = AnyNode<HTTPRequest, HTTPResponse> { [stub] request, context in
            var request = request
            request.url = URL("https://region.example/socket")
            return try await stub.process(request, in: context)
        }
        #expect(try await all(through: moving) == [1])
    }
}
