#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// WebSockets of the machine's libcurl, if it is new enough, with two peers: Python's `websockets`, and one that sends
/// any bytes. `.ci/run newest` runs these tests with a libcurl from a package.
@Suite(
    "A real peer: websockets",
    .timeLimit(.minutes(5)),
    .enabled(if: PythonServer.has("websockets"), "there is no Python or no package websockets"),
    .enabled(if: CurlFeatures.hasWebSockets, "this libcurl is older than 8.14")
)
struct WebSocketPeerTests {
    private struct Said: Codable, RawMappable, Sendable, Equatable { let text: String }

    private let server: PythonServer
    private let transport: CurlTransport

    init() async throws {
        server = try await PythonServer.start(WebSocketServer.program)
        transport = try CurlTransport(maximumResponseBytes: 4 << 20)
    }

    private var client: Client { Client(baseURL: server.url, transport: transport) }

    private func open(_ path: String, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        var request = HTTPRequest(method: .get, url: server.url.appending(path: path), headers: headers)
        request.opensWebSocket = true
        return try await transport.process(request, in: CallContext())
    }

    private func connect(_ path: String) async throws -> any WebSocketConnection {
        try #require(try await open(path).webSocket)
    }

    /// Opens a socket of the peer that sends bytes as they are.
    private func raw(_ bytes: [UInt8], then end: String) async throws -> any WebSocketConnection {
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        var request = HTTPRequest(method: .get, url: server.urls[1].appending(path: "raw/\(hex)/\(end)"))
        request.opensWebSocket = true
        return try #require(try await transport.process(request, in: CallContext()).webSocket)
    }

    // MARK: Messages

    @Test func modelsGoBothWays() async throws {
        let socket = try await client.webSocket(Route<Said>.get("echo"), sending: Said.self)
        var iterator = socket.makeAsyncIterator()
        for text in ["one", "zwei", "три", ""] {
            try await socket.send(Said(text: text))
            let said = try await iterator.next()
            #expect(said == Said(text: text))
        }
        socket.close()
        let end = try await iterator.next()
        #expect(end == nil)
    }

    @Test("messages of every size come back", arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 300_000, 3_000_000])
    func messagesOfEverySizeComeBack(count: Int) async throws {
        let connection = try await connect("echo")
        let text = String(repeating: "é", count: count / 2) + (count % 2 == 1 ? "x" : "")
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for message in [WebSocketMessage.text(text), .data(data)] {
            async let sent: Void = connection.send(message)
            let received = try await connection.receive()
            try await sent
            #expect(received == message)
        }
    }

    @Test("fragments are put together", arguments: [1, 2, 125, 1_000])
    func fragmentsArePutTogether(size: Int) async throws {
        let connection = try await connect("fragments/\(size)")
        let text = (0..<300).map { "\($0)é " }.joined()
        for message in [WebSocketMessage.data(Data(text.utf8)), .data(Data("x".utf8))] {
            try await connection.send(message)
            #expect(try await connection.receive() == message)
        }
    }

    @Test func messagesKeepTheirOrderBehindASlowReader() async throws {
        let connection = try await connect("count/3000")
        for number in 0..<3_000 {
            guard case .text(let text) = try await connection.receive() else { throw Unexpected() }
            #expect(text.hasPrefix("\(number) "))
        }
        await #expect(throws: WebSocketClosedError(.normalClosure)) { try await connection.receive() }
    }

    @Test func messagesOfManyTasksStayWhole() async throws {
        let connection = try await connect("echo")
        let sent = (0..<64).map { "\($0):" + String(repeating: "\($0 % 10)", count: 5_000) }
        let received = try await withThrowingTaskGroup(of: Void.self) { group in
            for text in sent { group.addTask { try await connection.send(.text(text)) } }
            var received: [String] = []
            for _ in sent {
                guard case .text(let text) = try await connection.receive() else { throw Unexpected() }
                received.append(text)
            }
            return received
        }
        #expect(received.sorted() == sent.sorted())
    }

    // MARK: GraphQL

    private struct Counted: GraphQLOperation {
        static let document = "subscription Counted($to: Int!) { counted(to: $to) token }"
        struct Variables: Codable, RawMappable { let to: Int }
        struct Data: Codable, RawMappable {
            let counted: Int
            let token: String
        }
        let variables: Variables
    }

    @Test func aSubscriptionIsASequence() async throws {
        let overWebSocket = SubscriptionsOverWebSocket { ["token": "t"] }
        let client = Client(baseURL: server.url, transport: AnyNode(transport.wrapped(by: overWebSocket)))
        let route = Route<Counted.Data>.graphQL(Counted(variables: .init(to: 500)))
        var found: [Int] = []
        for try await data in client.stream(route, as: .graphQL) {
            #expect(data.token == "t")
            found.append(data.counted)
        }
        #expect(found == Array(1...500))
    }

    // MARK: The handshake

    @Test func aSubprotocolIsChosen() async throws {
        var route = Route<Said>.get("echo")
        route.headers["Sec-WebSocket-Protocol"] = "chat.v9, chat.v1"
        let socket = try await client.webSocket(route, sending: Said.self)
        #expect(socket.subprotocol == "chat.v1")
    }

    @Test func aServerThatRefusesHasAStatus() async throws {
        #expect(try await open("refuse").status == 401)
        let error = await #expect(throws: CallError.self) {
            _ = try await client.webSocket(Route<Said>.get("refuse"), sending: Said.self)
        }
        #expect(error?.response?.status == 401)
    }

    @Test func socketsTakeNoPlaceOfOtherCalls() async throws {
        var settings = CurlSettings()
        settings.connectionsPerHost = 1
        let transport = try CurlTransport(settings)
        let client = Client(baseURL: server.url, transport: transport)
        let sockets = try await withThrowingTaskGroup(of: WebSocket<Said, Said>.self) { group in
            for _ in 0..<8 { group.addTask { try await client.webSocket(Route<Said>.get("echo"), sending: Said.self) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // The server answers 426 to a request that opens no socket.
        let error = await #expect(throws: CallError.self) { _ = try await client.fetch(Route<Said>.get("echo")) }
        #expect(error?.response?.status == 426)
        for socket in sockets { socket.close() }
    }

    // MARK: Pings and the end

    @Test func pingsHavePongsBothWays() async throws {
        let connection = try await connect("echo")
        for _ in 0..<10 { try await connection.ping() }
        let pinged = try await connect("pings")
        #expect(try await pinged.receive() == .text("10 pongs"))
    }

    @Test func thePeersCodeAndReasonAreTheError() async throws {
        let connection = try await connect("echo")
        try await connection.send(.text("close4001go home"))
        await #expect(throws: WebSocketClosedError(WebSocketCloseCode(rawValue: 4001), reason: "go home")) {
            try await connection.receive()
        }
        await #expect(throws: WebSocketClosedError(WebSocketCloseCode(rawValue: 4001), reason: "go home")) {
            try await connection.send(.text("late"))
        }
    }

    @Test func thePeerHearsOurCodeAfterWhatWasSentBefore() async throws {
        let connection = try await connect("echo")
        try await connection.send(.text("first"))
        connection.close(WebSocketCloseCode(rawValue: 4002), reason: "enough")
        await #expect(throws: TransportError.self) { try await connection.receive() }
        await #expect(throws: TransportError.self) { try await connection.send(.text("late")) }
        #expect(try await received("4002 enough"))
    }

    @Test func aReleasedSocketSaysThatItGoesAway() async throws {
        do { _ = try await connect("echo") }
        #expect(try await received("1001 "))
    }

    /// Waits until the server has received a code and a reason.
    /// - Returns: `true`, always.
    private func received(_ text: String) async throws -> Bool {
        while true {
            let said = try await connect("said")
            var all: [WebSocketMessage] = []
            do { while true { all.append(try await said.receive()) } } catch is WebSocketClosedError {}
            if all.contains(.text(text)) { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func aCancelledReaderEndsAtOnceAndClosesTheConnection() async throws {
        let connection = try await connect("echo")
        let reading = Task { try await connection.receive() }
        try await connection.ping()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try await received("1001 "))
    }

    @Test func cancelsAtAnyTimeLoseNothing() async throws {
        let connection = try await connect("echo")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let sending = Task {
                    if number % 3 == 0 {
                        try await connection.ping()
                    } else {
                        try await connection.send(.text("\(number)"))
                    }
                }
                group.addTask {
                    if number % 2 == 0 { sending.cancel() }
                    do { try await sending.value } catch is CancellationError { #expect(number % 2 == 0) }
                }
            }
            try await group.waitForAll()
        }
        try await connection.send(.text("last"))
        var last = WebSocketMessage.text("")
        while last != .text("last") { last = try await connection.receive() }
    }

    // MARK: Hostile peers

    /// "Hi" as text, "Ho" in two fragments with a ping between them, and a closing frame with 1000.
    private static let frames: [UInt8] =
        [0x81, 2, 0x48, 0x69, 0x01, 1, 0x48, 0x89, 0, 0x80, 1, 0x6F, 0x88, 2, 0x03, 0xE8]

    @Test("a connection that is cut anywhere is a loss, with what came before", arguments: 0...frames.count)
    func aCutIsALoss(at count: Int) async throws {
        let connection = try await raw(Array(Self.frames.prefix(count)), then: "close")
        let whole: [WebSocketMessage] = (count >= 4 ? [.text("Hi")] : []) + (count >= 12 ? [.text("Ho")] : [])
        for message in whole { #expect(try await connection.receive() == message) }
        do {
            _ = try await connection.receive()
            Issue.record("found a message, expected the end")
        } catch let error as TransportError {
            #expect(error.kind == .connectionLost)
            #expect(count < Self.frames.count)
        } catch let error as WebSocketClosedError {
            #expect(error.code == .normalClosure)
            #expect(count == Self.frames.count)
        }
    }

    @Test(
        "what breaks the protocol ends the connection with an error",
        arguments: [
            ("text that is not UTF-8", [0x81, 2, 0xC3, 0x28], TransportError.Kind.malformedResponse),
            ("a message of 8 EB", [0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0], .responseTooLarge),
            ("a message of 5 MB", [0x82, 127, 0, 0, 0, 0, 0, 0x50, 0, 0, 0], .responseTooLarge),
            ("a frame that continues nothing", [0x80, 1, 0x48], .connectionLost),
            ("a reserved bit", [0xC1, 1, 0x48], .connectionLost),
            ("an unknown kind of frame", [0x83, 1, 0x48], .connectionLost),
            ("a long control frame", [0x89, 126, 0, 200], .connectionLost),
        ] as [(String, [UInt8], TransportError.Kind)]
    )
    func whatBreaksTheProtocolIsAnError(name: String, bytes: [UInt8], kind: TransportError.Kind) async throws {
        let connection = try await raw(bytes, then: "stay")
        let error = await #expect(throws: TransportError.self) { try await connection.receive() }
        #expect(error?.kind == kind, "\(name): \(String(describing: error))")
        await #expect(throws: TransportError.self) { try await connection.send(.text("late")) }
    }

    @Test func aResetIsALoss() async throws {
        let connection = try await raw([], then: "reset")
        let error = await #expect(throws: TransportError.self) { try await connection.receive() }
        #expect(error?.kind == .connectionLost)
    }

    @Test func aPeerThatNeverClosesDoesNotKeepTheSocket() async throws {
        let connection = try await raw([0x81, 1, 0x48], then: "stay")
        connection.close(.normalClosure, reason: "")
        await #expect(throws: TransportError.self) { try await connection.receive() }
        // The peer receives this after five seconds.
        #expect(try await received("gone 810148"))
    }

    /// Pongs that are not read fill the buffers of the system; then only the last one is kept.
    @Test func aFloodOfPingsIsReadToItsEnd() async throws {
        let flood = try await connect("flood")
        #expect(try await flood.receive() == .text("done"))
    }

    private struct Unexpected: Error {}
}
#endif
