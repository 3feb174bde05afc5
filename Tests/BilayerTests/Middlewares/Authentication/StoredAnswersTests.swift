import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private let users = Route<Json>.get("users")

/// A session server that cannot be asked, or refuses.
private enum SessionServer: Sendable {
    case unreachable, down, refusing
    /// Behind a network's login page.
    case captive
    /// Behind a circuit breaker that has opened.
    case opened
    /// The refresh needs a token of another session server, which is unreachable.
    case nested

    func token() async throws -> String {
        switch self {
        case .unreachable: throw TransportError(.notConnected)
        case .down: try await Self.answering(503)
        case .refusing: try await Self.answering(403)
        case .captive: throw TransportError(.secureConnectionFailed)
        case .opened: try await Self.answering(with: Self.lost.wrapped(by: await Self.openBreaker()))
        case .nested:
            try await Self.answering(
                with: StubTransport(.text("new")).wrapped(by: .authentication(BearerTokens { try await Self.lose() }))
            )
        }
    }

    private static func answering(_ status: HTTPStatus) async throws -> String {
        try await answering(with: StubTransport(.status(status)))
    }

    private static func answering(with transport: some Node<HTTPRequest, HTTPResponse>) async throws -> String {
        let plain = Client(baseURL: URL("https://api.example.com"), transport: transport)
        return try await plain.fetch(Route<String>.post("session/refresh"))
    }

    private static let lost = StubTransport(.failure(TransportError(.cannotConnect)))

    private static func lose() async throws -> String { throw TransportError(.connectionLost) }

    private static func openBreaker() async -> CircuitBreaker {
        let breaker = CircuitBreaker(failures: 1, pause: .seconds(3_600))
        _ = try? await lost.wrapped(by: breaker).process(HTTPRequest(url: URL("https://api.example.com")))
        return breaker
    }
}

@Suite("Authentication around a cache: stored responses without a token", .timeLimit(.minutes(5)))
struct StoredAnswersTests {
    private let bench = CacheBench()
    private let refreshes = Locked(0)

    private func tokens(_ token: BearerToken? = nil, _ server: SessionServer = .unreachable) -> BearerTokens {
        BearerTokens(token) { [refreshes] _ in
            refreshes.withLock { $0 += 1 }
            return BearerToken(try await server.token())
        }
    }

    /// A client with its middlewares in the documented order.
    private func client(_ tokens: BearerTokens) -> Client {
        let transport = bench.stub
            .wrapped(by: .cache(bench.cache))
            .wrapped(by: .authentication(tokens))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
            .wrapped(by: .deduplication)
            .wrapped(by: .deadline(.seconds(20)))
        return Client(baseURL: URL("https://api.example.com"), transport: transport, clock: TestClock())
    }

    private func store(_ headers: HTTPHeaders = ["Cache-Control": "max-age=60"]) async throws {
        bench.reply(.get, 200, headers, "[1]")
        _ = try await client(tokens(BearerToken("good"))).fetch(users)
    }

    private func failure(
        of policy: CachePolicy,
        _ tokens: BearerTokens
    ) async throws -> any Error {
        let error = await #expect(throws: CallError.self) { try await client(tokens).fetch(users, cache: policy) }
        return try #require(error).underlyingError
    }

    @Test(arguments: [CachePolicy.cacheOnly, .cacheElseNetwork]) func whatIsStoredNeedsNoToken(
        policy: CachePolicy
    ) async throws {
        try await store()
        let answer = try await client(tokens()).send(users, cache: policy)
        #expect(answer.value.array?.count == 1)
        #expect(answer.response?.cacheStatus == .hit)
        #expect(refreshes.withLock { $0 } == 0)
        #expect(bench.stub.requests.count == 1)
    }

    @Test func withoutAStoredResponseTheCacheAloneIsAMiss() async throws {
        #expect(try await failure(of: .cacheOnly, tokens()) is CacheMissError)
        #expect(refreshes.withLock { $0 } == 0)
    }

    @Test(arguments: [CachePolicy.cacheElseNetwork, .networkElseCache]) func withoutAStoredResponseATokenIsNeeded(
        policy: CachePolicy
    ) async throws {
        #expect(try await failure(of: policy, tokens()) is AuthenticationError)
        #expect(refreshes.withLock { $0 } == 1)
        #expect(bench.stub.requests.isEmpty)
    }

    @Test func withATokenTheNetworkAnswersWhatIsNotStored() async throws {
        bench.reply(.get, 200, [:], "[1]")
        let tokens = BearerTokens { "new" }
        #expect(try await client(tokens).send(users, cache: .cacheElseNetwork).response?.cacheStatus == .miss)
        #expect(bench.stub.requests.map { $0.headers[.authorization] } == ["Bearer new"])
    }

    @Test(arguments: [SessionServer.unreachable, .down, .captive, .opened, .nested])
    fileprivate func aRefreshOutOfReachLetsTheCacheAnswer(server: SessionServer) async throws {
        try await store()
        let client = client(tokens(nil, server))
        // More calls than refreshes are allowed in a minute. Refreshes without a response do not count.
        for _ in 0..<8 {
            #expect(try await client.send(users, cache: .networkElseCache).response?.cacheStatus == .hit)
        }
        #expect(refreshes.withLock { $0 } == (server == .down ? 5 : 8))
        #expect(bench.stub.requests.count == 1)
    }

    @Test func aRefusedRefreshDoesNot() async throws {
        try await store()
        #expect(try await failure(of: .networkElseCache, tokens(nil, .refusing)) is AuthenticationError)
    }

    @Test(arguments: [CachePolicy.standard, .revalidate, .networkOnly]) func otherPoliciesNeedAToken(
        policy: CachePolicy
    ) async throws {
        try await store()
        #expect(try await failure(of: policy, tokens()) is AuthenticationError)
    }

    @Test func afterALogoutNothingStoredIsUsed() async throws {
        try await store()
        let tokens = tokens(BearerToken("good"))
        tokens.replace(with: nil)
        #expect(try await failure(of: .cacheOnly, tokens) is CacheMissError)
        #expect(refreshes.withLock { $0 } == 0)
        for policy in [CachePolicy.cacheElseNetwork, .networkElseCache] {
            #expect(try await failure(of: policy, tokens) is AuthenticationError)
        }
        #expect(bench.stub.requests.count == 1)
    }

    @Test func varyKeepsTheResponsesOfTokensApart() async throws {
        try await store(["Cache-Control": "max-age=60", "Vary": "Authorization"])
        #expect(try await failure(of: .cacheOnly, tokens()) is CacheMissError)
        #expect(try await failure(of: .cacheOnly, tokens(BearerToken("other"))) is CacheMissError)
        // The token has expired, but it still shows the user, to whom the stored response belongs.
        let expired = tokens(BearerToken("good", expiresIn: .zero))
        #expect(try await client(expired).fetch(users, cache: .cacheOnly).array?.count == 1)
        #expect(refreshes.withLock { $0 } == 0)
    }

    @Test(arguments: [CachePolicy.cacheOnly, .cacheElseNetwork, .networkElseCache])
    func withoutACacheInsideNoRequestGoesWithoutAToken(policy: CachePolicy) async throws {
        let stub = StubTransport(.json("[]"))
        let tokens = BearerTokens { "new" }
        let outside = stub.wrapped(by: .authentication(tokens)).wrapped(by: .cache(bench.cache))
        for transport in [stub.wrapped(by: .authentication(tokens)).erased(), outside.erased()] {
            tokens.replace(with: nil)
            let client = Client(baseURL: URL("https://api.example.com"), transport: transport)
            _ = try? await client.fetch(users, cache: policy)
        }
        #expect(stub.requests.isEmpty == (policy == .cacheOnly))
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer new" })
    }
}
