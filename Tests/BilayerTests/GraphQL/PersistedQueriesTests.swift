import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Automatic persisted queries")
struct PersistedQueriesTests {
    private let stub = StubTransport()

    private func client(_ method: HTTPMethod = .post) -> Client {
        Client(baseURL: URL("https://example.com"), transport: stub.wrapped(by: PersistedQueries(hashesBy: method)))
    }

    private static let whole = StubTransport.Answer.data(
        Data(GraphQLText.whole.utf8),
        contentType: GraphQLText.response
    )

    private static func refusal(_ error: String, status: HTTPStatus = 200) -> StubTransport.Answer {
        .json(#"{"errors":[\#(error)]}"#, status: status)
    }

    private func parameters(_ request: HTTPRequest) throws -> Json { try Json(parsing: request.body?.data ?? Data()) }

    @Test func aKnownHashIsEnough() async throws {
        stub.on(.post, "/graphql", Self.whole)
        #expect(try await client().fetch(.trip("7"))?.name == "Alps")
        let sent = try parameters(try #require(stub.requests.first))
        #expect(sent["query"] == nil)
        #expect(sent["variables"] == ["id": "7"])
        #expect(sent["operationName"] == "Trip")
        #expect(sent["extensions"]?["persistedQuery"]?["version"] == 1)
        #expect(sent["extensions"]?["persistedQuery"]?["sha256Hash"]?.string?.count == 64)
        #expect(stub.requests.count == 1)
    }

    /// Compression inside of the middleware works. Outside of it, the middleware cannot read the operation in the body.
    @Test(arguments: [true, false]) func compressionBelongsInside(isInside: Bool) async throws {
        stub.on(.post, "/graphql", Self.whole)
        let reverse = CompressBody("reverse", minimumBytes: 1) { .data(Data(($0.data ?? Data()).reversed())) }
        var client = client()
        if isInside {
            client.transport = AnyNode(reverse.then(stub).wrapped(by: .persistedQueries))
        } else {
            client.request.append(reverse)
        }
        let answer = try await client.send(.trip("7"))
        let body = Data(try #require(stub.requests.first?.body?.data).reversed())
        #expect((try Json(parsing: body)["query"] == nil) == isInside)
        let note = "the operation is compressed, so it is sent as it is"
        #expect(answer.events.contains { $0.text.contains(note) } == !isInside)
    }

    @Test func theShortFormSendsHashesByPOST() async throws {
        stub.on(.post, "/graphql", Self.whole)
        let client = Client(baseURL: URL("https://example.com"), transport: stub.wrapped(by: .persistedQueries))
        #expect(try await client.fetch(.trip("7"))?.name == "Alps")
        let sent = try parameters(try #require(stub.requests.first))
        #expect(sent["query"] == nil)
        #expect(sent["extensions"]?["persistedQuery"]?["sha256Hash"]?.string?.count == 64)
    }

    /// The error code comes from a subgraph that has not found a hash: the operation itself was executed.
    @Test(arguments: [#"{"rename":{"id":"7","name":"Alps"}}"#, "null"])
    func aResponseOfAnExecutedOperationIsNoRefusal(data: String) async throws {
        let part =
            #"{"data":\#(data),"errors":"#
            + #"[{"message":"x","path":["a"],"extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
        stub.on(.post, "/graphql", .json(part))
        _ = try? await client().fetch(Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7"))))
        #expect(stub.requests.count == 1)
    }

    /// For a key that it has seen, a server may repeat its first response, which was for another body.
    @Test func aMutationWithAKeyIsSentOnce() async throws {
        stub.on(.post, "/graphql", .json(#"{"data":{"rename":{"id":"7","name":"Alps"}}}"#))
        var rename = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")))
        rename.headers[.idempotencyKey] = "k-1"
        #expect(try await client().fetch(rename).rename.name == "Alps")
        #expect(try stub.requests.map(parameters).map { $0["query"]?.string } == [RenameTrip.document])
    }

    @Test(
        "an unknown hash is sent once more with its document",
        arguments: [
            refusal(#"{"message":"PersistedQueryNotFound"}"#),
            refusal(#"{"message":"x","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}"#),
            refusal(#"{"message":"PersistedQueryNotFound"}"#, status: 400),
        ]
    )
    func anUnknownHashIsSentWithItsDocument(refusal: StubTransport.Answer) async throws {
        stub.on(.post, "/graphql", refusal, Self.whole)
        #expect(try await client().fetch(.trip("7"))?.name == "Alps")
        let sent = try stub.requests.map(parameters)
        #expect(sent.map { $0["query"]?.string } == [nil, TripQuery.document])
        #expect(sent[0]["extensions"] == sent[1]["extensions"])
    }

    @Test func itIsNotSentAThirdTime() async throws {
        stub.on(.post, "/graphql", Self.refusal(#"{"message":"PersistedQueryNotFound"}"#))
        let error = await #expect(throws: CallError.self) { try await client().fetch(.trip("7")) }
        #expect(error?.graphQLErrors.map(\.message) == ["PersistedQueryNotFound"])
        #expect(stub.requests.count == 2)
    }

    @Test func aServerWithoutThemIsAskedOnce() async throws {
        stub.on(.post, "/graphql", Self.refusal(#"{"message":"PersistedQueryNotSupported"}"#), Self.whole)
        let client = client()
        _ = try await client.fetch(.trip("7"))
        _ = try await client.fetch(.trip("8"))
        let sent = try stub.requests.map(parameters)
        #expect(sent.map { $0["query"] != nil } == [false, true, true])
        #expect(sent.map { $0["extensions"] != nil } == [true, false, false])
    }

    private static let answersWithoutTheProtocol: [StubTransport.Answer] = [
        refusal(#"{"message":"Must provide query string."}"#, status: 400),
        .response(
            HTTPResponse(
                status: 400,
                headers: [.contentType: GraphQLText.response],
                body: Data(#"{"errors":[{"message":"Missing query"}]}"#.utf8)
            )
        ),
        refusal(#"{"message":"Missing query"}"#), refusal(#"{"message":"Missing query"}"#, status: 422),
        refusal(#"{"message":"null pointer"}"#, status: 500),
        .json(#"{"data":null,"errors":[{"message":"Missing query"}]}"#),
        .status(400), .status(405), .status(415), .status(501),
    ]

    /// A server that needs documents, and answers a request without one.
    private func server(by method: HTTPMethod? = nil, answering answer: StubTransport.Answer) -> StubTransport {
        StubTransport { request, context in
            let isWhole = (try? Json(parsing: request.body?.data ?? Data()))?["query"] != nil
            let isRefused = method.map { $0 == request.method } ?? !isWhole
            let stub = StubTransport()
            stub.on(request.method, "/graphql", isRefused ? answer : Self.whole)
            return try await stub.process(request, in: context)
        }
    }

    private func client(_ method: HTTPMethod, _ stub: StubTransport) -> Client {
        Client(baseURL: URL("https://example.com"), transport: stub.wrapped(by: PersistedQueries(hashesBy: method)))
    }

    @Test(arguments: answersWithoutTheProtocol, [HTTPMethod.post, .get])
    func aServerThatLacksTheProtocolGetsDocuments(answer: StubTransport.Answer, method: HTTPMethod) async throws {
        let stub = server(answering: answer)
        let client = client(method, stub)
        for id in ["7", "8", "9"] { #expect(try await client.fetch(.trip(id))?.name == "Alps") }
        let sent = stub.requests.map { try? parameters($0) }
        let isGET = method == .get
        #expect(
            stub.requests.map(\.method) == (isGET ? [.get, .post, .post, .post, .post] : [.post, .post, .post, .post])
        )
        #expect(
            sent.map { $0?["query"] != nil } == (isGET ? [false, true, false, true, true] : [false, true, true, true])
        )
        #expect(sent.last??["extensions"] == nil)
    }

    @Test(
        "a server that refuses the GET gets its hashes by POST",
        arguments: [.status(400), .status(404), .status(405), refusal(#"{"message":"x"}"#, status: 400)]
            as [StubTransport.Answer]
    )
    func noGET(answer: StubTransport.Answer) async throws {
        let stub = server(by: .get, answering: answer)
        let client = client(.get, stub)
        for _ in 0..<3 { #expect(try await client.fetch(.trip("7"))?.name == "Alps") }
        #expect(stub.requests.map(\.method) == [.get, .post, .post, .post])
    }

    @Test("an address that is too long is sent as a document, and the next one as a GET again")
    func tooLong() async throws {
        stub.on(.get, "/graphql", .status(414), Self.whole, .status(414), Self.whole)
        stub.on(.post, "/graphql", Self.whole)
        let client = client(.get)
        for _ in 0..<4 { #expect(try await client.fetch(.trip("7"))?.name == "Alps") }
        #expect(stub.requests.map(\.method) == [.get, .post, .get, .get, .post, .get])
    }

    @Test(
        "an answer that is not one of a GraphQL server says nothing about it",
        arguments: [
            .data(Data("<html>Sign in to the hotel's network</html>".utf8), contentType: "text/html"), .status(204),
            refusal(#"{"message":"rate limited"}"#), refusal(#"{"message":"rate limited"}"#, status: 429),
            .json(#"{"status":"down for maintenance"}"#), .status(401), .status(403), .status(503), .status(500),
            refusal(#"{"message":"no database"}"#, status: 500),
        ] as [StubTransport.Answer],
        [HTTPMethod.post, .get]
    )
    func strangers(answer: StubTransport.Answer, method: HTTPMethod) async throws {
        let isThere = Locked(false)
        let server = server(answering: .status(400))
        let stub = StubTransport { request, context in
            if isThere.withLock(\.self) { return try await server.process(request, in: context) }
            let stub = StubTransport(answer)
            return try await stub.process(request, in: context)
        }
        let client = client(method, stub)
        for _ in 0..<2 { _ = try? await client.fetch(.trip("7")) }
        let before = stub.requests.count
        isThere.withLock { $0 = true }
        for _ in 0..<3 { #expect(try await client.fetch(.trip("7"))?.name == "Alps") }
        // The middleware sends hashes again, as to a server that it does not know.
        let sent = stub.requests.dropFirst(before).map { try? parameters($0) }
        let isGET = method == .get
        #expect(
            sent.map { $0?["query"] != nil } == (isGET ? [false, true, false, true, true] : [false, true, true, true])
        )
        #expect(sent.last??["extensions"] == nil)
    }

    /// Wrong variables, for example, are refused with the document, too. Such a refusal says nothing about hashes.
    @Test func aRefusalThatTheDocumentDoesNotCureSaysNothing() async throws {
        let answer = Self.refusal(#"{"message":"Variable $id"}"#, status: 400)
        stub.on(.post, "/graphql", answer, answer, Self.whole, answer)
        let client = client()
        for isRefused in [true, false, true] {
            let name = try? await client.fetch(.trip("7"))?.name
            #expect(name == (isRefused ? nil : "Alps"))
        }
        // Once a hash was answered, a 400 is an error of the request, not a refusal of hashes.
        #expect(try stub.requests.map(parameters).map { $0["query"] != nil } == [false, true, false, false])
    }

    @Test(
        "a mutation is sent again only if it was not executed",
        arguments: [
            (refusal(#"{"message":"Must provide query string."}"#, status: 400), true),
            (refusal(#"{"message":"Must provide query string."}"#), true),
            (.json(#"{"data":null,"errors":[{"message":"x"}]}"#, status: 400), false), (.status(400), false),
            (.json(#"{"data":null,"errors":[{"message":"x"}]}"#), false), (.status(501), false),
            // Some servers leave out data that is null.
            (.json(#"{"errors":[{"message":"declined","path":["rename"]}]}"#), false),
            (.json(#"{"errors":[{"message":"declined","path":"rename"}]}"#), false),
            (refusal(#"{"message":"null pointer"}"#, status: 500), false),
        ]
    )
    func aMutationIsExecutedOnce(answer: StubTransport.Answer, isSentAgain: Bool) async throws {
        stub.on(.post, "/graphql", answer, .json(#"{"data":{"rename":{"id":"7","name":"Alps"}}}"#))
        let route = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")))
        let renamed = try? await client().fetch(route)
        #expect((renamed != nil) == isSentAgain)
        let sent = try stub.requests.map(parameters).map { $0["query"] != nil }
        #expect(sent == (isSentAgain ? [false, true] : [false]))
    }

    private static let notFound = #"{"message":"x","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}"#

    /// The other error shows that the mutation may have been executed.
    @Test(arguments: [
        #"{"data":null,"errors":[{"message":"x","path":["rename"]},\#(notFound)]}"#,
        #"{"data":null,"errors":[{"message":"x"},\#(notFound)]}"#,
        #"{"errors":[\#(notFound),{"message":"x","path":["rename"]}]}"#,
        #"{"errors":[{"message":"PersistedQueryNotSupported"},{"message":"x","path":"rename"}]}"#,
    ])
    func aRefusalBesideAnotherErrorDoesNotRepeatAMutation(text: String) async throws {
        stub.on(.post, "/graphql", .json(text), .json(#"{"data":{"rename":{"id":"7","name":"Alps"}}}"#))
        let route = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")))
        await #expect(throws: CallError.self) { try await client().fetch(route) }
        #expect(stub.requests.count == 1)
    }

    /// Some servers write `data` in every response.
    @Test func aRefusalWithDataThatIsNullIsOne() async throws {
        let refusal = StubTransport.Answer.json(#"{"data":null,"errors":[\#(Self.notFound)]}"#)
        stub.on(.post, "/graphql", refusal, .json(#"{"data":{"rename":{"id":"7","name":"Alps"}}}"#))
        let route = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")))
        #expect(try await client().fetch(route).rename.name == "Alps")
        #expect(try stub.requests.map(parameters).map { $0["query"] != nil } == [false, true])
    }

    /// A server without persisted queries may say so only in its response to the request with hash and document.
    @Test func aServerWithoutThemGetsTheDocumentAlone() async throws {
        let refusals = ["PersistedQueryNotFound", "PersistedQueryNotSupported"]
            .map { Self.refusal(#"{"message":"\#($0)"}"#) }
        stub.on(.post, "/graphql", refusals[0], refusals[1], Self.whole)
        let client = client()
        _ = try await client.fetch(.trip("7"))
        _ = try await client.fetch(.trip("8"))
        let sent = try stub.requests.map(parameters)
        #expect(sent.map { $0["query"] != nil } == [false, true, true, true])
        #expect(sent.map { $0["extensions"] != nil } == [true, true, false, false])
    }

    @Test func aQueryByItsHashCanBeAGet() async throws {
        stub.on(.get, "/graphql", Self.refusal(#"{"message":"PersistedQueryNotFound"}"#), Self.whole)
        stub.on(.post, "/graphql", Self.whole)
        let client = client(.get)
        _ = try await client.fetch(.trip("7"))
        _ = try await client.fetch(.trip("7"))
        #expect(stub.requests.map(\.method) == [.get, .post, .get])
        let address = try #require(stub.requests.first?.url.absoluteString)
        #expect(address.contains("extensions=%7B%22persistedQuery%22"))
        #expect(!address.contains("query=query"))
        #expect(stub.requests.first?.body == nil)
    }

    @Test func aMutationIsNeverAGet() async throws {
        stub.on(.post, "/graphql", .json(#"{"data":{"rename":{"id":"7","name":"x"}}}"#))
        _ = try await client(.get).fetch(Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7"))))
        #expect(stub.requests.map(\.method) == [.post])
    }

    @Test func otherCallsArePassedOn() async throws {
        stub.on(.post, "/search", .json("{}"))
        _ = try await client().fetch(Route<Json>.post("search", body: ["query": "tea"] as Json))
        #expect(try parameters(try #require(stub.requests.first)) == ["query": "tea"])
    }
}
