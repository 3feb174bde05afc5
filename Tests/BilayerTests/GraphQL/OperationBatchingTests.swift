import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("Operations in one request", .timeLimit(.minutes(5)))
struct OperationBatchingTests {
    private let stub = StubTransport()
    private let clock = TestClock()

    private func client(atMost most: Int = 10) -> Client {
        let batching = OperationBatching(window: .milliseconds(10), atMost: most, clock: clock)
        return Client(baseURL: URL("https://example.com"), transport: stub.wrapped(by: batching))
    }

    /// Answers each operation of a request with a trip of its id.
    private func answerEach() {
        stub.on(.post, "/graphql") { request in
            guard let json = request.body?.data.flatMap({ try? Json(parsing: $0) }) else { return .status(400) }
            func answer(_ operation: Json) -> Json {
                ["data": ["trip": ["id": operation["variables"]?["id"] ?? "", "name": "n"]]]
            }
            let body = json.kind == .array ? Json(json.elements.map(answer)) : answer(json)
            return .json(body.serialized())
        }
    }

    @Test func operationsOfOneMomentAreOneRequest() async throws {
        answerEach()
        let client = client(atMost: 3)
        let found = try await withThrowingTaskGroup(of: String?.self) { tasks in
            for id in ["1", "2", "3"] { tasks.addTask { try await client.fetch(.trip(id))?.id } }
            return try await tasks.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(found == ["1", "2", "3"])
        #expect(stub.requests.count == 1)
        let sent = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(sent.elements.count == 3)
    }

    /// Each call gets the refusal of its own hash. Then both documents are sent in one request.
    @Test func hashesOfPersistedQueriesAreJoined() async throws {
        let known = Locked<Set<String>>([])
        stub.on(.post, "/graphql") { request in
            let json = request.body?.data.flatMap { try? Json(parsing: $0) } ?? [:]
            let answers = json.elements.map { operation -> Json in
                let hash = operation["extensions"]?["persistedQuery"]?["sha256Hash"]?.string ?? ""
                if operation["query"] != nil { known.withLock { _ = $0.insert(hash) } }
                guard known.withLock({ $0.contains(hash) }) else {
                    return ["errors": [["message": "PersistedQueryNotFound"]]]
                }
                return ["data": ["trip": ["id": operation["variables"]?["id"] ?? "", "name": "n"]]]
            }
            return .json(Json(answers).serialized())
        }
        var client = client(atMost: 2)
        client.transport = AnyNode(client.transport.wrapped(by: .persistedQueries))
        for _ in 0..<2 {
            let found = try await withThrowingTaskGroup(of: String?.self) { [client] tasks in
                for id in ["1", "2"] { tasks.addTask { try await client.fetch(.trip(id))?.id } }
                return try await tasks.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(found == ["1", "2"])
        }
        let sent = try stub.requests.map { try Json(parsing: try #require($0.body?.data)).elements }
        #expect(sent.map { $0.map { $0["query"] != nil } } == [[false, false], [true, true], [false, false]])
    }

    @Test func aLoneOperationIsSentAsItIs() async throws {
        answerEach()
        let client = client()
        async let trip = client.fetch(.trip("7"))
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(10))
        let id = try await trip?.id
        #expect(id == "7")
        #expect(try Json(parsing: try #require(stub.requests.first?.body?.data)).kind == .object)
    }

    @Test func aMutationIsSentAloneAndAtOnce() async throws {
        stub.on(.post, "/graphql", .json(#"{"data":{"rename":{"id":"7","name":"n"}}}"#))
        let route = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")))
        #expect(try await client().fetch(route).rename.id == "7")
    }

    @Test func requestsOfTwoUsersAreNotJoined() async throws {
        answerEach()
        let client = client(atMost: 2)
        var (one, other) = (client, client)
        one.headers[.authorization] = "Bearer one"
        other.headers[.authorization] = "Bearer other"
        async let first = one.fetch(.trip("1"))
        async let second = other.fetch(.trip("2"))
        try await clock.waitForSleepers(count: 2)
        clock.advance(by: .milliseconds(10))
        let ids = try await [first?.id, second?.id]
        #expect(ids == ["1", "2"])
        #expect(Set(stub.requests.map { $0.headers[.authorization] }) == ["Bearer one", "Bearer other"])
    }

    /// A server that hangs for one user holds up no other.
    @Test func requestsThatAreNotJoinedDoNotWaitForEachOther() async throws {
        let stub = StubTransport { request, _ in
            if request.headers[.authorization] == "Bearer slow" { try await Task.sleep(for: .seconds(86_400)) }
            return HTTPResponse(status: 200, body: Data(GraphQLText.whole.utf8))
        }
        let batching = OperationBatching(window: .milliseconds(10), clock: clock)
        var slow = Client(baseURL: URL("https://example.com"), transport: stub.wrapped(by: batching))
        slow.headers[.authorization] = "Bearer slow"
        let fast = Client(baseURL: URL("https://example.com"), transport: stub.wrapped(by: batching))
        let waiting = Task { [slow] in try await slow.fetch(.trip("1")) }
        let quick = Task { try await fast.fetch(.trip("1")) }
        try await clock.waitForSleepers(count: 2)
        clock.advance(by: .milliseconds(10))
        _ = try await quick.value
        #expect(batching.waitingKinds == 1)
        // The call's request ends with the call, although the other calls were sent at the same time.
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(batching.waitingKinds == 0)
    }

    /// The batch was sent to the fallback address with the token, so a 401 from there is a refusal of the token.
    @Test(arguments: [1, 2]) func aRefusalByAFallbackAddressRefreshesTheToken(count: Int) async throws {
        let stub = StubTransport { request, _ in
            if request.url.host == "eu.example" { throw TransportError(.cannotConnect) }
            if request.headers[.authorization] == "Bearer old" { return HTTPResponse(status: 401, url: request.url) }
            let isBatch = try Json(parsing: request.body?.data ?? Data()).kind == .array
            let text = isBatch ? "[\(GraphQLText.whole), \(GraphQLText.whole)]" : GraphQLText.whole
            return HTTPResponse(status: 200, body: Data(text.utf8), url: request.url)
        }
        let refreshes = TaskGate()
        let tokens = BearerTokens("old") {
            _ = await refreshes.arrive()
            return "new"
        }
        let addresses = [URL("https://eu.example"), URL("https://us.example")]
        let transport = stub.wrapped(by: Failover(addresses))
            .wrapped(by: OperationBatching(window: .milliseconds(10), atMost: count))
            .wrapped(by: .authentication(tokens))
        let client = Client(baseURL: addresses[0], transport: transport)
        try await withThrowingTaskGroup(of: String?.self) { tasks in
            for _ in 0..<count { tasks.addTask { try await client.fetch(.trip("7"))?.name } }
            for try await name in tasks { #expect(name == "Alps") }
        }
        #expect(await refreshes.arrivals == 1)
    }

    /// An object with data is the response to one of the calls, and no other call may get it.
    @Test(
        arguments: [GraphQLText.refused, "[\(GraphQLText.refused)]", "[]", GraphQLText.whole],
        ["application/json", "application/graphql-response+json"]
    )
    func aFailureOfTheWholeBatchIsThatOfEachCall(text: String, mediaType: String) async throws {
        stub.on(.post, "/graphql", .text(text, contentType: mediaType, status: 500))
        let client = client(atMost: 2)
        let responses = await withTaskGroup(of: HTTPResponse?.self) { tasks in
            for id in ["1", "2"] {
                tasks.addTask {
                    do {
                        _ = try await client.fetch(.trip(id))
                        return nil
                    } catch {
                        return (error as? CallError)?.response
                    }
                }
            }
            return await tasks.reduce(into: [HTTPResponse?]()) { $0.append($1) }
        }
        #expect(responses.map(\.?.status) == [500, 500])
        // The server's reasons reach every call, and data none.
        let expected = text == GraphQLText.whole ? "" : text
        #expect(responses.map { $0.map { String(decoding: $0.body, as: UTF8.self) } } == [expected, expected])
    }

    /// It is unknown which result is missing, or to which call the only one belongs.
    @Test(arguments: [
        "[\(GraphQLText.whole)]", "[\(GraphQLText.whole), \(GraphQLText.whole), \(GraphQLText.whole)]",
        GraphQLText.whole, "[]",
    ])
    func anAnswerThatMayBeThatOfAnotherIsAnError(text: String) async throws {
        stub.on(.post, "/graphql", .json(text))
        let client = client(atMost: 2)
        let results = await withTaskGroup(of: Bool.self) { tasks in
            for id in ["1", "2"] {
                tasks.addTask {
                    let error = await #expect(throws: CallError.self) { try await client.fetch(.trip(id)) }
                    return error?.underlyingError is BatchMissError
                }
            }
            return await tasks.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results == [true, true])
    }
}
