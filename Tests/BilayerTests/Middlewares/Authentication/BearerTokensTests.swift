import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private let address = URL("https://api.example.com/users")

/// Accepts one token, and refuses every other one with 401.
private func server(accepting token: String, holdingUntil count: Int = 0) -> StubTransport {
    let gate = TaskGate()
    return StubTransport { request, _ in
        if await gate.arrive() < count { await gate.wait() } else { await gate.open() }
        let isGood = request.headers[.authorization] == "Bearer \(token)"
        return HTTPResponse(status: isGood ? 200 : 401)
    }
}

private func outcomes(
    _ count: Int,
    _ call: @escaping @Sendable () async throws -> HTTPResponse
) async -> [Result<HTTPResponse, any Error>] {
    await withTaskGroup { group in
        for _ in 0..<count {
            group.addTask { () -> Result<HTTPResponse, any Error> in
                do { return .success(try await call()) } catch { return .failure(error) }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

private struct Broken: Error {}

@Suite("BearerTokens: one refresh for any number of callers", .timeLimit(.minutes(5)))
struct BearerTokensTests {
    /// The error of a refresh's call. The call has failed because a call that one of its nodes made has failed.
    private static func nested(_ error: any Error) -> CallError {
        let context = CallContext()
        return CallError(CallError(error, in: .transport, of: context), in: .requestEncoding, of: context)
    }

    /// As ``nested(_:)``, but the refresh's call had received its response before.
    private static func nestedAfterResponse(_ error: any Error) -> CallError {
        let context = CallContext()
        context.recordReceived(HTTPResponse(status: 200))
        return CallError(CallError(error, in: .transport, of: CallContext()), in: .rawMapping, of: context)
    }

    @Test func aThousandCallersWithAnExpiredTokenRefreshOnce() async throws {
        let refreshes = TaskGate()
        let tokens = BearerTokens("old") {
            "new\(await refreshes.arrive())"
        }
        let stub = server(accepting: "new1", holdingUntil: 1_000)
        let transport = stub.wrapped(by: .authentication(tokens))
        let all = await outcomes(1_000) { try await transport.process(HTTPRequest(url: address)) }
        #expect(all.allSatisfy { (try? $0.get())?.status == 200 })
        #expect(await refreshes.arrivals == 1)
        #expect(stub.requests.count == 2_000)
    }

    @Test func theRefreshSurvivesTheCancelOfItsFirstCaller() async throws {
        let (refreshes, gate) = (TaskGate(), TaskGate())
        let tokens = BearerTokens("old") {
            _ = await refreshes.arrive()
            await gate.wait()
            try Task.checkCancellation()
            return "new"
        }
        let stub = server(accepting: "new")
        let transport = stub.wrapped(by: .authentication(tokens))
        let first = Task { try await transport.process(HTTPRequest(url: address)) }
        await refreshes.waitForArrivals(1)
        let others = Task { await outcomes(999) { try await transport.process(HTTPRequest(url: address)) } }
        while tokens.waiting < 1_000 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await gate.open()
        #expect(await others.value.allSatisfy { (try? $0.get())?.status == 200 })
        #expect(await refreshes.arrivals == 1)
    }

    @Test func aTokenThatReplacesAnotherIsUsedWhenTheRefreshFails() async throws {
        let (refreshes, gate) = (TaskGate(), TaskGate())
        let tokens = BearerTokens(
            nil as BearerToken?,
            renewingBy: { _ in
                _ = await refreshes.arrive()
                await gate.wait()
                throw Broken()
            }
        )
        let transport = server(accepting: "new").wrapped(by: .authentication(tokens))
        let call = Task { try await transport.process(HTTPRequest(url: address)) }
        await refreshes.waitForArrivals(1)
        tokens.replace(with: BearerToken("new"))
        await gate.open()
        #expect(try await call.value.status == 200)
    }

    @Test func aRefreshThatFailsFailsForAllOnce() async throws {
        let refreshes = TaskGate()
        let tokens = BearerTokens("old") {
            _ = await refreshes.arrive()
            throw Broken()
        }
        let transport = server(accepting: "new", holdingUntil: 1_000).wrapped(by: .authentication(tokens))
        let all = await outcomes(1_000) { try await transport.process(HTTPRequest(url: address)) }
        #expect(await refreshes.arrivals == 1)
        for outcome in all {
            guard case .failure(let error as AuthenticationError) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(error.kind == .refreshFailed && error.underlyingError is Broken)
        }
    }

    @Test func theNextCallAfterAFailureMayTryAgain() async throws {
        let refreshes = TaskGate()
        let tokens = BearerTokens {
            guard await refreshes.arrive() > 1 else { throw Broken() }
            return "new"
        }
        let transport = server(accepting: "new").wrapped(by: .authentication(tokens))
        await #expect(throws: AuthenticationError.self) { try await transport.process(HTTPRequest(url: address)) }
        #expect(try await transport.process(HTTPRequest(url: address)).status == 200)
        #expect(await refreshes.arrivals == 2)
    }

    /// The server may have used up the refresh token, so a refresh that is cancelled would end the session.
    @Test func theRefreshGoesOnWhenAllHaveGone() async throws {
        let (refreshes, gate) = (TaskGate(), TaskGate())
        let tokens = BearerTokens("old") {
            _ = await refreshes.arrive()
            await gate.wait()
            try Task.checkCancellation()
            return "new"
        }
        let stub = server(accepting: "new")
        let transport = stub.wrapped(by: .authentication(tokens))
        let calls = (0..<10).map { _ in Task { try await transport.process(HTTPRequest(url: address)) } }
        await refreshes.waitForArrivals(1)
        while tokens.waiting < 10 { await Task.yield() }
        for call in calls { call.cancel() }
        // The calls end at once, though the refresh has not ended.
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        let next = Task { try await transport.process(HTTPRequest(url: address)) }
        while tokens.waiting < 1 { await Task.yield() }
        await gate.open()
        #expect(try await next.value.status == 200)
        #expect(await refreshes.arrivals == 1)
    }

    @Test func aRefreshIsGivenTheLastToken() async throws {
        let (given, kept) = (Locked<[BearerToken?]>([]), Locked<[BearerToken?]>([]))
        let tokens = BearerTokens(
            BearerToken("a1", refreshToken: "r1"),
            onChange: { token in kept.withLock { $0.append(token) } },
            renewingBy: { old in
                given.withLock { $0.append(old) }
                return BearerToken("a2", refreshToken: "r2")
            }
        )
        let transport = server(accepting: "a2").wrapped(by: .authentication(tokens))
        #expect(try await transport.process(HTTPRequest(url: address)).status == 200)
        #expect(given.withLock { $0 } == [BearerToken("a1", refreshToken: "r1")])
        #expect(tokens.current == BearerToken("a2", refreshToken: "r2"))
        #expect(kept.withLock { $0 } == [BearerToken("a2", refreshToken: "r2")])
    }

    @Test func theCurrentTokenHasTheRestOfItsLifetime() {
        let clock = TestClock()
        let tokens = BearerTokens(BearerToken("t", expiresIn: .seconds(100)), clock: clock) { _ in throw Broken() }
        clock.advance(by: .seconds(30))
        #expect(tokens.current == BearerToken("t", expiresIn: .seconds(70)))
    }

    /// Ada's refresh is in flight when Bob signs in: Bob's refresh token stays.
    @Test func theRefreshOfAnEarlierUserIsNotKept() async throws {
        let (refreshes, gate) = (TaskGate(), TaskGate())
        let kept = Locked<[BearerToken?]>([])
        let tokens = BearerTokens(
            BearerToken("ada1", refreshToken: "ada1"),
            onChange: { token in kept.withLock { $0.append(token) } },
            renewingBy: { _ in
                _ = await refreshes.arrive()
                await gate.wait()
                return BearerToken("ada2", refreshToken: "ada2")
            }
        )
        let transport = server(accepting: "ada2").wrapped(by: .authentication(tokens))
        let call = Task { try await transport.process(HTTPRequest(url: address)) }
        await refreshes.waitForArrivals(1)
        tokens.replace(with: nil)
        tokens.replace(with: BearerToken("bob1", refreshToken: "bob1"))
        await gate.open()
        await #expect(throws: AuthenticationError.self) { try await call.value }
        #expect(kept.withLock { $0 } == [nil, BearerToken("bob1", refreshToken: "bob1")])
        #expect(tokens.current == BearerToken("bob1", refreshToken: "bob1"))
    }

    /// Many callers make changes at once, and the closure makes one, too.
    @Test(arguments: 0..<20) func theLastChangeIsToldLastAndNoneWithinAnother(round: Int) async throws {
        let box = ChangedTokens()
        let tokens = BearerTokens(
            nil as BearerToken?,
            onChange: { box.take($0) },
            renewingBy: { _ in throw Broken() }
        )
        box.tokens.withLock { $0 = tokens }
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask { tokens.replace(with: number.isMultiple(of: 7) ? nil : BearerToken("\(number)")) }
            }
        }
        // One caller may still pass the change of another one to `onChange`.
        while box.told.withLock({ $0.count }) < 51 { await Task.yield() }
        #expect(box.told.withLock { $0.last } == .some(tokens.current))
        #expect(!box.isNested.withLock { $0 })
    }

    @Test(arguments: [HTTPStatus(400), 503]) func theErrorHasTheStatusOfTheRefresh(status: HTTPStatus) async throws {
        let plain = Client(baseURL: URL("https://api.example.com"), transport: StubTransport(.status(status)))
        let tokens = BearerTokens("old") { try await plain.fetch(Route<String>.post("refresh")) }
        let error = await #expect(throws: AuthenticationError.self) {
            try await server(accepting: "new").wrapped(by: .authentication(tokens)).process(HTTPRequest(url: address))
        }
        #expect(error?.status == status)
    }

    @Test func refreshesAreBoundedInAPeriod() async throws {
        let clock = TestClock()
        let refreshes = TaskGate()
        let tokens = BearerTokens(nil as String?, limit: 3, per: .seconds(60), clock: clock) {
            "bad\(await refreshes.arrive())"
        }
        let transport = server(accepting: "good").wrapped(by: .authentication(tokens))
        // The first call needs two refreshes: it has no token, and the token that it gets is refused.
        #expect(try await transport.process(HTTPRequest(url: address)).status == 401)
        #expect(try await transport.process(HTTPRequest(url: address)).status == 401)
        let error = await #expect(throws: AuthenticationError.self) {
            try await transport.process(HTTPRequest(url: address))
        }
        #expect(error?.kind == .tooManyRefreshes)
        #expect(error?.description.hasSuffix("3 in 60.000 s, the next one is possible after 60.000 s") == true)
        #expect(await refreshes.arrivals == 3)
        clock.advance(by: .seconds(60))
        #expect(try await transport.process(HTTPRequest(url: address)).status == 401)
        #expect(await refreshes.arrivals == 4)
    }

    @Test func aLoginBeginsTheCountOfRefreshesAgain() async throws {
        let clock = TestClock()
        let isSignedIn = Locked(false)
        let tokens = BearerTokens(nil as BearerToken?, limit: 3, clock: clock) { _ in
            guard isSignedIn.withLock({ $0 }) else { throw Broken() }
            return BearerToken("renewed", expiresIn: .seconds(20))
        }
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .authentication(tokens))
        for _ in 0..<3 {
            await #expect(throws: AuthenticationError.self) { try await transport.process(HTTPRequest(url: address)) }
        }
        let error = await #expect(throws: AuthenticationError.self) {
            try await transport.process(HTTPRequest(url: address))
        }
        #expect(error?.kind == .tooManyRefreshes)
        #expect(error?.underlyingError is Broken)
        isSignedIn.withLock { $0 = true }
        tokens.replace(with: BearerToken("login", expiresIn: .seconds(20)))
        clock.advance(by: .seconds(21))
        _ = try await transport.process(HTTPRequest(url: address))
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer renewed"])
    }

    /// The first refresh fails. The second one brings a token, which is refused: the error still has the first failure.
    @Test func theErrorPastTheLimitHasTheLastErrorOfTheClosure() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let tokens = BearerTokens(nil as BearerToken?, limit: 2, clock: clock) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 1 else { throw Broken() }
            return BearerToken("short", expiresIn: .seconds(1))
        }
        let transport = StubTransport(.status(401)).wrapped(by: .authentication(tokens))
        await #expect(throws: AuthenticationError.self) { try await transport.process(HTTPRequest(url: address)) }
        let error = await #expect(throws: AuthenticationError.self) {
            try await transport.process(HTTPRequest(url: address))
        }
        #expect(error?.kind == .tooManyRefreshes)
        #expect(error?.underlyingError is Broken)
    }

    @Test("a refresh that received a part of a response counts; one of a closure that finds no network does not")
    func countedRefreshes() async throws {
        let faults: [(error: any Error, isCounted: Bool)] = [
            (TransportError(.brokenBody), true), (URLError(.notConnectedToInternet), false), (Broken(), true),
            (CircuitOpenError(host: "a", remaining: .zero), false), (TransportError(.secureConnectionFailed), false),
            (TransportError(.invalidRequest), true), (TransportError(.malformedResponse), true),
            (AuthenticationError(.refreshFailed, "", underlyingError: TransportError(.timedOut)), false),
            (AuthenticationError(.refreshFailed, "", underlyingError: Broken()), true),
            (Self.nested(TransportError(.notConnected)), false), (Self.nested(Broken()), true),
            (Self.nestedAfterResponse(TransportError(.notConnected)), true),
        ]
        for (fault, isCounted) in faults {
            let tokens = BearerTokens(nil as String?, limit: 1) { throw fault }
            let transport = server(accepting: "new").wrapped(by: .authentication(tokens))
            for call in 0..<2 {
                let error = await #expect(throws: AuthenticationError.self) {
                    try await transport.process(HTTPRequest(url: address))
                }
                #expect(error?.kind == (isCounted && call == 1 ? .tooManyRefreshes : .refreshFailed), "\(fault)")
            }
        }
    }

    /// After a response the refresh token may be used up, so no stored response replaces the refresh's error.
    @Test func aServerThatHasAnsweredTheRefreshIsNotOutOfReach() {
        let errors = [Self.nested, Self.nestedAfterResponse]
            .map { AuthenticationError(.refreshFailed, "", underlyingError: $0(TransportError(.notConnected))) }
        #expect(errors.map(\.isOfServerOutOfReach) == [true, false])
        #expect(errors.map(\.status) == [nil, 200])
    }

    /// Without a network each call makes one refresh. These do not count, so calls succeed once the network is back.
    @Test(arguments: [TransportError.Kind.notConnected, .connectionLost, .timedOut])
    func aRefreshThatReachesNoServerDoesNotCount(fault: TransportError.Kind) async throws {
        let isOffline = Locked(true)
        let tokens = BearerTokens(nil as String?, limit: 3) {
            if isOffline.withLock({ $0 }) { throw TransportError(fault) }
            return "new"
        }
        let transport = server(accepting: "new").wrapped(by: .authentication(tokens))
        for _ in 0..<5 {
            let error = await #expect(throws: AuthenticationError.self) {
                try await transport.process(HTTPRequest(url: address))
            }
            #expect(error?.kind == .refreshFailed)
        }
        isOffline.withLock { $0 = false }
        #expect(try await transport.process(HTTPRequest(url: address)).status == 200)
    }

    @Test(
        "refreshes whose tokens are accepted do not count, however short their lives are",
        arguments: [
            Duration.seconds(8), nil,
        ]
    )
    func shortLives(lifetime: Duration?) async throws {
        let (clock, refreshes, round) = (TestClock(), TaskGate(), Locked(0))
        let tokens = BearerTokens(clock: clock) { _ in
            BearerToken("t\(await refreshes.arrive())", expiresIn: lifetime)
        }
        let stub = StubTransport { request, _ in
            let isGood = request.headers[.authorization] == "Bearer t\(round.withLock { $0 })"
            return HTTPResponse(status: isGood ? 200 : 401)
        }
        let transport = stub.wrapped(by: .authentication(tokens))
        // The server ends each token after eight seconds. If the lifetime is unknown, the call refreshes
        // after a 401.
        for _ in 0..<20 {
            round.withLock { $0 += 1 }
            #expect(try await transport.process(HTTPRequest(url: address)).status == 200)
            clock.advance(by: .seconds(8))
        }
        #expect(await refreshes.arrivals == 20)
    }

    /// The next refreshes begin before the first response arrives, because the tokens expire so soon.
    @Test("a refresh counts when its token is refused, however late that is", arguments: [HTTPStatus(200), 401])
    func lateResponses(status: HTTPStatus) async throws {
        let (clock, gate) = (TestClock(), TaskGate())
        let tokens = BearerTokens(limit: 3, clock: clock) { _ in BearerToken("short", expiresIn: .seconds(5)) }
        let stub = StubTransport { _, _ in
            await gate.wait()
            return HTTPResponse(status: status)
        }
        let transport = stub.wrapped(by: .authentication(tokens))
        let request = HTTPRequest(url: address)
        var calls: [Task<HTTPResponse, any Error>] = []
        for number in 1...8 {
            calls.append(Task { try await transport.process(request) })
            try await stub.waitForRequests(count: number)
            clock.advance(by: .seconds(6))
        }
        await gate.open()
        for call in calls {
            let response = await call.result
            if status == 200 { #expect(try response.get().status == 200) }
        }
        if status == 200 {
            #expect(try await transport.process(request).status == 200)
        } else {
            let error = await #expect(throws: AuthenticationError.self) { try await transport.process(request) }
            #expect(error?.kind == .tooManyRefreshes)
        }
    }

    /// The refused tokens are those of another user.
    @Test func refusalsAfterALoginDoNotCount() {
        var state = TokenState(nil, limit: 1, period: .seconds(60))
        state.store(BearerToken("ada"), ofRefreshOf: state.issued.version, at: .zero)
        let issued = state.issued
        state.replace(with: BearerToken("bob"), at: .zero)
        state.recordRefusal(of: issued, at: .zero)
        #expect(throws: Never.self) { try state.checkLimit(at: .zero) }
        state.recordRefusal(of: state.issued, at: .zero)
        #expect(throws: AuthenticationError.self) { try state.checkLimit(at: .zero) }
    }

    @Test func anEndpointThatRefusesTokensThatOthersAcceptIsBounded() async throws {
        let refreshes = TaskGate()
        let tokens = BearerTokens(nil as String?, limit: 3, clock: TestClock()) { "t\(await refreshes.arrive())" }
        let stub = StubTransport { request, _ in HTTPResponse(status: request.url.path == "/admin" ? 401 : 200) }
        let transport = stub.wrapped(by: .authentication(tokens))
        let admin = HTTPRequest(url: URL("https://api.example.com/admin"))
        for _ in 0..<2 {
            #expect(try await transport.process(admin).status == 401)
            #expect(try await transport.process(HTTPRequest(url: address)).status == 200)
        }
        let error = await #expect(throws: AuthenticationError.self) { try await transport.process(admin) }
        #expect(error?.kind == .tooManyRefreshes)
        #expect(try await transport.process(HTTPRequest(url: address)).status == 200)
        #expect(await refreshes.arrivals == 3)
    }

    @Test("a refresh that returns no lifetime, or one of zero, returns a token that is used until it is refused")
    func noLifetime() async throws {
        for lifetime in [Duration.zero, .seconds(-1), nil] {
            let clock = TestClock()
            let refreshes = TaskGate()
            let tokens = BearerTokens(limit: 2, clock: clock) { _ in
                BearerToken("t\(await refreshes.arrive())", expiresIn: lifetime, refreshToken: "r")
            }
            let stub = StubTransport { request, _ in
                let isRefused = request.url.path == "/old" && request.headers[.authorization] == "Bearer t1"
                return HTTPResponse(status: isRefused ? 401 : 200)
            }
            let transport = stub.wrapped(by: .authentication(tokens))
            for _ in 0..<5 { #expect(try await transport.process(HTTPRequest(url: address)).status == 200) }
            #expect(await refreshes.arrivals == 1)
            #expect(tokens.current == BearerToken("t1", refreshToken: "r"))
            let old = HTTPRequest(url: URL("https://api.example.com/old"))
            #expect(try await transport.process(old).status == 200)
            #expect(await refreshes.arrivals == 2)
        }
    }

    @Test func aTokenIsReplacedBeforeItExpires() async throws {
        let clock = TestClock()
        let refreshes = TaskGate()
        let tokens = BearerTokens(clock: clock) { _ in
            BearerToken("t\(await refreshes.arrive())", expiresIn: .seconds(100))
        }
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .authentication(tokens))
        func token() async throws -> String? {
            _ = try await transport.process(HTTPRequest(url: address))
            return stub.requests.last?.headers[.authorization]
        }
        #expect(try await token() == "Bearer t1")
        clock.advance(by: .seconds(89))
        #expect(try await token() == "Bearer t1")
        clock.advance(by: .seconds(1))
        #expect(try await token() == "Bearer t1")
        while tokens.running > 0 { await Task.yield() }
        #expect(try await token() == "Bearer t2")
    }

    @Test func aTokenThatIsValidIsSentWhileItsReplacementHangs() async throws {
        let (clock, gate) = (TestClock(), TaskGate())
        let tokens = BearerTokens(BearerToken("t1", expiresIn: .seconds(100)), clock: clock) { _ in
            await gate.wait()
            return BearerToken("t2")
        }
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .authentication(tokens))
        clock.advance(by: .seconds(95))
        for _ in 0..<3 { _ = try await transport.process(HTTPRequest(url: address)) }
        #expect(tokens.running == 1 && tokens.waiting == 0)
        clock.advance(by: .seconds(5))
        let expired = Task { try await transport.process(HTTPRequest(url: address)) }
        while tokens.waiting < 1 { await Task.yield() }
        await gate.open()
        _ = try await expired.value
        #expect(
            stub.requests.map { $0.headers[.authorization] }
                == ["Bearer t1", "Bearer t1", "Bearer t1", "Bearer t2"]
        )
    }

    @Test func aTokenThatIsValidIsSentWhenItsReplacementFails() async throws {
        let clock = TestClock()
        let tokens = BearerTokens(BearerToken("t", expiresIn: .seconds(100)), clock: clock) { _ -> BearerToken in
            throw Broken()
        }
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .authentication(tokens))
        clock.advance(by: .seconds(95))
        _ = try await transport.process(HTTPRequest(url: address))
        #expect(stub.requests.last?.headers[.authorization] == "Bearer t")
        clock.advance(by: .seconds(5))
        await #expect(throws: AuthenticationError.self) { try await transport.process(HTTPRequest(url: address)) }
    }

    @Test func aRefreshThatNeedsItselfIsAnError() async throws {
        let box = TokensBox()
        let tokens = BearerTokens("old") { try await box.call() }
        let stub = server(accepting: "new")
        let client = Client(
            baseURL: URL("https://api.example.com"),
            transport: stub.wrapped(by: .authentication(tokens))
        )
        await box.set(client)
        let error = try #require(
            await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("users")) }
        )
        #expect((error.underlyingError as? AuthenticationError)?.kind == .refreshNeedsItself)
        #expect(stub.requests.count == 1)
    }

    @Test func aClosureThatCancelsItselfIsAFailedRefresh() async throws {
        let tokens = BearerTokens("old") { () -> String in throw CancellationError() }
        let transport = server(accepting: "new").wrapped(by: .authentication(tokens))
        let error = await #expect(throws: AuthenticationError.self) {
            try await transport.process(HTTPRequest(url: address))
        }
        #expect(error?.kind == .refreshFailed)
    }

    @Test func aLogoutDropsTheRefreshInProgress() async throws {
        let (refreshes, gate) = (TaskGate(), TaskGate())
        let tokens = BearerTokens("old") {
            _ = await refreshes.arrive()
            await gate.wait()
            return "new"
        }
        let stub = server(accepting: "new")
        let call = Task { try await stub.wrapped(by: .authentication(tokens)).process(HTTPRequest(url: address)) }
        await refreshes.waitForArrivals(1)
        tokens.replace(with: nil)
        await gate.open()
        await #expect(throws: AuthenticationError.self) { try await call.value }
        #expect(stub.requests.count == 1)
    }

    /// Callers come, are refused and are cancelled at random; each has one outcome.
    @Test(arguments: 0..<40) func randomCancelsLoseNoCaller(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let refreshes = TaskGate()
        let tokens = BearerTokens("t0", limit: 1_000) {
            let number = await refreshes.arrive()
            for _ in 0..<20 { await Task.yield() }
            try Task.checkCancellation()
            return "t\(number)"
        }
        let stub = StubTransport { request, _ in
            await Task.yield()
            return HTTPResponse(status: request.headers[.authorization] == "Bearer t0" ? 401 : 200)
        }
        let transport = stub.wrapped(by: .authentication(tokens))
        let calls = (0..<30)
            .map { _ in
                Task {
                    for _ in 0..<10 { await Task.yield() }
                    return try await transport.process(HTTPRequest(url: address))
                }
            }
        var cancelled: Set<Int> = []
        for _ in 0..<15 {
            let number = random.next(below: calls.count)
            cancelled.insert(number)
            calls[number].cancel()
            for _ in 0..<random.next(below: 5) { await Task.yield() }
        }
        for (number, call) in calls.enumerated() {
            switch await call.result {
            case .success(let response): #expect(response.status == 200, "seed \(seed)")
            case .failure(let error):
                #expect(error is CancellationError && cancelled.contains(number), "seed \(seed): \(error)")
            }
        }
        #expect(await refreshes.arrivals == 1, "seed \(seed)")
    }
}

/// Records the tokens that `onChange` receives, and makes one change inside of it.
private final class ChangedTokens: Sendable {
    let tokens = Locked<BearerTokens?>(nil)
    let told = Locked<[BearerToken?]>([])
    let isNested = Locked(false)
    private let isInside = Locked(false)

    func take(_ token: BearerToken?) {
        if isInside.withLock({ $0 }) { isNested.withLock { $0 = true } }
        isInside.withLock { $0 = true }
        defer { isInside.withLock { $0 = false } }
        let count = told.withLock { told in
            told.append(token)
            return told.count
        }
        if count == 10 { tokens.withLock { $0 }?.replace(with: BearerToken("inside")) }
    }
}

private actor TokensBox {
    private var client: Client?

    func set(_ client: Client) { self.client = client }

    func call() async throws -> String {
        _ = try await client?.fetch(Route<Json>.get("refresh"))
        return "new"
    }
}
