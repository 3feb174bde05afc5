import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The protocol `graphql-transport-ws`, message by message.
@Suite("GraphQL: subscriptions over WebSocket", .timeLimit(.minutes(5)))
struct SubscriptionsOverWebSocketTests {
    private struct Counted: GraphQLOperation {
        static let document = "subscription Counted($to: Int!) { counted(to: $to) }"
        struct Variables: Codable, RawMappable { let to: Int }
        struct Data: Codable, RawMappable { let counted: Int }
        let variables: Variables
    }

    private static let counted = Route<Int>.graphQL(Counted(variables: .init(to: 3)), at: \.counted)
    private let stub = StubTransport()
    private let peer = StubWebSocket()

    private func client(connectingWith payload: Json? = nil) -> Client {
        let middleware = SubscriptionsOverWebSocket { payload }
        return Client(baseURL: URL("https://example.com"), transport: AnyNode(stub.wrapped(by: middleware)))
    }

    private func push(_ messages: String...) {
        for message in messages { peer.push(.text(message)) }
    }

    private func all(_ client: Client) async throws -> [Int] {
        var found: [Int] = []
        for try await number in client.stream(Self.counted, as: .graphQL) { found.append(number) }
        return found
    }

    @Test func aSubscriptionIsASequence() async throws {
        stub.on(.get, "/graphql", .webSocket(peer))
        push(
            #"{"type":"ping"}"#,
            #"{"type":"connection_ack"}"#,
            #"{"id":"1","type":"next","payload":{"data":{"counted":1}}}"#,
            #"{"type":"ping"}"#,
            #"{"type":"pong"}"#,
            #"{"id":"1","type":"next","payload":{"data":{"counted":2},"extensions":{"text":"a\nb"}}}"#,
            #"{"id":"1","type":"complete"}"#
        )
        #expect(try await all(client(connectingWith: ["token": "t"])) == [1, 2])
        let sent = try peer.sent.map { try Json(parsing: $0.bytes) }
        #expect(
            sent == [
                ["type": "connection_init", "payload": ["token": "t"]],
                ["type": "pong"],
                [
                    "id": "1", "type": "subscribe",
                    "payload": [
                        "operationName": "Counted", "query": Json(Counted.document), "variables": ["to": 3],
                    ],
                ],
                ["type": "pong"],
            ]
        )
        #expect(peer.closeCode == .normalClosure)
        #expect(stub.requests.first?.headers["Sec-WebSocket-Protocol"] == "graphql-transport-ws")
        #expect(stub.requests.first?.body == nil)
    }

    @Test func messagesOfOtherOperationsAreLeftOut() async throws {
        stub.on(.get, "/graphql", .webSocket(peer))
        push(
            #"{"type":"connection_ack"}"#,
            #"{"id":"2","type":"next","payload":{"data":{"counted":9}}}"#,
            #"{"id":"2","type":"complete"}"#,
            #"{"id":"2","type":"error","payload":[{"message":"no"}]}"#,
            #"{"id":"1","type":"next","payload":{"data":{"counted":1}}}"#,
            #"{"id":"1","type":"complete"}"#
        )
        #expect(try await all(client()) == [1])
    }

    @Test(arguments: ["graphql-transport-ws", "graphql-ws"])
    func anotherProtocolIsRefused(chosen: String) async throws {
        stub.on(.get, "/graphql", .webSocket(peer, headers: ["Sec-WebSocket-Protocol": chosen]))
        push(#"{"type":"connection_ack"}"#, #"{"id":"1","type":"complete"}"#)
        if chosen == "graphql-transport-ws" {
            #expect(try await all(client()) == [])
        } else {
            let error = await #expect(throws: CallError.self) { try await all(client()) }
            #expect(error?.underlyingError is StreamFormatError)
            #expect(peer.closeCode == .protocolError)
        }
    }

    @Test func anErrorOfTheServerEndsTheSequence() async throws {
        stub.on(.get, "/graphql", .webSocket(peer))
        push(
            #"{"type":"connection_ack"}"#,
            #"{"id":"1","type":"error","payload":[{"message":"no","extensions":{"code":"FORBIDDEN"}}]}"#
        )
        let error = await #expect(throws: CallError.self) { try await all(client()) }
        #expect(error?.graphQLErrors.map(\.code) == ["FORBIDDEN"])
    }

    @Test func aCloseByTheProtocolIsTheError() async throws {
        stub.on(.get, "/graphql", .webSocket(peer))
        peer.end(WebSocketCloseCode(rawValue: 4401))
        let error = await #expect(throws: CallError.self) { try await all(client()) }
        #expect((error?.underlyingError as? WebSocketClosedError)?.code.rawValue == 4401)
    }

    @Test(arguments: [(nil, 60), (Duration.seconds(5), 5)] as [(Duration?, Int)])
    func aServerThatDoesNotAcknowledgeEndsByTheTimeout(timeout: Duration?, seconds: Int) async throws {
        stub.on(.get, "/graphql", .webSocket(peer))
        push(#"{"type":"ping"}"#)
        let clock = TestClock()
        var client = client()
        client.clock = clock
        client.timeout = timeout
        let reading = Task { [client] in try await all(client) }
        // The pong follows the greeting.
        try await peer.waitForMessages(count: 2)
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(seconds))
        let error = await #expect(throws: CallError.self) { try await reading.value }
        let cause = error?.underlyingError as? TransportError
        #expect(cause?.kind == .timedOut)
        #expect(cause?.detail?.hasPrefix("found no connection_ack within ") == true)
        try await peer.waitForClose()
    }

    @Test func aLossMayBeMended() async throws {
        let second = StubWebSocket()
        stub.on(.get, "/graphql", .webSocket(peer), .webSocket(second))
        push(#"{"type":"connection_ack"}"#, #"{"id":"1","type":"next","payload":{"data":{"counted":1}}}"#)
        peer.end(.goingAway)
        second.push(.text(#"{"type":"connection_ack"}"#))
        second.push(.text(#"{"id":"1","type":"next","payload":{"data":{"counted":2}}}"#))
        second.push(.text(#"{"id":"1","type":"complete"}"#))
        let clock = TestClock()
        let client = Client(
            baseURL: URL("https://example.com"),
            transport: AnyNode(stub.wrapped(by: SubscriptionsOverWebSocket())),
            clock: clock
        )
        let reading = Task {
            var found: [Int] = []
            let format = StreamFormat.graphQL(reconnecting: .afterLoss(firstWait: .seconds(1)))
            for try await number in client.stream(Self.counted, as: format) { found.append(number) }
            return found
        }
        // The wait for the acknowledgement is over by then.
        try await peer.waitForClose()
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(try await reading.value == [1, 2])
    }

    @Test func aReaderThatLeavesClosesTheConnection() async throws {
        stub.on(.get, "/graphql", .webSocket(peer))
        push(#"{"type":"connection_ack"}"#, #"{"id":"1","type":"next","payload":{"data":{"counted":1}}}"#)
        for try await _ in client().stream(Self.counted, as: .graphQL) { break }
        try await peer.waitForClose()
    }

    @Test func everythingElseIsPassedOn() async throws {
        stub.on(.post, "/graphql", .data(Data(GraphQLText.whole.utf8), contentType: GraphQLText.response))
        #expect(try await client().fetch(.trip("7"))?.name == "Alps")
        stub.on(.get, "/graphql", .status(403))
        let error = await #expect(throws: CallError.self) { try await all(client()) }
        #expect(error?.status == 403)
    }
}
