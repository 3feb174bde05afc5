import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private struct AccountQuery: GraphQLOperation {
    static let document = "query Account { account }"
    struct Data: Codable, RawMappable { let account: String }
}

/// Both accounts use one deduplication, or one batching.
@Suite("Two accounts share no request", .timeLimit(.minutes(5)))
struct TwoAccountsTests {
    private let gate = TaskGate()
    private let shared = Deduplication()

    private static func basic(_ user: String, _ password: String = "x") -> BasicAuthentication {
        .basicAuthentication(user: user, password: password)
    }

    private static func field(_ user: String, _ password: String = "x") -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    private static func signing(_ user: String) -> Signing {
        Signing { request in
            var request = request
            request.headers[.authorization] = user
            return request
        }
    }

    /// A server that answers with the request's credentials, and holds the first request at the gate.
    private func server() -> StubTransport {
        let (gate, count) = (gate, Locked(0))
        return StubTransport { request, _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { await gate.wait() }
            let user = request.headers[.authorization] ?? request.headers["Cookie"] ?? "nobody"
            return HTTPResponse(status: 200, body: Data("\"\(user)\"".utf8))
        }
    }

    private func client(_ transport: some Node<HTTPRequest, HTTPResponse>) -> Client {
        Client(baseURL: URL("https://api.example.com"), transport: transport)
    }

    /// The responses of two calls that are in flight at the same time.
    private func answers(
        _ stub: StubTransport,
        _ first: Client,
        _ second: Client,
        between: () -> Void = {}
    ) async throws -> [String?] {
        let one = Task { try await first.fetch(Route<Json>.get("me")).string }
        try await stub.waitForRequests(count: 1)
        between()
        let other = Task { try await second.fetch(Route<Json>.get("me")).string }
        while shared.waiting < 2, stub.requests.count < 2 { await Task.yield() }
        await gate.open()
        return [try await one.value, try await other.value]
    }

    @Test(arguments: [("bob", "x"), ("ada", "y"), ("a", "da:x")])
    func ofBasicAuthentication(user: String, password: String) async throws {
        let stub = server()
        let found = try await answers(
            stub,
            client(stub.wrapped(by: Self.basic("ada")).wrapped(by: shared)),
            client(stub.wrapped(by: Self.basic(user, password)).wrapped(by: shared))
        )
        #expect(found == [Self.field("ada"), Self.field(user, password)])
    }

    @Test func butOneAccountDoes() async throws {
        let stub = server()
        let clients = (0..<2).map { _ in client(stub.wrapped(by: Self.basic("ada")).wrapped(by: shared)) }
        #expect(try await answers(stub, clients[0], clients[1]) == [Self.field("ada"), Self.field("ada")])
        #expect(stub.requests.count == 1)
    }

    @Test func ofTwoSigners() async throws {
        let stub = server()
        let (ada, bob) = (Self.signing("ada"), Self.signing("bob"))
        let found = try await answers(
            stub,
            client(stub.wrapped(by: ada).wrapped(by: shared)),
            client(stub.wrapped(by: bob).wrapped(by: shared))
        )
        #expect(found == ["ada", "bob"])
    }

    @Test("of a session in a cookie, which is added outside of the deduplication")
    func ofACookie() async throws {
        let stub = server()
        let session = Locked("ada")
        let client = client(
            stub.wrapped(by: shared).wrapped(by: HeaderProvider { _ in ["Cookie": session.withLock { $0 }] })
        )
        let found = try await answers(stub, client, client) { session.withLock { $0 = "bob" } }
        #expect(found == ["ada", "bob"])
    }

    @Test func ofOneBatch() async throws {
        let stub = StubTransport { request, _ in
            let account = request.headers[.authorization] ?? "nobody"
            return HTTPResponse(status: 200, body: Data(#"{"data":{"account":"\#(account)"}}"#.utf8))
        }
        let clock = TestClock()
        let batching = OperationBatching(window: .seconds(1), atMost: 2, clock: clock)
        let ada = client(stub.wrapped(by: Self.basic("ada")).wrapped(by: batching))
        let bob = client(stub.wrapped(by: Self.basic("bob")).wrapped(by: batching))
        let first = Task { try await ada.fetch(Route.graphQL(AccountQuery())).account }
        let second = Task { try await bob.fetch(Route.graphQL(AccountQuery())).account }
        try await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(1))
        #expect(try await second.value == Self.field("bob"))
        #expect(try await first.value == Self.field("ada"))
    }

    /// The ``UserMark``s of different sources of users differ. Basic accounts with one name and password have one mark.
    @Test func sourcesOfUsersDiffer() {
        let users: [any UserSource] = [
            BearerTokens { "A" }, BearerTokens { "A" }, FixedUser(), FixedUser(), FixedUser(of: "ada", "x"),
            FixedUser(of: "ada", "y"),
        ]
        #expect(Set(users.map { UserMark(now: $0) }).count == users.count)
        #expect(UserMark(now: FixedUser(of: "ada", "x")) == UserMark(now: FixedUser(of: "ada", "x")))
    }
}
