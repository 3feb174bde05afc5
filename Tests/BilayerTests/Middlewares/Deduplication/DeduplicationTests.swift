import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

private let address = URL("https://api.example.com/users")

private enum Mode: CallOption { case one, other }
private struct Opaque: CallOption { let text: String }

@Suite("Deduplication: one request for equal calls in flight", .timeLimit(.minutes(5)))
struct DeduplicationTests {
    /// Starts equal calls to a server that holds its answer, waits until all wait for it, and returns them.
    private static func thousand(
        _ server: FaultServer,
        over choice: BuiltInTransport,
        _ count: Int = 1_000
    ) async throws -> [Task<Json, any Error>] {
        server.on(.get, "/users", .held(then: .json("[1]")))
        let deduplication = Deduplication()
        var client = Client(baseURL: server.url, transport: try choice.transport().wrapped(by: deduplication))
        // The answer is held until all calls have begun, which takes minutes on a slow machine.
        client.timeout = .seconds(3_600)
        let calls = (0..<count).map { [client] _ in Task { try await client.fetch(Route<Json>.get("users")) } }
        while deduplication.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
        try await server.waitForRequests(count: 1)
        return calls
    }

    @Test(arguments: BuiltInTransport.allCases)
    func aThousandEqualCallsSendOneRequest(choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        let calls = try await Self.thousand(server, over: choice)
        server.release()
        for call in calls { #expect(try await call.value.array?.count == 1) }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func halfOfThemMayLeave(choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        let calls = try await Self.thousand(server, over: choice)
        // Among them is the first call, which sent the request.
        for call in calls.prefix(500) { call.cancel() }
        for call in calls.prefix(500) { await #expect(throws: CancellationError.self) { try await call.value } }
        server.release()
        for call in calls.dropFirst(500) { #expect(try await call.value.array?.count == 1) }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: BuiltInTransport.allCases)
    func whenAllHaveLeftTheRequestIsAborted(choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        let calls = try await Self.thousand(server, over: choice)
        for call in calls { call.cancel() }
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        #expect(server.requests.count == 1)
        // A held connection and its thread end when the client closes the connection. The remaining thread accepts
        // clients.
        try await server.engine.state.wait { $0.threads == 1 ? () : nil }
    }

    @Test func allGetTheSameError() async throws {
        let gate = Started()
        let stub = StubTransport { _, _ in
            await gate.wait(for: 1)
            throw TransportError(.connectionLost, detail: "one")
        }
        let deduplication = Deduplication()
        let transport = stub.wrapped(by: deduplication)
        let calls = (0..<50).map { _ in Task { try await transport.process(HTTPRequest(url: address)) } }
        while deduplication.waiting < 50 { await Task.yield() }
        await gate.count()
        for call in calls {
            let error = await #expect(throws: TransportError.self) { try await call.value }
            #expect(error?.kind == .connectionLost)
        }
        #expect(stub.requests.count == 1)
    }

    @Test func aCallAfterTheResponseSendsARequest() async throws {
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .deduplication)
        for _ in 0..<3 { _ = try await transport.process(HTTPRequest(url: address)) }
        #expect(stub.requests.count == 3)
    }

    @Test(arguments: [
        HTTPRequest(url: URL("https://api.example.com/users?page=2")),
        HTTPRequest(url: address, headers: [.authorization: "Bearer b"]),
        HTTPRequest(url: address, headers: [.accept: "text/html"]),
        HTTPRequest(method: .head, url: address), HTTPRequest(url: address, body: Data("x".utf8)),
        HTTPRequest(url: address, timeout: .seconds(1)),
    ]) func otherRequestsAreNotEqual(other: HTTPRequest) async throws {
        #expect(try await Self.requests(HTTPRequest(url: address), other) == 2)
    }

    /// Whether a call joins an older one after a request in between has ended.
    private static func joins(
        after method: HTTPMethod,
        of url: URL = address,
        _ deduplication: Deduplication = Deduplication(),
        options: CallOptions = CallOptions()
    ) async throws -> Bool {
        let gate = Started()
        let stub = StubTransport { request, _ in
            if request.method == .get, request.url == address { await gate.wait(for: 1) }
            return HTTPResponse(status: 500)
        }
        let transport = stub.wrapped(by: deduplication)
        let first = Task { try await transport.process(HTTPRequest(url: address)) }
        try await stub.waitForRequests(count: 1)
        _ = try await transport.process(HTTPRequest(method: method, url: url), in: CallContext(options: options))
        let second = Task { try await transport.process(HTTPRequest(url: address)) }
        while deduplication.waiting < 2, stub.requests.count < 3 { await Task.yield() }
        await gate.count()
        for call in [first, second] { _ = try await call.value }
        return stub.requests.count == 2
    }

    /// A change that fails counts, too: the server may have made it.
    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, "PURGE"])
    func aCallAfterAChangeJoinsNoOlderRequest(method: HTTPMethod) async throws {
        #expect(try await !Self.joins(after: method))
        #expect(try await !Self.joins(after: method, of: URL("https://API.example.com:443/other")))
    }

    /// A process may send requests to any number of hosts, so only the changes of the last hosts are kept.
    @Test func changesOfOldHostsAreForgotten() {
        var changes = ChangesOfHosts()
        changes.add(at: "a")
        let before = changes.last(at: "a")
        for number in 0..<ChangesOfHosts.limit { changes.add(at: "h\(number)") }
        #expect(changes.byHost.count <= ChangesOfHosts.limit)
        // A call to a host that was forgotten joins no older request.
        let after = changes.last(at: "a")
        #expect(after > before)
        changes.add(at: "h7")
        #expect(changes.last(at: "a") == after)
        changes.add(at: "a")
        #expect(changes.last(at: "a") > after)
    }

    @Test func mutationsAreSentEachAlsoIfTheirMethodIsShared() async throws {
        let gate = TaskGate()
        let stub = StubTransport { _, _ in
            if await gate.arrive() < 2 { await gate.wait() } else { await gate.open() }
            return HTTPResponse(status: 200, body: Data(#"{"data":{"rename":{"id":"7","name":"Alps"}}}"#.utf8))
        }
        let transport = stub.wrapped(by: Deduplication(methods: [.get, .head, .post]))
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        let rename = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")))
        let calls = (0..<2).map { _ in Task { try? await client.fetch(rename) } }
        for call in calls { _ = await call.value }
        #expect(stub.requests.count == 2)
    }

    @Test func aWebSocketIsOfOneCaller() async throws {
        let gate = TaskGate()
        let stub = StubTransport { _, _ in
            if await gate.arrive() < 2 { await gate.wait() } else { await gate.open() }
            return HTTPResponse(status: 101)
        }
        let transport = stub.wrapped(by: .deduplication)
        var request = HTTPRequest(url: address)
        request.opensWebSocket = true
        let calls = (0..<2).map { [request] _ in Task { try await transport.process(request) } }
        for call in calls { #expect(try await call.value.status == 101) }
        #expect(stub.requests.count == 2)
    }

    /// The refresh's call would join the request that waits for the refresh.
    @Test func aRefreshThroughItsOwnAuthenticationIsAnError() async throws {
        let client = Locked<Client?>(nil)
        let tokens = BearerTokens {
            guard let client = client.withLock({ $0 }) else { return "none" }
            return try await client.fetch(Route<String>.get("users"))
        }
        let transport = StubTransport(.text("new")).wrapped(by: .authentication(tokens)).wrapped(by: .deduplication)
        client.withLock { $0 = Client(baseURL: URL("https://api.example.com"), transport: transport) }
        let signedIn = try #require(client.withLock { $0 })
        let error = await #expect(throws: CallError.self) { try await signedIn.fetch(Route<String>.get("users")) }
        #expect((error?.underlyingError as? AuthenticationError)?.kind == .refreshNeedsItself)
        // A call of the refresh without authentication may go through the same middleware.
        let open = Route<String>.get("users").with(option: Authentication.none)
        #expect(try await signedIn.fetch(open) == "new")
    }

    @Test func whatChangesNothingAtTheHostSeparatesNoCalls() async throws {
        #expect(try await Self.joins(after: .options))
        #expect(try await Self.joins(after: .post, of: URL("https://other.example/users")))
        #expect(try await Self.joins(after: .post, Deduplication(methods: [.get, .post])))
        var query = CallOptions()
        query[CallRepetition.self] = CallRepetition(isAllowed: true)
        #expect(try await Self.joins(after: .post, options: query))
        query[CallRepetition.self] = CallRepetition(isAllowed: false)
        #expect(try await !Self.joins(after: .post, Deduplication(methods: [.get, .post]), options: query))
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete, .patch]) func unsafeMethodsAreSentEach(
        method: HTTPMethod
    ) async throws {
        let request = HTTPRequest(method: method, url: address)
        #expect(try await Self.requests(request, request) == 2)
    }

    @Test func fieldsThatMayDifferAreIgnored() async throws {
        let (one, other) = (
            HTTPRequest(url: address, headers: ["X-Trace": "1"]), HTTPRequest(url: address, headers: ["X-Trace": "2"])
        )
        #expect(try await Self.requests(one, other) == 2)
        #expect(try await Self.requests(one, other, Deduplication(ignoring: ["x-trace"])) == 1)
    }

    @Test func callsWithOtherOptionsAreNotEqual() async throws {
        func options(_ mode: Mode?, _ opaque: Opaque? = nil) -> CallOptions {
            var options = CallOptions()
            options[Mode.self] = mode
            options[Opaque.self] = opaque
            return options
        }
        let request = HTTPRequest(url: address)
        #expect(try await Self.requests(request, request, options: [options(.one), options(.one)]) == 1)
        #expect(try await Self.requests(request, request, options: [options(.one), options(.other)]) == 2)
        #expect(try await Self.requests(request, request, options: [options(.one), options(nil)]) == 2)
        let opaque = options(nil, Opaque(text: "a"))
        #expect(try await Self.requests(request, request, options: [opaque, opaque]) == 1)
        #expect(
            try await Self.requests(request, request, options: [opaque, options(nil, Opaque(text: "a"))]) == 2
        )
    }

    /// The number of requests that two calls at once send.
    private static func requests(
        _ one: HTTPRequest,
        _ other: HTTPRequest,
        _ middleware: Deduplication = Deduplication(),
        options: [CallOptions] = [CallOptions(), CallOptions()]
    ) async throws -> Int {
        let gate = Started()
        let stub = StubTransport { _, _ in
            await gate.wait(for: 1)
            return HTTPResponse(status: 200)
        }
        let transport = stub.wrapped(by: middleware)
        let calls = zip([one, other], options)
            .map { request, options in
                Task { try await transport.process(request, in: CallContext(options: options)) }
            }
        while middleware.waiting < 2, stub.requests.count < 2 { await Task.yield() }
        await gate.count()
        for call in calls { _ = try await call.value }
        return stub.requests.count
    }

    @Test func eachCallHasTheRequestOfTheSharedOneAndTheFirstItsNotes() async throws {
        let gate = Started()
        let clock = TestClock()
        let stub = StubTransport { _, _ in
            await gate.wait(for: 1)
            return HTTPResponse(status: 503)
        }
        let deduplication = Deduplication()
        let transport = stub.wrapped(by: HeaderProvider { _ in ["X-Added": "1"] })
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero))).wrapped(by: deduplication)
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport, clock: clock)
        let calls = (0..<5).map { _ in Task { try await client.fetch(Route<Json>.get("users")) } }
        while deduplication.waiting < 5 { await Task.yield() }
        await gate.count()
        var (first, shared) = (0, 0)
        for call in calls {
            let error = try #require(await #expect(throws: CallError.self) { try await call.value })
            let notes = error.events.map(\.text)
            #expect(error.request?.headers["X-Added"] == "1")
            #expect(error.status == 503)
            if notes.contains(where: { $0.hasPrefix("attempt 1 of 2: status 503") }) { first += 1 }
            if notes.first == "joined an equal request in flight" { shared += 1 }
        }
        #expect(first == 1 && shared == 4)
        #expect(stub.requests.count == 2)
    }

    /// Calls start, leave and are answered at random; each has one outcome.
    @Test(arguments: 0..<60) func randomLeavingLosesNoCaller(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let stub = StubTransport { _, _ in
            for _ in 0..<10 { await Task.yield() }
            try Task.checkCancellation()
            return HTTPResponse(status: 200)
        }
        let transport = stub.wrapped(by: .deduplication)
        var calls: [Task<HTTPResponse, any Error>] = []
        var cancelled: Set<Int> = []
        for _ in 0..<80 {
            if random.next(below: 3) > 0 || calls.isEmpty {
                calls.append(Task { try await transport.process(HTTPRequest(url: address)) })
            } else {
                let number = random.next(below: calls.count)
                cancelled.insert(number)
                calls[number].cancel()
            }
            for _ in 0..<random.next(below: 4) { await Task.yield() }
        }
        for (number, call) in calls.enumerated() {
            switch await call.result {
            case .success(let response): #expect(response.status == 200)
            case .failure(let error):
                #expect(error is CancellationError && cancelled.contains(number), "seed \(seed): \(error)")
            }
        }
    }
}

/// Counts, and lets tasks wait for a number.
private actor Started {
    private var number = 0
    private var waiters: [(Int, CheckedContinuation<Void, Never>)] = []

    func count() {
        number += 1
        for waiter in waiters where waiter.0 <= number { waiter.1.resume() }
        waiters.removeAll { $0.0 <= number }
    }

    func wait(for count: Int) async {
        if number >= count { return }
        await withCheckedContinuation { waiters.append((count, $0)) }
    }
}
