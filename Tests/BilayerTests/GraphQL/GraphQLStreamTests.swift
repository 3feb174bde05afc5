import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("GraphQL: subscriptions and answers in pieces", .timeLimit(.minutes(5)))
struct GraphQLStreamTests {
    private struct CountedSubscription: GraphQLOperation {
        static let document = "subscription Counted($to: Int!) { counted(to: $to) }"
        struct Variables: Codable, RawMappable { let to: Int }
        struct Data: Codable, RawMappable, Equatable { let counted: Int }
        let variables: Variables
    }

    private static let counted = Route<Int>.graphQL(CountedSubscription(variables: .init(to: 3)), at: \.counted)

    private func client(_ type: String, _ text: String) -> (StubTransport, Client) {
        let stub = StubTransport(.data(Data(text.utf8), contentType: type))
        return (stub, Client(baseURL: URL("https://example.com"), transport: stub))
    }

    private func all<Value>(_ elements: ModelStream<Value>) async throws -> [Value] {
        var all: [Value] = []
        for try await element in elements { all.append(element) }
        return all
    }

    @Test(
        "each form of a subscription",
        arguments: [
            (
                "text/event-stream",
                """
                event: next\ndata: {"data":{"counted":1}}\n\n: ping\n\nevent: next\ndata: {"data":{"counted":2}}\n\n\
                event: complete\ndata:\n\nevent: next\ndata: {"data":{"counted":9}}\n\n
                """
            ),
            (
                "multipart/mixed; boundary=\"graphql\"; subscriptionSpec=1.0",
                """
                --graphql\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql\r\n\r\n\
                {"payload":{"data":{"counted":1}}}\r\n--graphql\r\n\r\n{"payload":{"data":{"counted":2}}}\r\n--graphql--\r\n
                """
            ),
            ("application/json", #"{"data":{"counted":1}}"#),
        ]
    )
    func eachFormOfASubscription(type: String, text: String) async throws {
        let (stub, client) = client(type, text)
        let found = try await all(client.stream(Self.counted, as: .graphQL))
        #expect(found == (type == "application/json" ? [1] : [1, 2]))
        let accept = try #require(stub.requests.first?.headers[.accept])
        #expect(accept.hasPrefix("text/event-stream, multipart/mixed;subscriptionSpec=1.0"))
        #expect(stub.requests.first?.method == .post)
    }

    @Test(
        "an element that is not JSON is one that cannot be read",
        arguments: [
            (
                "text/event-stream",
                """
                event: next\ndata: {"data":{"counted":1}}\n\nevent: next\ndata: {no\n\n\
                event: next\ndata: {"data":{"counted":3}}\n\nevent: complete\ndata:\n\n
                """
            ),
            (
                "multipart/mixed; boundary=\"graphql\"; subscriptionSpec=1.0",
                """
                --graphql\r\n\r\n{"payload":{"data":{"counted":1}}}\r\n--graphql\r\n\r\n{no\r\n--graphql\r\n\r\n\
                {"payload":{"data":{"counted":3}}}\r\n--graphql--\r\n
                """
            ),
        ]
    )
    func anElementThatIsNotJson(type: String, text: String) async throws {
        var (_, client) = client(type, text)
        let collected = CollectingReporter()
        client.reporter = collected
        #expect(try await all(client.stream(Self.counted, as: .graphQL, onInvalid: .skip)) == [1, 3])
        #expect(try await all(client.stream(Self.counted, as: .graphQL, onInvalid: .end)) == [1])
        let error = await #expect(throws: CallError.self) { try await all(client.stream(Self.counted, as: .graphQL)) }
        #expect(error?.issues.first?.underlyingError is BodyError)
        #expect(collected.issues.map { "\($0.kind) \($0.path)" } == Array(repeating: "failed $[1]", count: 3))
    }

    @Test("an answer without a body is an error, not a subscription without elements", arguments: [200, 204])
    func anAnswerWithoutABody(status: Int) async throws {
        let stub = StubTransport(status == 204 ? .status(204) : .data(Data(), contentType: "application/json"))
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let error = await #expect(throws: CallError.self) {
            try await all(client.stream(Self.counted, as: .graphQL(reconnecting: .afterLoss())))
        }
        let found = status == 204 ? "found 204 without a body, expected " : "found an empty body, expected a response"
        #expect((error?.underlyingError).map { "\($0)".hasPrefix(found) } == true, "\(String(describing: error))")
        #expect(stub.requests.count == 1)
    }

    /// The event `complete` ends every subscription. A response that ends without it is a lost connection.
    @Test func aStreamOfEventsWithoutItsEndIsALoss() async throws {
        let event = "event: next\ndata: {\"data\":{\"counted\":1}}\n\n"
        let (_, client) = client("text/event-stream", event)
        var found: [Int] = []
        let error = await #expect(throws: CallError.self) {
            for try await number in client.stream(Self.counted, as: .graphQL) { found.append(number) }
        }
        #expect(found == [1])
        #expect((error?.underlyingError as? TransportError)?.kind == .connectionLost)
        #expect(error?.stage == .transport)
    }

    @Test func aStreamOfEventsWithoutItsEndIsOpenedAgain() async throws {
        func event(_ number: Int) -> String { "event: next\ndata: {\"data\":{\"counted\":\(number)}}\n\n" }
        let stub = StubTransport()
        stub.on(
            .post,
            "/graphql",
            .data(Data(event(1).utf8), contentType: "text/event-stream"),
            .data(Data((event(2) + "event: complete\ndata:\n\n").utf8), contentType: "text/event-stream")
        )
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let format = StreamFormat.graphQL(reconnecting: .afterLoss(attempts: 1, firstWait: .zero))
        #expect(try await all(client.stream(Self.counted, as: format)) == [1, 2])
    }

    /// The last piece has nothing but an error, which must be reported.
    @Test(arguments: [
        #"{"errors":[{"message":"lost"}],"hasNext":false}"#,
        #"{"completed":[{"id":"0","errors":[{"message":"lost"}]}],"hasNext":false}"#,
    ])
    func errorsOfALaterPieceAreNotLost(last: String) async throws {
        let first = #"{"data":{"counted":1},"pending":[{"id":"0","path":[]}],"hasNext":true}"#
        let text =
            [first, last].map { "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)" }.joined() + "\r\n-----\r\n"
        let (_, client) = client("multipart/mixed; boundary=\"-\"", text)
        var found: [Int] = []
        let error = await #expect(throws: CallError.self) {
            for try await number in client.stream(Self.counted, as: .graphQL) { found.append(number) }
        }
        #expect(found == [1])
        #expect((error?.underlyingError as? GraphQLFailure)?.errors.map(\.message) == ["lost"])
    }

    private struct Listed: GraphQLOperation {
        static let document = "{ list more }"
        struct Data: Codable, RawMappable, Equatable {
            let list: [Int]?
            let more: Int?
        }
    }

    private func listed(_ pieces: String...) async throws -> [Listed.Data] {
        let text = pieces.map { "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)" }.joined() + "\r\n-----\r\n"
        let (_, client) = client("multipart/mixed; boundary=\"-\"", text)
        return try await all(client.stream(Route.graphQL(Listed()), as: .graphQL))
    }

    @Test func aPieceOfTheOldestFormIsAddedToTheAnswer() async throws {
        let found = try await listed(
            #"{"data":{"list":[1]},"hasNext":true}"#,
            #"{"path":[],"data":{"more":2},"hasNext":false}"#
        )
        #expect(found == [.init(list: [1], more: nil), .init(list: [1], more: 2)])
    }

    @Test(
        "a piece that belongs nowhere is an error, and is not lost",
        arguments: [
            #""incremental":[{"path":["list",5],"items":[2]}]"#, #""incremental":[{"path":["list",0],"items":[2]}]"#,
            #""incremental":[{"path":["list",-1],"items":[2]}]"#,
            #""incremental":[{"path":["list",9223372036854775807],"items":[2]}]"#,
            #""incremental":[{"id":"9","data":{"more":1}}]"#, #""incremental":[{"data":{"more":1}}]"#,
            #""incremental":{"x":1}"#, #""incremental":[3]"#,
        ]
    )
    func misplacedPieces(piece: String) async throws {
        let error = await #expect(throws: CallError.self) {
            try await listed(#"{"data":{"list":[1]},"hasNext":true}"#, "{\(piece),\"hasNext\":false}")
        }
        #expect(error?.underlyingError is StreamFormatError)
    }

    @Test func anAnswerWhosePiecesHaveNotAllComeIsALoss() async throws {
        let error = await #expect(throws: CallError.self) {
            try await listed(#"{"data":{"list":[1]},"hasNext":true}"#)
        }
        #expect((error?.underlyingError as? TransportError)?.kind == .connectionLost)
    }

    @Test func errorsOfAnElementAreThoseOfAnAnswer() async throws {
        let text =
            "event: next\ndata: {\"data\":{\"counted\":\"x\"}}\n\n"
            + "event: next\ndata: {\"errors\":[{\"message\":\"m\"}]}\n\nevent: next\ndata: {\"data\":{\"counted\":2}}\n\n"
            + "event: complete\n\n"
        let (_, client) = client("text/event-stream", text)
        let reporter = CollectingReporter()
        let stream = client.stream(Self.counted, as: .graphQL, onInvalid: .skip, reporter: reporter)
        #expect(try await all(stream) == [2])
        let paths = reporter.reports.flatMap(\.issues).map(\.path.description)
        #expect(paths.first == "$[0].data.counted")
        let error = await #expect(throws: CallError.self) { try await all(client.stream(Self.counted, as: .graphQL)) }
        #expect(error?.issues.first?.path.description == "$[0].data.counted")
    }

    @Test func theErrorOfAnElementHasItsErrorsAlone() async throws {
        let reported = #"{"data":{"counted":1},"errors":[{"message":"late"}]}"#
        let (_, client) = client(
            "text/event-stream",
            "data: \(reported)\n\ndata: {\"data\":{\"counted\":\"x\"},\"errors\":[{\"message\":\"off\"}]}\n\n"
        )
        let route = Self.counted.with(option: GraphQLErrorPolicy.keep)
        let error = await #expect(throws: CallError.self) { try await all(client.stream(route, as: .graphQL)) }
        #expect(error?.graphQLErrors.map(\.message) == ["off"])
    }

    @Test func aFailureOfTheTransportOfPartsEndsTheStream() async throws {
        let text = "--graphql\r\n\r\n{\"payload\":null,\"errors\":[{\"message\":\"gone\"}]}\r\n--graphql--"
        let (_, client) = client("multipart/mixed;boundary=graphql", text)
        let error = await #expect(throws: CallError.self) { try await all(client.stream(Self.counted, as: .graphQL)) }
        #expect(error?.graphQLErrors.map(\.message) == ["gone"])
    }

    @Test func partsWithoutTheLastDelimiterAreCut() async throws {
        let text = "--graphql\r\n\r\n{\"payload\":{\"data\":{\"counted\":1}}}\r\n--graphql\r\n\r\n{\"pay"
        let (_, client) = client("multipart/mixed;boundary=graphql", text)
        var elements = client.stream(Self.counted, as: .graphQL).makeAsyncIterator()
        let first = try await elements.next()
        #expect(first == 1)
        await #expect(throws: CallError.self) { _ = try await elements.next() }
    }

    @Test func aRefusalIsTheErrorOfTheCall() async throws {
        let stub = StubTransport(
            .data(Data(GraphQLText.refused.utf8), contentType: GraphQLText.response, status: 400)
        )
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let error = await #expect(throws: CallError.self) { try await all(client.stream(Self.counted, as: .graphQL)) }
        #expect(error?.graphQLErrors.map(\.code) == ["GRAPHQL_VALIDATION_FAILED"])
        #expect(error?.status == 400)
    }

    @Test func aSubscriptionGoesOnAfterItsConnectionIsLost() async throws {
        let server = try await FaultServer.start()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\n"
        func event(_ value: Int) -> Data {
            Data("event: next\nid: \(value)\ndata: {\"data\":{\"counted\":\(value)}}\n\n".utf8)
        }
        server.on(
            .post,
            "/graphql",
            Reply(.head(head), .body(event(1)), .close),
            .data(event(2) + Data("event: complete\ndata:\n\n".utf8), contentType: "text/event-stream")
        )
        let clock = TestClock()
        let client = Client(baseURL: server.url, clock: clock)
        let format = StreamFormat.graphQL(reconnecting: .afterLoss(attempts: 3, firstWait: .seconds(1)))
        let reading = Task { try await all(client.stream(Self.counted, as: format)) }
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(try await reading.value == [1, 2])
        #expect(server.requests.last?.headers["Last-Event-ID"] == "1")
        withExtendedLifetime(server) {}
    }

    @Test func anAnswerThatIsWholeDoesNotWaitForTheNextConnection() async throws {
        let (_, client) = client("application/json", #"{"data":{"counted":1}}"#)
        let format = StreamFormat.graphQL(reconnecting: .afterLoss(attempts: 0, isAfterEnd: true))
        #expect(try await all(client.stream(Self.counted, as: format)) == [1])
    }

    private struct RenameMutation: GraphQLOperation {
        static let document = "mutation Rename { rename { name ... @defer { id } } }"
        struct Data: Codable, RawMappable { let rename: Renamed }
        struct Renamed: Codable {
            let name: String
            let id: String?
        }
    }

    @Test func aMutationThatIsLostIsNotSentAgain() async throws {
        let server = try await FaultServer.start()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=\"-\"\r\nContent-Length: 9999\r\n\r\n"
        let part = "---\r\n\r\n{\"data\":{\"rename\":{\"name\":\"a\"}},\"hasNext\":true}\r\n---\r\n\r\n{"
        server.on(.post, "/graphql", Reply(.head(head), .body(part), .close))
        let client = Client(baseURL: server.url)
        let format = StreamFormat.graphQL(reconnecting: .afterLoss(attempts: 3, firstWait: .zero))
        let stream = client.stream(Route<RenameMutation.Data>.graphQL(RenameMutation()), as: format)
        var elements = stream.makeAsyncIterator()
        let first = try await elements.next()
        #expect(first?.rename.name == "a")
        await #expect(throws: CallError.self) { _ = try await elements.next() }
        #expect(server.requests.count == 1)
    }

    @Test func aDeferredAnswerIsThereInPieces() async throws {
        let text = """
            ---\r\nContent-Type: application/json\r\n\r\n\
            {"data":{"trip":{"id":"7","name":"Alps"}},"pending":[{"id":"0","path":["trip"]}],"hasNext":true}\r\n---\r\n\r\n\
            {"incremental":[{"id":"0","data":{"hotel":{"name":"E"}}}],"completed":[{"id":"0"}],"hasNext":false}\r\n-----\r\n
            """
        let (_, client) = client("multipart/mixed; boundary=\"-\"", text)
        let found = try await all(client.stream(Route<TripFragment?>.trip("7"), as: .graphQL))
        #expect(found.map { $0?.hotel?.name } == [nil, "E"])
        #expect(found.map { $0?.name } == ["Alps", "Alps"])
    }
}
