import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private let base = URL("https://api.example.com/v1")

private struct ProblemCode: Codable, RawMappable, Sendable {
    let code: String
}

@Suite("Authentication: tokens, passwords and signatures", .timeLimit(.minutes(5)))
struct AuthenticationTests {
    @Test func aRefusalOfAnotherOriginSaysNothingOfTheToken() async throws {
        let elsewhere = URL("https://elsewhere.example/x")
        let stub = StubTransport { _, _ in HTTPResponse(status: 401, url: elsewhere) }
        let tokens = BearerTokens("old") {
            Issue.record("the token was refreshed")
            return "new"
        }
        let transport = stub.wrapped(by: .authentication(tokens))
        let response = try await transport.process(HTTPRequest(url: URL("https://api.example.com/x")))
        #expect(response.status == 401)
        #expect(stub.requests.count == 1)
    }

    /// A failover sends the token to the next address, too, so a 401 from there is a refusal of the token.
    @Test func aRefusalOfTheNextAddressRenewsTheToken() async throws {
        let (eu, us) = (URL("https://eu.example.com/v1"), URL("https://us.example.com/v1"))
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.connectionLost) }
            let isNew = request.headers[.authorization] == "Bearer new"
            return HTTPResponse(status: isNew ? 200 : 401, url: request.url)
        }
        let transport = stub.wrapped(by: .failover([eu, us])).wrapped(by: .authentication(Self.tokens()))
        #expect(try await transport.process(HTTPRequest(url: eu)).status == 200)
        #expect(stub.requests.map { $0.url.host() } == ["eu.example.com", "us.example.com", "us.example.com"])
    }

    /// How a node inside sends the token.
    enum TokenScheme: String, CaseIterable {
        /// RFC 9449.
        case dpop
        /// The token is in a header field of a gateway.
        case moved

        var signing: Signing {
            Signing { [self] request in
                var request = request
                let token = request.headers[.authorization].map { String($0.dropFirst("Bearer ".count)) }
                request.headers[.authorization] = self == .dpop ? "DPoP \(token ?? "")" : nil
                request.headers["X-Access-Token"] = token
                return request
            }
        }
    }

    /// The refusal comes from the address of the request, or from the next address of a failover.
    @Test(arguments: TokenScheme.allCases, [true, false])
    func aRefusalOfATokenThatWasSentInAnotherWayRenewsIt(scheme: TokenScheme, isMoved: Bool) async throws {
        let (eu, us) = (URL("https://eu.example.com/v1"), URL("https://us.example.com/v1"))
        let stub = StubTransport { request, _ in
            if isMoved, request.url.host() == "eu.example.com" { throw TransportError(.connectionLost) }
            return HTTPResponse(status: request.headers["X-Access-Token"] == "new" ? 200 : 401, url: request.url)
        }
        let transport = stub.wrapped(by: scheme.signing).wrapped(by: .failover([eu, us]))
            .wrapped(by: .authentication(Self.tokens()))
        #expect(try await transport.process(HTTPRequest(url: eu)).status == 200)
        #expect(stub.requests.count == (isMoved ? 3 : 2))
    }

    /// The transport has removed the token at the redirect. A further redirect may lead back to the first origin.
    @Test(arguments: TokenScheme.allCases, [true, false])
    func aRefusalAfterARedirectSaysNothingOfATokenThatWasSentInAnotherWay(
        scheme: TokenScheme,
        isBack: Bool
    ) async throws {
        let last = isBack ? base : URL("https://elsewhere.example/x")
        let stub = StubTransport { _, context in
            context.recordSent(HTTPRequest(url: URL("https://elsewhere.example/x")))
            if isBack { context.recordSent(HTTPRequest(url: last)) }
            return HTTPResponse(status: 401, url: last)
        }
        let tokens = BearerTokens("old") {
            Issue.record("the token was refreshed")
            return "new"
        }
        let transport = stub.wrapped(by: scheme.signing).wrapped(by: .authentication(tokens))
        #expect(try await transport.process(HTTPRequest(url: base)).status == 401)
        #expect(stub.requests.count == 1)
    }

    /// RFC 9110 §15.4.4: the `POST` was carried out, and the request to its result is refused.
    @Test(arguments: BuiltInTransport.allCases, [302, 303] as [HTTPStatus])
    func aPostWhoseRedirectIsRefusedIsSentOnce(over choice: BuiltInTransport, status: HTTPStatus) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/payments", .redirect(to: "/receipt", status: status))
        server.on(.get, "/receipt") { $0.headers[.authorization] == "Bearer new" ? .json("{}") : .status(401) }
        let transport = try choice.transport().wrapped(by: .authentication(Self.tokens()))
        let client = Client(baseURL: server.url, transport: transport)
        let route = Route<Json>.post("payments", body: .text("10 EUR"))
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.status == 401)
        let upload = await #expect(throws: CallError.self) { try await client.upload(route).answer() }
        #expect(upload?.status == 401)
        #expect(server.requests.map(\.method) == [.post, .get, .post, .get])
        server.forgetRequests()
        #expect(try await client.fetch(route.with(headers: [.idempotencyKey: "k"])) == [:])
        #expect(server.requests.map(\.method) == [.post, .get, .post, .get])
    }

    private static func tokens() -> BearerTokens { BearerTokens("old") { "new" } }

    @Test func theTokenIsSentToTheClientsOriginOnly() async throws {
        let stub = StubTransport(.json("[]"))
        let middlewares: [AnyNode<HTTPRequest, HTTPResponse>] = [
            stub.wrapped(by: .authentication(Self.tokens())).erased(),
            stub.wrapped(by: .basicAuthentication(user: "ada", password: "x")).erased(),
        ]
        for middleware in middlewares {
            var client = Client(baseURL: base, transport: middleware)
            for (address, isOwn) in [
                ("https://api.example.com/other", true), ("https://API.example.com:443/other", true),
                ("http://api.example.com/other", false), ("https://api.example.com:444/other", false),
                ("https://evil.example/other", false), ("https://api.example.com.evil.example/", false),
            ] {
                client.request = NodeList()
                client.request.append { request, _ in
                    var request = request
                    request.url = URL(string: address) ?? base
                    return request
                }
                _ = try await client.fetch(Route<Json>.get("users"))
                #expect((stub.requests.last?.headers[.authorization] != nil) == isOwn, "\(address)")
            }
        }
    }

    @Test func anOwnFieldIsKept() async throws {
        let stub = StubTransport(.status(401))
        let transport = stub.wrapped(by: .authentication(Self.tokens()))
            .wrapped(by: .basicAuthentication(user: "ada", password: "x"))
        let request = HTTPRequest(url: base, headers: [.authorization: "Own x"])
        #expect(try await transport.process(request).status == 401)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Own x"])
    }

    @Test func aSecondRefusalIsTheAnswer() async throws {
        let stub = StubTransport(.status(401))
        let response = try await stub.wrapped(by: .authentication(Self.tokens())).process(HTTPRequest(url: base))
        #expect(response.status == 401)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    @Test func anOlderTokensRefusalNeedsNoRefresh() async throws {
        let refreshes = Locked(0)
        let tokens = BearerTokens("old") {
            refreshes.withLock { $0 += 1 }
            return "newer"
        }
        let old = tokens.state.withLock { $0.issued }
        let stub = StubTransport { request, _ in
            guard request.headers[.authorization] == "Bearer old" else { return HTTPResponse(status: 200) }
            // Another call was refused before.
            _ = try await tokens.token(after: old, for: old.userNumber, in: CallContext())
            return HTTPResponse(status: 401)
        }
        let context = CallContext()
        let transport = stub.wrapped(by: .authentication(tokens))
        #expect(try await transport.process(HTTPRequest(url: base), in: context).status == 200)
        #expect(context.events.map(\.text).contains("there is a newer token"))
        #expect(refreshes.withLock { $0 } == 1)
    }

    /// A call refreshes once more if a newer token is refused, too. Here another call makes this last refresh.
    @Test func theTokenOfAnotherCallsRefreshIsTheLastOne() async throws {
        let refreshes = Locked(0)
        let tokens = BearerTokens("token 0") {
            refreshes.withLock {
                $0 += 1
                return "token \($0)"
            }
        }
        let stub = StubTransport { request, _ in
            // Another call is refused before, and renews each token.
            let issued = tokens.state.withLock { $0.issued }
            if refreshes.withLock({ $0 }) < 2 {
                _ = try await tokens.token(after: issued, for: issued.userNumber, in: CallContext())
            }
            return HTTPResponse(status: 401)
        }
        let transport = stub.wrapped(by: .authentication(tokens))
        #expect(try await transport.process(HTTPRequest(url: base)).status == 401)
        let sent = stub.requests.map { $0.headers[.authorization] }
        #expect(sent == ["Bearer token 0", "Bearer token 1", "Bearer token 2"])
        #expect(refreshes.withLock { $0 } == 2)
    }

    @Test func aPublicRouteNeedsNoToken() async throws {
        let tokens = BearerTokens { () -> String in
            Issue.record("the token was refreshed")
            return "new"
        }
        let stub = StubTransport(.json("[]"))
        let status = Route<Json>.get("status").with(option: Authentication.none)
        let bearer = Client(baseURL: base, transport: stub.wrapped(by: .authentication(tokens)))
        _ = try await bearer.fetch(status)
        let basic = Client(baseURL: base, transport: stub.wrapped(by: .basicAuthentication(user: "ada", password: "x")))
        _ = try await basic.fetch(status)
        _ = try await basic.fetch(Route<Json>.get("status"))
        #expect(stub.requests.map { $0.headers[.authorization] != nil } == [false, false, true])
    }

    @Test func aRefusalOfAPublicRouteIsItsAnswer() async throws {
        let stub = StubTransport(.status(401))
        var options = CallOptions()
        options[CredentialPolicy.self] = .omitted
        let response = try await stub.wrapped(by: .authentication(Self.tokens()))
            .process(HTTPRequest(url: base), in: CallContext(options: options))
        #expect(response.status == 401)
        #expect(stub.requests.count == 1)
    }

    @Test func theTriggerReadsTheServersDescription() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1", .json(#"{"code":"expired"}"#, status: 403), .json("[]"))
        stub.on(.get, "/v1/other", .json(#"{"code":"forbidden"}"#, status: 403))
        stub.on(.get, "/v1/broken", .text("<html>", status: 403))
        let transport = stub.wrapped(
            by: Authentication(Self.tokens()) { refusal in
                guard refusal.status == 403 else { return false }
                return await refusal.failure(as: ProblemCode.self)?.code == "expired"
            }
        )
        #expect(try await transport.process(HTTPRequest(url: base)).status == 200)
        #expect(try await transport.process(HTTPRequest(url: base.appending(path: "other"))).status == 403)
        #expect(try await transport.process(HTTPRequest(url: base.appending(path: "broken"))).status == 403)
        #expect(stub.requests.count == 4)
    }

    @Test func aPasswordIsSentInUTF8() async throws {
        let stub = StubTransport(.json("[]"))
        // RFC 7617 §2.1.
        _ = try await stub.wrapped(by: .basicAuthentication(user: "test", password: "123£"))
            .process(HTTPRequest(url: base))
        #expect(stub.requests.last?.headers[.authorization] == "Basic dGVzdDoxMjPCow==")
    }

    @Test(arguments: ["a:b", "a\u{0}", "a\n"]) func aUserNameThatCannotBeSentIsAnError(user: String) async throws {
        let stub = StubTransport(.json("[]"))
        let error = await #expect(throws: AuthenticationError.self) {
            try await stub.wrapped(by: .basicAuthentication(user: user, password: "x")).process(HTTPRequest(url: base))
        }
        #expect(error?.kind == .invalidUserName)
        #expect(error?.description.contains("in the user name") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test func aPasswordThatCannotBeSentIsNamed() async throws {
        let stub = StubTransport(.json("[]"))
        let error = await #expect(throws: AuthenticationError.self) {
            try await stub.wrapped(by: .basicAuthentication(user: "ada", password: "a\n"))
                .process(HTTPRequest(url: base))
        }
        let text = "the user name or the password cannot be sent: found a control character in the password"
        #expect(error?.description.hasPrefix(text) == true)
        #expect(stub.requests.isEmpty)
    }

    @Test func everyAttemptIsSignedWithAllChanges() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1", .status(503), .status(401), .json("[]"))
        let clock = TestClock()
        let transport =
            stub
            .wrapped(
                by: Signing { request in
                    var request = request
                    request.headers["X-Signature"] = "signed \(request.headers[.authorization] ?? "nothing")"
                    return request
                }
            )
            .wrapped(by: .authentication(Self.tokens()))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
        _ = try await transport.process(HTTPRequest(url: base), in: CallContext(clock: clock))
        #expect(
            stub.requests.map { $0.headers["X-Signature"] }
                == ["signed Bearer old", "signed Bearer old", "signed Bearer new"]
        )
    }

    /// A client for a thousand calls at once. On a slow machine some of them wait for minutes.
    private static func patientClient(
        of server: FaultServer,
        over transport: some Node<HTTPRequest, HTTPResponse> = DefaultTransport()
    ) -> Client {
        var client = Client(baseURL: server.url, transport: transport)
        client.timeout = .seconds(3_600)
        return client
    }

    @Test(arguments: BuiltInTransport.allCases)
    func overSocketsAThousandCallersHaveOneRefreshByItsOwnClient(choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/session", .text("new"))
        server.on(.get, "/users") { request in
            request.headers[.authorization] == "Bearer new" ? .json("[]") : .json(#"{"title":"expired"}"#, status: 401)
        }
        let plain = Self.patientClient(of: server)
        let tokens = BearerTokens { try await plain.fetch(Route<String>.post("session")) }
        let client = Self.patientClient(
            of: server,
            over: try choice.transport().wrapped(by: .authentication(tokens))
        )
        try await withThrowingTaskGroup { group in
            for _ in 0..<1_000 { group.addTask { _ = try await client.fetch(Route<Json>.get("users")) } }
            try await group.waitForAll()
        }
        #expect(server.requests.filter { $0.method == .post }.count == 1)
    }

    /// The server holds the refresh until a thousand callers wait for it. Then the refresh succeeds, or fails.
    @Test(arguments: BuiltInTransport.allCases, [200, 500] as [HTTPStatus])
    func overSocketsTheRefreshSurvivesItsFirstCaller(choice: BuiltInTransport, status: HTTPStatus) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/session", .held(then: .text("new", status: status)))
        server.on(.get, "/users") { request in
            request.headers[.authorization] == "Bearer new" ? .json("[]") : .json("{}", status: 401)
        }
        let plain = Self.patientClient(of: server, over: try choice.transport())
        let tokens = BearerTokens("old") { try await plain.fetch(Route<String>.post("session")) }
        let client = Self.patientClient(
            of: server,
            over: try choice.transport().wrapped(by: .authentication(tokens))
        )
        let first = Task { try await client.fetch(Route<Json>.get("users")) }
        while tokens.waiting < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let others = (0..<999).map { _ in Task { try await client.fetch(Route<Json>.get("users")) } }
        while tokens.waiting < 1_000 { try await Task.sleep(for: .milliseconds(1)) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        server.release()
        var succeeded = 0
        for call in others where (try? await call.value) != nil { succeeded += 1 }
        #expect(succeeded == (status == 200 ? 999 : 0))
        #expect(server.requests.filter { $0.method == .post }.count == 1)
    }
}
