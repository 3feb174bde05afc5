import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private struct TokenQuery: GraphQLOperation {
    static let document = "query Token { token }"
    struct Data: Codable, RawMappable { let token: String }
}

private struct BeginObserver: CallObserver {
    let hasBegun = Locked(false)
    func observe(_ event: CallEvent, in call: CallContext) { hasBegun.withLock { $0 = true } }
}

/// User A signs out, and B signs in, after a call of A has begun.
@Suite("A call is that of the user at its begin, and so are calls that belong together", .timeLimit(.minutes(5)))
struct UsersOfCallsTests {
    private static let address = URL("https://api.example.com")
    private static let route = Route<[String]>.get("me")

    private let tokens = BearerTokens("A") { "renewed" }
    private let gate = TaskGate()

    private func changeUser() {
        tokens.replace(with: nil)
        tokens.replace(with: BearerToken("B"))
    }

    /// A server that answers with the request's token. Requests with these numbers, counted from 1, wait at the gate.
    private func server(waitingAt numbers: Set<Int> = [], _ first: HTTPStatus = 200) -> StubTransport {
        let (gate, count) = (gate, Locked(0))
        return StubTransport { request, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if numbers.contains(number) { await gate.wait() }
            let token = request.headers[.authorization] ?? "nobody"
            let status = number == 1 ? first : 200
            return HTTPResponse(
                status: status,
                headers: status == 200 ? ["Cache-Control": "max-age=60"] : [:],
                body: Data(#"["\#(token)"]"#.utf8)
            )
        }
    }

    private func client(_ transport: some Node<HTTPRequest, HTTPResponse>) -> Client {
        Client(baseURL: Self.address, transport: transport)
    }

    private func isChangeOfUser(_ error: (any Error)?) -> Bool {
        let cause = (error as? PageError)?.underlyingError ?? error
        return ((cause as? CallError)?.underlyingError as? AuthenticationError)?.kind == .userChanged
    }

    @Test func aRequestThatIsNotMadeYetIsNotSent() async throws {
        let stub = server()
        let arrived = Locked(false)
        var client = client(stub.wrapped(by: .authentication(tokens)))
        client.request.append(
            AnyNode { [gate] request, _ in
                arrived.withLock { $0 = true }
                await gate.wait()
                return request
            }
        )
        let call = Task { [client] in try await client.fetch(Self.route) }
        while !arrived.withLock({ $0 }) { await Task.yield() }
        changeUser()
        await gate.open()
        let error = await #expect(throws: CallError.self) { try await call.value }
        #expect(isChangeOfUser(error) && stub.requests.isEmpty)
    }

    /// The result of the callback form. The user changes at once, or when the request has arrived.
    private func resultOfCallback(_ stub: StubTransport, isSentBefore: Bool) async throws -> Result<[String], any Error>
    {
        let client = client(stub.wrapped(by: .authentication(tokens)))
        let (results, continuation) = AsyncStream<Result<[String], any Error>>.makeStream()
        client.fetch(Self.route) { continuation.yield($0) }
        if isSentBefore { try await stub.waitForRequests(count: 1) }
        changeUser()
        await gate.open()
        return try #require(await results.first { _ in true })
    }

    /// The result of an upload. The user changes at once, or when the request has arrived.
    private func resultOfUpload(_ stub: StubTransport, isSentBefore: Bool) async throws -> Result<[String], any Error> {
        let client = client(stub.wrapped(by: .authentication(tokens)))
        var events = client.upload(Route<[String]>.post("me", body: .text("x"))).makeAsyncIterator()
        if !isSentBefore { changeUser() }
        let gate = gate
        let change = Task {
            if isSentBefore {
                try await stub.waitForRequests(count: 1)
                changeUser()
            }
            await gate.open()
        }
        defer { change.cancel() }
        do {
            while let event = try await events.next() { if case .answer(let names) = event { return .success(names) } }
        } catch { return .failure(error) }
        throw UploadWithoutAnswer()
    }

    private struct UploadWithoutAnswer: Error {}

    /// Expects the first user's result. If the call begins only after the change, it may fail, and sends nothing.
    private func expectTheFirstUser(_ result: Result<[String], any Error>, _ stub: StubTransport) {
        switch result {
        case .success(let names): #expect(names == ["Bearer A"])
        case .failure(let error): #expect(isChangeOfUser(error) && stub.requests.isEmpty, "\(error)")
        }
    }

    @Test(arguments: 0..<50) func theCallbackFormBeginsWhenItIsCalled(round: Int) async throws {
        let stub = server()
        expectTheFirstUser(try await resultOfCallback(stub, isSentBefore: false), stub)
    }

    @Test(arguments: 0..<50) func anUploadBeginsWithItsIteration(round: Int) async throws {
        let stub = server()
        expectTheFirstUser(try await resultOfUpload(stub, isSentBefore: false), stub)
    }

    @Test func theCallbackFormGivesTheAnswerToWhatWasSentBefore() async throws {
        let stub = server(waitingAt: [1])
        #expect(try await resultOfCallback(stub, isSentBefore: true).get() == ["Bearer A"])
        #expect(stub.requests.count == 1)
    }

    @Test func anUploadGivesTheAnswerToWhatWasSentBefore() async throws {
        let stub = server(waitingAt: [1])
        #expect(try await resultOfUpload(stub, isSentBefore: true).get() == ["Bearer A"])
        #expect(stub.requests.count == 1)
    }

    @Test func whatSeveralCallsShareIsOfTheirUser() async throws {
        let context = CallContext()
        context.recordUsers([UserMark(now: tokens)])
        changeUser()
        let isRefused = try await context.sharing { inner in
            do { try inner.checkUsers() } catch { return error is AuthenticationError }
            return false
        }
        #expect(isRefused)
    }

    @Test func aCallThatWaitsForAPermitIsNotSent() async throws {
        let stub = server(waitingAt: [1])
        let client = client(stub.wrapped(by: .authentication(tokens)).wrapped(by: .concurrency(perHost: 1)))
        let first = Task { try await client.fetch(Self.route) }
        try await stub.waitForRequests(count: 1)
        let observer = BeginObserver()
        var observed = client
        observed.observer = observer
        let second = Task { [observed] in try await observed.fetch(Self.route) }
        while !observer.hasBegun.withLock({ $0 }) { await Task.yield() }
        changeUser()
        await gate.open()
        #expect(try await first.value == ["Bearer A"])
        let error = await #expect(throws: CallError.self) { try await second.value }
        #expect(isChangeOfUser(error) && stub.requests.count == 1)
    }

    @Test func aRetryTakesNoStoredResponseOfTheNextUser() async throws {
        let stub = server(waitingAt: [1], 503)
        let transport = stub.wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
            .wrapped(by: .authentication(tokens))
        let client = client(transport)
        let call = Task { try await client.fetch(Self.route) }
        try await stub.waitForRequests(count: 1)
        changeUser()
        #expect(try await client.fetch(Self.route) == ["Bearer B"])
        await gate.open()
        let error = await #expect(throws: CallError.self) { try await call.value }
        #expect(isChangeOfUser(error) && stub.requests.count == 2)
    }

    @Test func parallelCallsAreThoseOfOneUser() async throws {
        let stub = server(waitingAt: [1])
        let client = client(stub.wrapped(by: .authentication(tokens)))
        let call = Task { try await client.gather([Self.route, Self.route, Self.route], atMost: 1) }
        try await stub.waitForRequests(count: 1)
        changeUser()
        await gate.open()
        let results = try await call.value
        #expect(try results[0].get() == ["Bearer A"])
        for result in results.dropFirst() {
            #expect(isChangeOfUser(#expect(throws: CallError.self) { try result.get() }))
        }
        #expect(stub.requests.count == 1)
        #expect(try await client.fetchAll([Self.route]) == [["Bearer B"]])
    }

    @Test(arguments: [false, true]) func pagesOfOneLoopAreThoseOfOneUser(isShared: Bool) async throws {
        let stub = server()
        let client = client(stub.wrapped(by: .authentication(tokens)))
        var pages = client.pages(of: Self.route, by: .offset(limit: 1))
        if isShared { pages = pages.shared() }
        let iterator = pages.makeAsyncIterator()
        #expect(try await iterator.next()?.value == ["Bearer A"])
        changeUser()
        let error = await #expect(throws: PageError.self) { try await iterator.next() }
        #expect(isChangeOfUser(error) && stub.requests.count == 1)
        #expect(try await client.pages(of: Self.route, by: .offset(limit: 1)).makeAsyncIterator().next() != nil)
    }

    @Test func theStoredValueAndThatOfTheServerAreThoseOfOneUser() async throws {
        let stub = server()
        let cache = HTTPCache(.memory(maximumBytes: 1 << 20))
        let client = client(stub.wrapped(by: .cache(cache)).wrapped(by: .authentication(tokens)))
        _ = try await client.fetch(Self.route)
        var values = client.values(of: Self.route, cache: .cacheThenNetwork).makeAsyncIterator()
        #expect(try await values.next() == ["Bearer A"])
        changeUser()
        let error = await #expect(throws: CallError.self) { try await values.next() }
        #expect(isChangeOfUser(error) && stub.requests.count == 1)
    }

    @Test func theOldSourceOfAMigrationIsNotCalledForTheNextUser() async throws {
        let (old, new) = (server(), server(waitingAt: [1], 503))
        let migrator = Migrator(
            old: client(old.wrapped(by: .authentication(tokens))),
            new: client(new.wrapped(by: .authentication(tokens))),
            mode: .new,
            differences: DifferenceReporter { _ in }
        )
        let migration = Migration<[String]>(from: Self.route, to: Self.route)
        let call = Task { try await migrator.fetch(migration) }
        try await new.waitForRequests(count: 1)
        changeUser()
        await gate.open()
        let error = await #expect(throws: CallError.self) { try await call.value }
        #expect(isChangeOfUser(error) && old.requests.isEmpty)
    }

    @Test func publicRoutesHaveNoUser() async throws {
        let stub = server(waitingAt: [1], 503)
        let transport = stub.wrapped(by: .authentication(tokens))
            .wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
        let call = Task { try await client(transport).fetch(Self.route.with(option: Authentication.none)) }
        try await stub.waitForRequests(count: 1)
        changeUser()
        await gate.open()
        #expect(try await call.value == ["nobody"])
    }

    @Test func operationsWithAndWithoutATokenAreNotJoined() async throws {
        let stub = StubTransport { request, _ in
            let token = request.headers[.authorization] ?? "nobody"
            return HTTPResponse(status: 200, body: Data(#"{"data":{"token":"\#(token)"}}"#.utf8))
        }
        let clock = TestClock()
        let transport = stub.wrapped(by: .authentication(tokens))
            .wrapped(by: OperationBatching(window: .seconds(1), atMost: 2, clock: clock))
        let client = client(transport)
        let signedIn = Task { try await client.fetch(Route.graphQL(TokenQuery())).token }
        let isPublic = Route.graphQL(TokenQuery()).with(option: Authentication.none)
        let other = Task { try await client.fetch(isPublic).token }
        try await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(1))
        #expect(try await other.value == "nobody")
        #expect(try await signedIn.value == "Bearer A")
        #expect(stub.requests.count == 2)
    }

    /// The redirect to the other origin has removed the token, and the one back has not added it again.
    @Test func aRefusalAfterRedirectsThereAndBackNeedsNoRefresh() async throws {
        let count = Locked(0)
        let tokens = BearerTokens("A") {
            count.withLock { $0 += 1 }
            return "renewed"
        }
        let stub = StubTransport { request, context in
            context.recordSent(HTTPRequest(url: URL("https://other.example/there")))
            var sent = HTTPRequest(url: URL("https://api.example.com/back"))
            sent.headers = request.headers
            sent.headers[.authorization] = nil
            context.recordSent(sent)
            return HTTPResponse(status: 401, url: sent.url)
        }
        let client = client(stub.wrapped(by: .authentication(tokens)))
        for _ in 0..<7 {
            let error = await #expect(throws: CallError.self) { try await client.fetch(Self.route) }
            #expect(error?.status == 401)
        }
        #expect(count.withLock { $0 } == 0 && stub.requests.count == 7)
    }

    /// The other origin has not received the token, so its 401 says nothing about the last refresh.
    @Test func aRefusalByAnotherOriginDoesNotMakeTheRefreshBad() async throws {
        let clock = TestClock()
        let tokens = BearerTokens(nil as BearerToken?, limit: 1, per: .seconds(600), clock: clock) { _ in
            BearerToken("new", expiresIn: .seconds(60))
        }
        let stub = StubTransport { request, context in
            var sent = HTTPRequest(url: URL("https://other.example/b"))
            sent.headers = request.headers
            sent.headers[.authorization] = nil
            context.recordSent(sent)
            return HTTPResponse(status: 401, url: sent.url)
        }
        let client = client(stub.wrapped(by: .authentication(tokens)))
        for _ in 0..<3 {
            let error = await #expect(throws: CallError.self) { try await client.fetch(Self.route) }
            #expect(error?.status == 401)
            clock.advance(by: .seconds(120))
        }
        #expect(stub.requests.count == 3)
    }
}
