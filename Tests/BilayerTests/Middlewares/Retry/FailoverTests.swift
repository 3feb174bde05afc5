import Bilayer
import BilayerTesting
import Foundation
import Testing

private let eu = URL("https://eu.example.com/v1/")
private let us = URL("https://us.example.com/v2")

private struct NameQuery: GraphQLOperation {
    static let document = "query Q { name }"
    struct Data: Codable, RawMappable { let name: String }
}

private struct NameMutation: GraphQLOperation {
    static let document = "mutation M { name }"
    typealias Data = NameQuery.Data
}

@Suite("Failover: another base address", .timeLimit(.minutes(5)))
struct FailoverTests {
    @Test func theNextAddressIsUsedAndRemembered() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/users", .failure(TransportError(.cannotConnect)))
        stub.on(.get, "/v2/users", .json("[]"))
        let context = CallContext()
        let transport = stub.wrapped(by: .failover([eu, us]))
        let request = HTTPRequest(url: URL("https://eu.example.com/v1/users?page=2&q=a%2Fb"))
        for _ in 0..<2 { #expect(try await transport.process(request, in: context).status == 200) }
        #expect(
            stub.requests.map(\.url.absoluteString) == [
                "https://eu.example.com/v1/users?page=2&q=a%2Fb", "https://us.example.com/v2/users?page=2&q=a%2Fb",
                "https://us.example.com/v2/users?page=2&q=a%2Fb",
            ]
        )
        #expect(context.events.map(\.text) == ["address 1 of 2: cannot connect to the host"])
    }

    /// A fragment is never sent (RFC 3986 §3.5), so it is no part of a base address.
    @Test func aFragmentOfABaseAddressChangesNothing() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/users", .failure(TransportError(.cannotConnect)))
        stub.on(.get, "/v2/users", .status(200))
        let bases = [URL("https://eu.example.com/v1#eu"), URL("https://us.example.com/v2#us")]
        let client = Client(baseURL: bases[0], transport: stub.wrapped(by: .failover(bases)))
        _ = try await client.fetch(Route<Void>.get("users"))
        #expect(stub.requests.map { $0.url.host() } == ["eu.example.com", "us.example.com"])
        #expect(stub.requests.map { $0.url.path() } == ["/v1/users", "/v2/users"])
    }

    @Test func theLastOutcomeIsReturned() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/users", .status(500))
        stub.on(.get, "/v2/users", .status(503))
        let transport = stub.wrapped(by: .failover([eu, us]))
        #expect(try await transport.process(HTTPRequest(url: eu.appending(path: "users"))).status == 503)
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: [
        StubTransport.Answer.status(404), .failure(TransportError(.invalidRequest)),
        .failure(TransportError(.notConnected)),
    ]) func anOutcomeOfEveryAddressIsFinal(answer: StubTransport.Answer) async throws {
        let stub = StubTransport(answer)
        _ = try? await stub.wrapped(by: .failover([eu, us])).process(HTTPRequest(url: eu))
        #expect(stub.requests.count == 1)
    }

    /// A query changes nothing, though it is sent by POST; a mutation may have changed something.
    @Test func queriesOfGraphQLGoToTheNextAddress() async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.connectionLost) }
            return HTTPResponse(
                status: 200,
                headers: [.contentType: "application/json"],
                body: Foundation.Data(#"{"data":{"name":"Ada"}}"#.utf8)
            )
        }
        let client = Client(baseURL: eu, transport: stub.wrapped(by: .failover([eu, us])))
        #expect(try await client.fetch(Route.graphQL(NameQuery())).name == "Ada")
        #expect(stub.requests.count == 2)
        await #expect(throws: CallError.self) {
            try await Client(baseURL: eu, transport: stub.wrapped(by: .failover([eu, us])))
                .fetch(Route.graphQL(NameMutation()))
        }
        #expect(stub.requests.count == 3)
    }

    @Test func onlyRepeatableRequestsAreSentTwice() async throws {
        let stub = StubTransport(.status(500))
        let transport = stub.wrapped(by: .failover([eu, us]))
        _ = try await transport.process(HTTPRequest(method: .post, url: eu))
        #expect(stub.requests.count == 1)
        _ = try await transport.process(HTTPRequest(method: .post, url: eu, headers: [.idempotencyKey: "k"]))
        #expect(stub.requests.count == 3)
    }

    /// Nothing was sent, so nothing can be done twice.
    @Test(
        arguments: [TransportError.Kind.cannotConnect, .cannotFindHost, .secureConnectionFailed],
        [nil, 3] as [Int?]
    )
    func aPostWithoutAConnectionGoesToTheNextAddress(kind: TransportError.Kind, attempts: Int?) async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() != "last.example" { throw TransportError(kind) }
            return HTTPResponse(status: 200)
        }
        let failover = stub.wrapped(by: .failover([eu, us, URL("https://last.example")]))
        let transport = attempts.map { failover.wrapped(by: Self.retryingPosts($0)).erased() } ?? failover.erased()
        let context = CallContext()
        #expect(try await transport.process(HTTPRequest(method: .post, url: eu), in: context).status == 200)
        #expect(stub.requests.map { $0.url.host() } == ["eu.example.com", "us.example.com", "last.example"])
        #expect(context.events.map(\.text) == ["address 1 of 3: \(kind)", "address 2 of 3: \(kind)"])
        // The address that works is used first from now on.
        #expect(try await transport.process(HTTPRequest(method: .post, url: eu)).status == 200)
        #expect(stub.requests.count == 4)
    }

    /// The address that was tried last has refused the connection. The next one has an open circuit.
    @Test func theErrorOfTheLastConnectionIsThrownAndNotThatOfACircuit() async throws {
        let stub = StubTransport(.failure(TransportError(.cannotConnect)))
        let guarded = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        _ = try? await guarded.process(HTTPRequest(url: us))
        let error = await #expect(throws: TransportError.self) {
            try await guarded.wrapped(by: .failover([eu, us])).process(HTTPRequest(method: .post, url: eu))
        }
        #expect(error?.kind == .cannotConnect)
    }

    /// The server of the first address may have carried out the `POST`: before a redirect, before a lost response, or
    /// in an attempt of a retry inside.
    @Test(arguments: ["redirect", "loss", "response", "attempt", "body"])
    func aPostThatMayHaveArrivedStaysAtItsAddress(reason: String) async throws {
        let arrivals = TaskGate()
        let stub = StubTransport { request, context in
            if request.url.host() == "us.example.com" { return HTTPResponse(status: 200) }
            let isFirst = await arrivals.arrive() == 1
            switch reason {
            case "redirect": context.recordSent(HTTPRequest(url: eu.appending(path: "receipt")))
            case "loss": throw TransportError(.connectionLost)
            case "response": throw TransportError(.cannotConnect, response: HTTPResponse(status: 503))
            case "attempt" where isFirst: return HTTPResponse(status: 503)
            default: break
            }
            throw TransportError(.cannotConnect)
        }
        // The bytes of this body may be gone.
        let once = HTTPBody.stream(length: 1) { AsyncStream<Data> { $0.finish() } }
        let request = HTTPRequest(method: .post, url: eu, body: reason == "body" ? once : nil)
        let retry = Self.retryingPosts(reason == "attempt" ? 2 : 1)
        let transport = stub.wrapped(by: retry).wrapped(by: .failover([eu, us]))
        await #expect(throws: TransportError.self) { try await transport.process(request) }
        #expect(stub.requests.allSatisfy { $0.url.host() == "eu.example.com" })
    }

    /// The breaker is inside, so each address has its own circuit. A refused request was not sent, so even a `POST`
    /// goes to the next address.
    @Test(arguments: [HTTPMethod.get, .post])
    func anAddressWithAnOpenCircuitIsLeft(method: HTTPMethod) async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            return HTTPResponse(status: 200)
        }
        let guarded = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        _ = try? await guarded.process(HTTPRequest(url: eu))
        let context = CallContext()
        let transport = guarded.wrapped(by: .failover([eu, us]))
        #expect(try await transport.process(HTTPRequest(method: method, url: eu), in: context).status == 200)
        #expect(context.events.map(\.text) == ["address 1 of 2: its circuit is open"])
        // Without another address the refusal is the error.
        await #expect(throws: CircuitOpenError.self) {
            try await guarded.wrapped(by: .failover([eu])).process(HTTPRequest(method: method, url: eu))
        }
    }

    /// The first attempt was sent, and has opened the circuit. The idempotency key is made inside, so the request to
    /// the next address would have another key.
    @Test(arguments: [HTTPMethod.put, .post])
    func aRequestThatWasSentBeforeTheCircuitOpenedIsNotSentElsewhere(method: HTTPMethod) async throws {
        let stub = StubTransport { request, _ in
            HTTPResponse(status: request.url.host() == "eu.example.com" ? 503 : 200)
        }
        var policy = RetryPolicy.exponential(attempts: 3, firstWait: .zero)
        policy.makeIdempotencyKey = { UUID().uuidString }
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
            .wrapped(by: .retry(policy))
            .wrapped(by: .failover([eu, us]))
        let request = HTTPRequest(method: method, url: eu)
        if method == .put {
            #expect(try await transport.process(request).status == 200)
            #expect(stub.requests.map { $0.url.host() } == ["eu.example.com", "us.example.com"])
        } else {
            // A failover around another one changes nothing: the outcome is that of the attempt that was sent.
            let nested = transport.wrapped(by: .failover([eu, us]))
            #expect(try await nested.process(request).status == 503)
            #expect(stub.requests.map { $0.url.host() } == ["eu.example.com"])
        }
    }

    private static func retryingPosts(_ attempts: Int) -> Retry {
        var policy = RetryPolicy.exponential(attempts: attempts, firstWait: .zero)
        policy.methods.insert(.post)
        return .retry(policy)
    }

    /// The first attempt was sent, and has opened the circuit.
    @Test func aFurtherAttemptOfAPostStaysAtItsAddress() async throws {
        let stub = StubTransport { request, _ in
            HTTPResponse(status: request.url.host() == "eu.example.com" ? 503 : 200)
        }
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
            .wrapped(by: .failover([eu, us]))
            .wrapped(by: Self.retryingPosts(3))
        #expect(try await transport.process(HTTPRequest(method: .post, url: eu)).status == 503)
        #expect(stub.requests.map { $0.url.host() } == ["eu.example.com"])
    }

    /// Another call finds meanwhile that the next address works.
    @Test func aFurtherAttemptOfAPostDoesNotFollowOtherCalls() async throws {
        let failover = Failover([eu, us])
        let other = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            return HTTPResponse(status: 200)
        }
        let stub = StubTransport { _, _ in
            _ = try await other.wrapped(by: failover).process(HTTPRequest(url: eu))
            return HTTPResponse(status: 503)
        }
        let transport = stub.wrapped(by: failover).wrapped(by: Self.retryingPosts(2))
        #expect(try await transport.process(HTTPRequest(method: .post, url: eu)).status == 503)
        #expect(stub.requests.map { $0.url.host() } == ["eu.example.com", "eu.example.com"])
    }

    /// The redirect has led to an address that begins with no base address.
    @Test func aFurtherAttemptOfAPostThatWasRedirectedStaysAtItsAddress() async throws {
        let failover = Failover([eu, us])
        let other = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            return HTTPResponse(status: 200)
        }
        let stub = StubTransport { _, context in
            _ = try await other.wrapped(by: failover).process(HTTPRequest(url: eu))
            context.recordSent(HTTPRequest(url: URL("https://eu.example.com/receipt")))
            return HTTPResponse(status: 503)
        }
        let transport = stub.wrapped(by: failover).wrapped(by: Self.retryingPosts(2))
        #expect(try await transport.process(HTTPRequest(method: .post, url: eu)).status == 503)
        #expect(stub.requests.map { $0.url.host() } == ["eu.example.com", "eu.example.com"])
    }

    @Test func aFurtherAttemptOfAPostThatWasNotSentGoesOn() async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            return HTTPResponse(status: 200)
        }
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
            .wrapped(by: .failover([eu, us]))
            .wrapped(by: Self.retryingPosts(2))
        #expect(try await transport.process(HTTPRequest(method: .post, url: eu)).status == 200)
        #expect(stub.requests.map { $0.url.host() } == ["eu.example.com", "us.example.com"])
    }

    @Test(arguments: [
        "https://other.example/v1/users", "https://eu.example.com/v12/users", "http://eu.example.com/v1/",
    ])
    func otherAddressesStay(address: String) async throws {
        let stub = StubTransport(.status(500))
        let request = HTTPRequest(url: try #require(URL(string: address)))
        _ = try await stub.wrapped(by: .failover([eu, us])).process(request)
        #expect(stub.requests.map(\.url) == [request.url])
    }

    @Test(arguments: [
        "https://EU.example.com/v1/users", "HTTPS://eu.example.com/v1/users", "https://eu.example.com:443/v1/users",
    ])
    func spellingsOfTheSameAddressAreMoved(address: String) async throws {
        let stub = StubTransport(.status(500))
        for (asked, base) in [(address, "https://eu.example.com/v1"), ("https://eu.example.com/v1/users", address)] {
            let base = try #require(URL(string: base.replacingOccurrences(of: "/users", with: "")))
            let transport = stub.wrapped(by: .failover([base, us]))
            _ = try await transport.process(HTTPRequest(url: try #require(URL(string: asked))))
            #expect(stub.requests.last?.url == URL("https://us.example.com/v2/users"), "\(asked)")
        }
    }

    @Test func theUserOfAnAddressIsAPartOfIt() async throws {
        let stub = StubTransport(.status(500))
        _ = try await stub.wrapped(by: .failover([eu, us]))
            .process(HTTPRequest(url: URL("https://ada@eu.example.com/v1/users")))
        #expect(stub.requests.count == 1)
    }

    // MARK: A cache around the failover

    /// The next address is no redirect: its error status is the outcome of the change.
    @Test func aRefusedChangeAtTheNextAddressInvalidatesNothing() async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            guard request.method == .get else { return HTTPResponse(status: 422) }
            return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"])
        }
        let transport = stub.wrapped(by: .failover([eu, us]))
            .wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        let request = HTTPRequest(url: eu.appending(path: "users"))
        _ = try await transport.process(request)
        #expect(try await transport.process(HTTPRequest(method: .put, url: request.url)).status == 422)
        #expect(try await transport.process(request).cacheStatus == .hit)
    }

    /// The cache's key is the address that was asked for (RFC 9111 §4), whichever server has answered.
    @Test func aCacheAroundItStoresWhatTheNextAddressAnswers() async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            if request.headers[.ifNoneMatch] == "\"1\"" { return HTTPResponse(status: 304, url: request.url) }
            let headers: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]
            return HTTPResponse(status: 200, headers: headers, body: Data("[]".utf8))
        }
        let transport = stub.wrapped(by: .failover([eu, us]))
            .wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        let request = HTTPRequest(url: eu.appending(path: "users"))
        let first = try await transport.process(request)
        #expect(first.cacheStatus == .miss)
        #expect(first.url?.host() == "us.example.com", "the address that has answered")
        #expect(try await transport.process(request).cacheStatus == .hit)
        var options = CallOptions()
        options[CachePolicy.self] = .revalidate
        let validating = CallContext(options: options)
        #expect(try await transport.process(request, in: validating).cacheStatus == .revalidated)
        // A request to the other address has another key.
        #expect(try await transport.process(HTTPRequest(url: us.appending(path: "users"))).cacheStatus == .miss)
    }

    /// The server of the next address redirects. The response of the target says nothing of the address that was asked
    /// for.
    @Test func aCacheAroundItStoresNothingOfARedirect() async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            let headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
            return HTTPResponse(status: 200, headers: headers, url: us.appending(path: "moved"))
        }
        let transport = stub.wrapped(by: .failover([eu, us]))
            .wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        for _ in 0..<2 {
            #expect(try await transport.process(HTTPRequest(url: eu.appending(path: "users"))).cacheStatus == .miss)
        }
    }

    @Test func aCacheAroundItInvalidatesWhatIsChangedAtTheNextAddress() async throws {
        let stub = StubTransport { request, _ in
            if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
            guard request.method == .get else { return HTTPResponse(status: 204) }
            return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"])
        }
        let transport = stub.wrapped(by: .failover([eu, us]))
            .wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        let request = HTTPRequest(url: eu.appending(path: "users"))
        _ = try await transport.process(request)
        _ = try await transport.process(HTTPRequest(method: .put, url: request.url))
        #expect(try await transport.process(request).cacheStatus == .miss)
    }

    /// A cache around two addresses. A closure answers the changes that the second address receives.
    private struct Scene {
        let transport: AnyNode<HTTPRequest, HTTPResponse>
        let users = HTTPRequest(url: eu.appending(path: "users"))

        init(changing: @escaping @Sendable (CallContext) -> HTTPResponse) {
            let stub = StubTransport { request, context in
                if request.url.host() == "eu.example.com" { throw TransportError(.cannotConnect) }
                guard request.method == .get else { return changing(context) }
                return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"])
            }
            transport = stub.wrapped(by: .failover([eu, us]))
                .wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20)))).erased()
        }

        func statusAfterAChange() async throws -> CacheStatus? {
            _ = try await transport.process(users)
            _ = try await transport.process(HTTPRequest(method: .put, url: eu.appending(path: "import")))
            return try await transport.process(users).cacheStatus
        }
    }

    /// A `Location` of one address invalidates the same resource at all addresses.
    @Test(arguments: [
        "https://us.example.com/v2/users", "/v2/users", "users", "https://eu.example.com/v1/users",
    ])
    func aCacheAroundItInvalidatesWhatTheNextAddressNames(location: String) async throws {
        let scene = Scene { _ in HTTPResponse(status: 201, headers: [.location: location]) }
        #expect(try await scene.statusAfterAChange() == .miss)
    }

    @Test(arguments: [204, 404] as [HTTPStatus])
    func aCacheAroundItInvalidatesWhereTheNextAddressRedirectsTo(status: HTTPStatus) async throws {
        let target = us.appending(path: "users")
        let scene = Scene { context in
            context.recordSent(HTTPRequest(method: .put, url: target))
            return HTTPResponse(status: status, url: target)
        }
        #expect(try await scene.statusAfterAChange() == .miss)
    }

    // MARK: A cache inside of the failover

    /// The stored response is used only after the last address has failed.
    @Test(
        arguments: [
            (.json("[2]"), "[2]"), (.status(503), "[1]"), (.failure(TransportError(.cannotConnect)), "[1]"),
        ] as [(StubTransport.Answer, String)]
    )
    func aStoredResponseInsteadOfAFailureIsNoSuccess(next: StubTransport.Answer, body: String) async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/users", .json("[1]"), .failure(TransportError(.cannotConnect)))
        stub.on(.get, "/v2/users", next)
        let transport = stub.wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: .failover([eu, us]))
        let request = HTTPRequest(url: eu.appending(path: "users"))
        _ = try await transport.process(request)
        var options = CallOptions()
        options[CachePolicy.self] = .networkElseCache
        let response = try await transport.process(request, in: CallContext(options: options))
        #expect(response.body == Data(body.utf8))
        #expect(stub.requests.count == 3)
    }

    @Test func theCachesOwn504IsNotSentOn() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/users", .failure(TransportError(.cannotConnect)), .json("[1]"))
        stub.on(.get, "/v2/users", .status(503))
        let transport = stub.wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
            .wrapped(by: .failover([eu, us]))
        let url = eu.appending(path: "users")
        let context = CallContext()
        let stored = HTTPRequest(url: url, headers: ["Cache-Control": "only-if-cached"])
        #expect(try await transport.process(stored, in: context).status == 504)
        #expect(context.events.map(\.text) == ["cache: miss; only-if-cached"])
        // The 504 is no success of an address either: the next call still begins with the first address.
        #expect(try await transport.process(HTTPRequest(url: url)).status == 503)
        _ = try await transport.process(stored)
        #expect(try await transport.process(HTTPRequest(url: url)).body == Data("[1]".utf8))
    }

    @Test func overSocketsADeadServerIsLeft() async throws {
        // Nobody listens at port 1. The port of a server that was stopped may be that of the next one.
        let dead = URL("http://127.0.0.1:1")
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("[]"))
        let transport = URLSessionTransport().wrapped(by: .failover([dead, server.url]))
        let client = Client(baseURL: dead, transport: transport)
        #expect(try await client.fetch(Route<Json>.get("users")).array?.isEmpty == true)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func overSocketsAPostThatIsNotConnectedGoesOn(choice: BuiltInTransport) async throws {
        let dead = URL("http://127.0.0.1:1")
        let server = try await FaultServer.start()
        server.on(.post, "/orders", .json("[]"))
        let transport = try choice.transport().wrapped(by: .failover([dead, server.url]))
        let client = Client(baseURL: dead, transport: transport)
        #expect(try await client.fetch(Route<Json>.post("orders", body: .text("x"))).array?.isEmpty == true)
    }
}
