import Bilayer
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// A body that can be read once is opened once, whatever would send its request again. The error says why the request
/// was not sent again.
@Suite("One-shot bodies are opened once", .timeLimit(.minutes(5)))
struct OneShotBodyTests {
    private let opened = Locked(0)

    /// A route whose method and idempotency key would allow another attempt.
    private func route(_ path: String = "upload") -> Route<Json> {
        let body = HTTPBody.stream(length: 2) { [opened] in
            opened.withLock { $0 += 1 }
            return HTTPBody.data(Data("ab".utf8))
        }
        return .put(path, headers: [.idempotencyKey: "1"], body: .content(body, mediaType: "text/plain"))
    }

    private func failure(of client: Client, _ route: Route<Json>) async throws -> CallError {
        try #require(await #expect(throws: CallError.self) { try await client.fetch(route) })
    }

    private func expectOnce(_ server: FaultServer, _ error: CallError, because reason: String) {
        #expect(server.requests.count == 1)
        #expect(opened.withLock { $0 } == 1)
        #expect(error.request?.isReplayable == false)
        #expect(error.events.contains { $0.text.contains(reason) }, "\(error.events)")
    }

    @Test(arguments: BuiltInTransport.allCases, [Reply.status(503), .resetBeforeAnswer])
    func aRetryEnds(over choice: BuiltInTransport, reply: Reply) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/upload", reply, .json("{}"))
        let transport = try choice.transport().wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        let error = try await failure(of: Client(baseURL: server.url, transport: transport), route())
        expectOnce(server, error, because: "its body can be sent once")
    }

    @Test(arguments: BuiltInTransport.allCases, [Reply.status(503), .resetBeforeAnswer])
    func aFailoverEnds(over choice: BuiltInTransport, reply: Reply) async throws {
        let (server, other) = (try await FaultServer.start(), try await FaultServer.start())
        server.on(.put, "/upload", reply)
        other.on(.put, "/upload", .json("{}"))
        let transport = try choice.transport().wrapped(by: .failover([server.url, other.url]))
        let error = try await failure(of: Client(baseURL: server.url, transport: transport), route())
        expectOnce(server, error, because: "its body can be sent once")
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func anAuthenticationHasNoSecondAttempt(over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/upload", .text("expired", status: 401), .json("{}"))
        let refreshes = Locked(0)
        let tokens = BearerTokens("old") {
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        let transport = try choice.transport().wrapped(by: .authentication(tokens))
        let error = try await failure(of: Client(baseURL: server.url, transport: transport), route())
        expectOnce(server, error, because: "its body can be sent once")
        #expect(error.status == 401)
        #expect(refreshes.withLock { $0 } == 0)
    }

    #if os(Linux)
    /// 301 and 302 change the method of a `POST` only, so the `PUT` of this test keeps its body.
    @Test(arguments: [301, 302, 307, 308] as [HTTPStatus])
    func aRedirectThatKeepsTheBodyIsNotFollowed(status: HTTPStatus) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/upload", .redirect(to: "/there", status: status))
        server.on(.put, "/there", .json("{}"))
        let error = try await failure(of: Client(baseURL: server.url, transport: try CurlTransport()), route())
        #expect(server.requests.map(\.path) == ["/upload"])
        #expect(opened.withLock { $0 } == 1)
        let fault = try #require(error.underlyingError as? TransportError)
        #expect(fault.kind == .bodyUnavailable)
        #expect(fault.response?.status == status)
        #expect("\(error)".contains("found a redirect that keeps the body, expected none: the body can be sent once"))
    }

    /// On Linux `URLSessionTransport` reads the body into memory, so it can send the body again.
    @Test(.enabled(if: BuiltInTransport.allCases.contains(.urlSession)), arguments: [307, 308] as [HTTPStatus])
    func aSessionSendsItAgainFromMemory(status: HTTPStatus) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/upload", .redirect(to: "/there", status: status))
        server.on(.put, "/there", .json("{}"))
        _ = try await Client(baseURL: server.url, transport: URLSessionTransport()).fetch(route())
        #expect(server.requests.map(\.body) == [Data("ab".utf8), Data("ab".utf8)])
        #expect(opened.withLock { $0 } == 1)
    }
    #endif

    /// A redirect by 303 continues without the body.
    @Test(arguments: BuiltInTransport.allCases) func aRedirectWithoutTheBodyIsFollowed(
        over choice: BuiltInTransport
    ) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/upload", .redirect(to: "/there", status: 303))
        server.on(.get, "/there", .json("{}"))
        _ = try await Client(baseURL: server.url, transport: try choice.transport()).fetch(route())
        #expect(server.requests.map(\.body) == [Data("ab".utf8), Data()])
        #expect(opened.withLock { $0 } == 1)
    }

    /// The stack has failover, authentication and retry in the documented order. The server gives each of them a reason
    /// to send the request again.
    @Test(arguments: BuiltInTransport.allCases) func noStackSendsItAgain(over choice: BuiltInTransport) async throws {
        for reply in [Reply.status(503), .text("no", status: 401), .closeBeforeAnswer] {
            let opens = opened.withLock { $0 }
            let server = try await FaultServer.start()
            server.on(.put, "/upload", reply)
            let transport = try choice.transport()
                .wrapped(by: .failover([server.url, server.url]))
                .wrapped(by: .authentication(BearerTokens("old") { "new" }))
                .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
            _ = try await failure(of: Client(baseURL: server.url, transport: transport), route())
            #expect(server.requests.count == 1, "\(reply)")
            #expect(opened.withLock { $0 } == opens + 1, "\(reply)")
        }
    }
}
