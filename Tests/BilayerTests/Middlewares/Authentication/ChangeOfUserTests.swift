import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private let address = URL("https://api.example.com/me")

private struct MeQuery: GraphQLOperation {
    static let document = "query Me { me }"
    struct Data: Codable, RawMappable { let me: String }
}

private struct MeRequest: RouteProviding {
    var route: Route<Json> { .get("me") }
}

/// Methods of a client and of a migrator that run where their caller runs.
private enum Calling: CaseIterable {
    case fetch, send, request, sentRequest, policy, sentPolicy, all, results, migrator

    func call(_ client: Client) async throws {
        let route = Route<Json>.get("me")
        switch self {
        case .fetch: _ = try await client.fetch(route)
        case .send: try await client.send(route)
        case .request: _ = try await client.fetch(MeRequest())
        case .sentRequest: try await client.send(MeRequest())
        case .policy: _ = try await client.fetch(route, cache: .networkOnly)
        case .sentPolicy: try await client.send(route, cache: .networkOnly)
        case .all: _ = try await client.fetchAll([route, route])
        case .results: for result in try await client.gather([route]) { _ = try result.get() }
        case .migrator:
            let migration = Migration(named: "me", isRead: true, old: { try await $0.fetch(route) }, new: { _ in nil })
            _ = try await Migrator(old: client, new: client, mode: .old).fetch(migration)
        }
    }
}

/// Lets each request wait at a gate.
private struct Waiting: Middleware {
    let gate: TaskGate
    let arrived: Locked<Int>

    func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        arrived.withLock { $0 += 1 }
        await gate.wait()
        return try await next.process(request, in: context)
    }
}

/// A signs out, and B signs in, while calls of A are in flight.
@Suite("Change of user: no call of one user has the other's token or response", .timeLimit(.minutes(5)))
struct ChangeOfUserTests {
    private let tokens = BearerTokens("A") { "renewed" }
    private let gate = TaskGate()

    private func changeUser() {
        tokens.replace(with: nil)
        tokens.replace(with: BearerToken("B"))
    }

    /// A server that answers with the request's token, and holds the first request at the gate.
    private func server(_ status: HTTPStatus = 200) -> StubTransport {
        let (gate, count) = (gate, Locked(0))
        return StubTransport { request, _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { await gate.wait() }
            let token = request.headers[.authorization] ?? "nobody"
            return HTTPResponse(status: isFirst ? status : 200, body: Data("\"\(token)\"".utf8))
        }
    }

    private func client(_ stub: StubTransport) -> Client {
        let transport = stub.wrapped(by: .authentication(tokens))
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
            .wrapped(by: .deduplication)
            .wrapped(by: .deadline(.seconds(3_600)))
        return Client(baseURL: URL("https://api.example.com"), transport: transport)
    }

    @Test("a call begins where it is made: a user who signs in right after is another one", arguments: Calling.allCases)
    @MainActor fileprivate func begun(calling: Calling) async throws {
        for _ in 0..<200 {
            let stub = StubTransport(.json("[]"))
            let tokens = BearerTokens("A") { "renewed" }
            let transport = stub.wrapped(by: .authentication(tokens))
            let client = Client(baseURL: URL("https://api.example.com"), transport: transport)
            let hasBegun = Locked(false)
            let call = Task { @MainActor in
                hasBegun.withLock { $0 = true }
                try await calling.call(client)
            }
            while !hasBegun.withLock({ $0 }) { await Task.yield() }
            tokens.replace(with: BearerToken("B"))
            let isRefused = if case .failure = await call.result { true } else { false }
            let sent = stub.requests.compactMap { $0.headers[.authorization] }
            guard !sent.contains("Bearer B"), isRefused || sent.contains("Bearer A") else {
                Issue.record("sent: \(sent), refused: \(isRefused)")
                return
            }
        }
    }

    @Test func aCallOfTheNextUserJoinsNoRequestOfTheOneBefore() async throws {
        let stub = server()
        let client = client(stub)
        let first = Task { try await client.fetch(Route<Json>.get("me")).string }
        try await stub.waitForRequests(count: 1)
        changeUser()
        #expect(try await client.fetch(Route<Json>.get("me")).string == "Bearer B")
        await gate.open()
        #expect(try await first.value == "Bearer A")
        #expect(stub.requests.count == 2)
    }

    @Test func aRefreshIsNoChangeOfUser() async throws {
        let stub = server()
        let deduplication = Deduplication()
        let transport = stub.wrapped(by: .authentication(tokens)).wrapped(by: deduplication)
        let first = Task { try await transport.process(HTTPRequest(url: address)) }
        try await stub.waitForRequests(count: 1)
        let old = tokens.state.withLock { $0.issued }
        _ = try await tokens.token(after: old, for: old.userNumber, in: CallContext())
        let second = Task { try await transport.process(HTTPRequest(url: address)) }
        while deduplication.waiting < 2 { await Task.yield() }
        await gate.open()
        #expect(try await first.value.body == second.value.body)
        #expect(stub.requests.count == 1)
    }

    /// A shared request is that of the first user, even if it was not sent before the change.
    @Test func aSharedRequestIsThatOfTheUserWhoMadeIt() async throws {
        let stub = StubTransport(.json("[]"))
        let waiting = Waiting(gate: gate, arrived: Locked(0))
        let transport = stub.wrapped(by: .authentication(tokens)).wrapped(by: waiting).wrapped(by: .deduplication)
        let first = Task { try await transport.process(HTTPRequest(url: address)) }
        while waiting.arrived.withLock({ $0 }) < 1 { await Task.yield() }
        changeUser()
        await gate.open()
        let error = await #expect(throws: AuthenticationError.self) { try await first.value }
        #expect(error?.kind == .userChanged)
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: [true, false]) func aRefusedRequestIsNotSentForTheNextUser(signsIn: Bool) async throws {
        let stub = server(401)
        let client = client(stub)
        let route = Route<Json>.post("messages", body: .text("a private text by A"))
        let call = Task { try await client.fetch(route) }
        try await stub.waitForRequests(count: 1)
        if signsIn { changeUser() } else { tokens.replace(with: nil) }
        await gate.open()
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect(error.status == 401)
        #expect(error.events.map(\.text).contains("not sent again: the user has changed"))
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer A"])
    }

    /// A token that the app has set over another one may be that of another user.
    @Test func aTokenOverAnotherIsAChangeOfUser() async throws {
        let stub = server(401)
        let call = Task { try await client(stub).fetch(Route<Json>.get("me")) }
        try await stub.waitForRequests(count: 1)
        tokens.replace(with: BearerToken("B"))
        await gate.open()
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect(error.status == 401)
        #expect(stub.requests.count == 1)
    }

    @Test func aRetryDoesNotSendForTheNextUser() async throws {
        let stub = server(503)
        let call = Task { try await client(stub).fetch(Route<Json>.put("profile", body: .text("of A"))) }
        try await stub.waitForRequests(count: 1)
        changeUser()
        await gate.open()
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect((error.underlyingError as? AuthenticationError)?.kind == .userChanged)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer A"])
    }

    /// The retry is around the shared request, so its second attempt would be a request of the next user.
    @Test func aRetryOutsideDoesNotSendForTheNextUserEither() async throws {
        let stub = server(503)
        let transport = stub.wrapped(by: .authentication(tokens)).wrapped(by: .deduplication)
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        let call = Task { try await transport.process(HTTPRequest(url: address)) }
        try await stub.waitForRequests(count: 1)
        changeUser()
        await gate.open()
        let error = await #expect(throws: AuthenticationError.self) { try await call.value }
        #expect(error?.kind == .userChanged)
        #expect(stub.requests.count == 1)
    }

    @Test func aWaitForARefreshEnds() async throws {
        let gate = gate
        let tokens = BearerTokens(BearerToken("A", expiresIn: .zero)) { _ in
            await gate.wait()
            return BearerToken("A2")
        }
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .authentication(tokens))
        let call = Task { try await transport.process(HTTPRequest(url: address)) }
        while tokens.waiting < 1 { await Task.yield() }
        tokens.replace(with: BearerToken("B"))
        await gate.open()
        let error = await #expect(throws: AuthenticationError.self) { try await call.value }
        #expect(error?.kind == .userChanged)
        #expect(stub.requests.isEmpty)
        #expect(try await transport.process(HTTPRequest(url: address)).status == 200)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer B"])
    }

    /// The refresh goes on, and nobody waits for its end.
    @Test(arguments: [BearerToken("B"), nil]) func aWaitForARefreshEndsAtOnce(token: BearerToken?) async throws {
        let gate = gate
        let hasBegun = Locked(false)
        let tokens = BearerTokens(BearerToken("A", expiresIn: .zero)) { _ in
            hasBegun.withLock { $0 = true }
            await gate.wait()
            return BearerToken("A2")
        }
        let transport = StubTransport(.json("[]")).wrapped(by: .authentication(tokens))
        let call = Task { try await transport.process(HTTPRequest(url: address)) }
        // The refresh must have begun: one that has not begun when the token is replaced never begins.
        while tokens.waiting < 1 || !hasBegun.withLock({ $0 }) { await Task.yield() }
        tokens.replace(with: token)
        let error = await #expect(throws: AuthenticationError.self) { try await call.value }
        #expect(error?.kind == .userChanged)
        #expect(tokens.running == 1)
        await gate.open()
        while tokens.running > 0 { await Task.yield() }
        #expect(tokens.current == token)
    }

    @Test func aCallThatWaitsForTheFirstTokenGoesOnWithThatOfALoginAtOnce() async throws {
        let gate = gate
        let told = Locked<[BearerToken?]>([])
        let tokens = BearerTokens(
            nil as BearerToken?,
            onChange: { token in told.withLock { $0.append(token) } },
            renewingBy: { _ in
                await gate.wait()
                return BearerToken("A")
            }
        )
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .authentication(tokens))
        let call = Task { try await transport.process(HTTPRequest(url: address)) }
        while tokens.waiting < 1 { await Task.yield() }
        tokens.replace(with: BearerToken("B"))
        #expect(try await call.value.status == 200)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer B"])
        await gate.open()
        while tokens.running > 0 { await Task.yield() }
        #expect(told.withLock { $0 } == [BearerToken("B")])
    }

    /// A call may begin to wait while the token is replaced.
    @Test(arguments: 0..<200) func noWaitIsMissed(round: Int) async throws {
        let gate = TaskGate()
        let tokens = BearerTokens(nil as BearerToken?) { _ in
            await gate.wait()
            return BearerToken("A")
        }
        let transport = StubTransport(.json("[]")).wrapped(by: .authentication(tokens))
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { _ = try await transport.process(HTTPRequest(url: address)) } }
            group.addTask {
                for _ in 0..<round % 20 { await Task.yield() }
                tokens.replace(with: BearerToken("B"))
            }
            try await group.waitForAll()
        }
        await gate.open()
    }

    @Test func noBatchHasOperationsOfTwoUsers() async throws {
        let stub = StubTransport { request, _ in
            let token = request.headers[.authorization] ?? "nobody"
            return HTTPResponse(status: 200, body: Data(#"{"data":{"me":"\#(token)"}}"#.utf8))
        }
        let clock = TestClock()
        let transport = stub.wrapped(by: .authentication(tokens))
            .wrapped(by: OperationBatching(window: .seconds(1), atMost: 2, clock: clock))
        let client = Client(baseURL: URL("https://api.example.com/graphql"), transport: transport)
        let first = Task { try await client.fetch(Route.graphQL(MeQuery())) }
        try await clock.waitForSleepers(count: 1)
        changeUser()
        let second = Task { try await client.fetch(Route.graphQL(MeQuery())).me }
        // Each user has a batch of its own.
        try await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(1))
        #expect(try await second.value == "Bearer B")
        let error = try #require(await #expect(throws: CallError.self) { try await first.value })
        #expect((error.underlyingError as? AuthenticationError)?.kind == .userChanged)
        #expect(stub.requests.count == 1)
    }
}
