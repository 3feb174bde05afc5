import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("WebSockets: typed messages both ways", .timeLimit(.minutes(5)))
struct WebSocketTests {
    private struct PriceEntry: Codable, RawMappable, Sendable { let cents: Int }

    private struct Price: DTOConvertible, Equatable, Sendable {
        let euros: Decimal
        static func from(dto: PriceEntry) throws -> Price {
            try require(that: dto.cents >= 0, "a price is not negative", at: "cents")
            return Price(euros: Decimal(dto.cents) / 100)
        }
        func toDTO() throws -> PriceEntry { PriceEntry(cents: NSDecimalNumber(decimal: euros * 100).intValue) }
    }

    private struct Watch: Codable, RawMappable, Sendable {
        let symbol: String
        var wait: Double?
    }

    private static let prices = Route<Price>.get("prices")
    private let stub = StubTransport()
    private let peer = StubWebSocket()
    private let clock = TestClock()

    private var client: Client { Client(baseURL: URL("https://example.com"), transport: stub, clock: clock) }

    private func socket(reconnecting reconnection: Reconnection = .never) async throws -> WebSocket<Price, Watch> {
        stub.on(.get, "/prices", .webSocket(peer))
        return try await client.webSocket(Self.prices, sending: Watch.self, reconnecting: reconnection)
    }

    private func all<Value, Sent>(_ socket: WebSocket<Value, Sent>) async throws -> [Value] {
        var all: [Value] = []
        for try await value in socket { all.append(value) }
        return all
    }

    // MARK: Messages

    @Test func receivedMessagesAreModels() async throws {
        let socket = try await socket()
        peer.push(.text(#"{"cents":150}"#))
        peer.push(.data(Data(#"{"cents":275}"#.utf8)))
        peer.end(.normalClosure)
        #expect(try await all(socket) == [Price(euros: 1.5), Price(euros: 2.75)])
    }

    @Test func sentMessagesGoThroughTheLayers() async throws {
        stub.on(.get, "/prices", .webSocket(peer))
        let entries = try await client.webSocket(Self.prices, sending: Watch.self)
        try await entries.send(Watch(symbol: "A"))
        let models = try await client.webSocket(Self.prices, sending: Price.self)
        try await models.send(Price(euros: 1.5))
        #expect(peer.sent == [.text(#"{"symbol":"A"}"#), .text(#"{"cents":150}"#)])
    }

    @Test func bytesAreABinaryMessage() async throws {
        stub.on(.get, "/prices", .webSocket(peer))
        let socket = try await client.webSocket(Route<Data>.get("prices"), sending: Data.self)
        try await socket.send(Data([1, 2]))
        peer.push(.data(Data([3])))
        peer.end(.normalClosure)
        #expect(peer.sent == [.data(Data([1, 2]))])
        #expect(try await all(socket) == [Data([3])])
    }

    @Test func aMessageThatCannotBeWrittenIsNotSent() async throws {
        let socket = try await socket()
        let error = await #expect(throws: CallError.self) { try await socket.send(Watch(symbol: "A", wait: .nan)) }
        #expect(error?.stage == .requestEncoding)
        try await socket.send(Watch(symbol: "B"))
        #expect(peer.sent == [.text(#"{"symbol":"B"}"#)])
    }

    @Test func theConventionsOfTheClientHoldBothWays() async throws {
        struct Dated: Codable, RawMappable, Sendable, Equatable { let startDay: Date }
        stub.on(.get, "/prices", .webSocket(peer))
        var client = client
        client.conventions.keys = .snakeCase
        client.conventions.scalars.register(Date.self, as: .dateOnly)
        let socket = try await client.webSocket(Route<Dated>.get("prices"), sending: Dated.self)
        let day = Dated(startDay: Date(timeIntervalSince1970: 86_400))
        try await socket.send(day)
        #expect(peer.sent == [.text(#"{"start_day":"1970-01-02"}"#)])
        for message in peer.sent { peer.push(message) }
        peer.end(.normalClosure)
        #expect(try await all(socket) == [day])
    }

    // MARK: Messages that break the contract

    @Test func anErrorHasTheNumberOfItsMessageAndClosesTheSocket() async throws {
        let socket = try await socket()
        peer.push(.text(#"{"cents":1}"#))
        peer.push(.text(#"{"cents":-1}"#))
        var found: [Price] = []
        let error = await #expect(throws: CallError.self) {
            for try await price in socket { found.append(price) }
        }
        #expect(found.count == 1)
        #expect(error?.issues.map(\.path.description) == ["$[1].cents"])
        #expect(error?.stage == .dtoConversion)
        #expect(peer.closeCode == .goingAway)
    }

    @Test(arguments: [ElementPolicy.skip, .end])
    func aMessageThatCannotBeMapped(policy: ElementPolicy) async throws {
        stub.on(.get, "/prices", .webSocket(peer))
        let reporter = CollectingReporter()
        var client = client
        client.reporter = reporter
        let socket = try await client.webSocket(Self.prices, sending: Watch.self, onInvalid: policy)
        for text in [#"{"cents":1}"#, "{", #"{"cents":"2"}"#, #"{"cents":3}"#] { peer.push(.text(text)) }
        peer.end(.normalClosure)
        let prices = try await all(socket)
        #expect(prices.map(\.euros) == (policy == .skip ? [0.01, 0.03] : [0.01]))
        #expect(reporter.reports.count == (policy == .skip ? 2 : 1))
    }

    // MARK: The connection

    @Test func theOpeningRequestPassesTheChain() async throws {
        stub.on(.get, "/prices", .status(503), .webSocket(peer, headers: ["Sec-WebSocket-Protocol": "v2"]))
        var client = client
        client.transport = AnyNode(client.transport.wrapped(by: .retry(.exponential(attempts: 2))))
        let route = Route<Price>.get("prices", headers: ["Sec-WebSocket-Protocol": "v1, v2"])
        let opening = Task { try await client.webSocket(route, sending: Watch.self) }
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(60))
        #expect(try await opening.value.subprotocol == "v2")
        #expect(stub.requests.count == 2)
        #expect(stub.requests.allSatisfy { $0.opensWebSocket && $0.headers["Sec-WebSocket-Protocol"] == "v1, v2" })
    }

    @Test func aRefusalHasItsStatus() async throws {
        stub.on(.get, "/prices", .json(#"{"no":1}"#, status: 403))
        let error = await #expect(throws: CallError.self) {
            try await client.webSocket(Self.prices, sending: Watch.self)
        }
        #expect(error?.status == 403)
    }

    @Test func aTransportThatOpensNoSocketIsAnError() async throws {
        stub.on(.get, "/prices", .json("{}"))
        let error = await #expect(throws: CallError.self) {
            try await client.webSocket(Self.prices, sending: Watch.self)
        }
        #expect((error?.underlyingError as? TransportError)?.kind == .unsupported)
    }

    #if os(Linux)
    /// With a newer libcurl, `CurlTransport` opens WebSockets: see `WebSocketPeerTests`.
    @Test(arguments: CurlFeatures.hasWebSockets ? [BuiltInTransport.urlSession] : BuiltInTransport.allCases)
    func aTransportThatOpensNoneSaysSo(over choice: BuiltInTransport) async throws {
        let client = Client(baseURL: URL("http://127.0.0.1:1"), transport: try choice.transport())
        let error = await #expect(throws: CallError.self) {
            try await client.webSocket(Self.prices, sending: Watch.self)
        }
        #expect((error?.underlyingError as? TransportError)?.kind == .unsupported)
    }
    #endif

    @Test func aPingIsAnswered() async throws {
        let socket = try await socket()
        try await socket.ping()
        #expect(peer.pingCount == 1)
    }

    @Test func closingEndsTheLoop() async throws {
        let socket = try await socket()
        let reading = Task { try await all(socket) }
        peer.push(.text(#"{"cents":1}"#))
        socket.close(reason: "done")
        #expect(try await reading.value.count <= 1)
        #expect(peer.closeCode == .normalClosure)
        await #expect(throws: CallError.self) { try await socket.send(Watch(symbol: "A")) }
        await #expect(throws: CallError.self) { try await socket.ping() }
    }

    @Test func anotherCodeIsAnError() async throws {
        let socket = try await socket()
        peer.end(.policyViolation, reason: "secret")
        let error = await #expect(throws: CallError.self) { _ = try await all(socket) }
        let closed = error?.underlyingError as? WebSocketClosedError
        #expect(closed == WebSocketClosedError(.policyViolation, reason: "secret"))
        #expect(error?.description.contains("code 1008") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func aCancelledLoopClosesTheConnection() async throws {
        let socket = try await socket()
        let reading = Task { try await all(socket) }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(peer.closeCode == .goingAway)
    }

    /// Between the end of the handshake and the return of the socket, only the call has the connection.
    @Test(arguments: [true, false])
    func aCallThatIsCancelledAfterTheHandshakeClosesTheConnection(isCancelled: Bool) async throws {
        let (peer, clock) = (peer, clock)
        let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
            if isCancelled {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            } else {
                // The deadline of the call passes.
                try await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(2))
                while !Task.isCancelled { await Task.yield() }
            }
            var response = HTTPResponse(status: 101)
            response.webSocket = peer
            return response
        }
        var client = Client(baseURL: URL("https://example.com"), transport: transport, clock: clock)
        if !isCancelled { client.options[Deadline.self] = Deadline(.seconds(1)) }
        let call = Task { [client] in try await client.webSocket(Self.prices, sending: Watch.self) }
        let error = await #expect(throws: (any Error).self) { _ = try await call.value }
        #expect(isCancelled ? error is CancellationError : error is CallError)
        #expect(peer.closeCode == .goingAway)
    }

    @Test func releasingTheSocketClosesTheConnection() async throws {
        do { _ = try await socket() }
        try await peer.waitForClose()
        #expect(peer.closeCode == .goingAway)
    }

    // MARK: Reconnection

    @Test func aLostConnectionIsOpenedAgainWithTheGreeting() async throws {
        let second = StubWebSocket()
        stub.on(.get, "/prices", .webSocket(peer), .status(502), .webSocket(second))
        let socket = try await client.webSocket(
            Self.prices,
            sending: Watch.self,
            reconnecting: .afterLoss(attempts: 2, firstWait: .seconds(1)),
            greeting: { [Watch(symbol: "A"), Watch(symbol: "B")] }
        )
        let reading = Task { try await all(socket) }
        peer.push(.text(#"{"cents":1}"#))
        peer.lose()
        for wait in [1, 2] {
            try await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(wait))
        }
        second.push(.text(#"{"cents":2}"#))
        second.end(.normalClosure)
        #expect(try await reading.value.map(\.euros) == [0.01, 0.02])
        #expect(peer.sent.count == 2)
        #expect(second.sent == peer.sent)
        #expect(peer.closeCode != nil)
    }

    @Test("what the server says is no loss", arguments: [WebSocketCloseCode.policyViolation, .init(rawValue: 4001)])
    func aCodeMayBeFinal(code: WebSocketCloseCode) async throws {
        let socket = try await socket(reconnecting: .afterLoss())
        peer.end(code)
        let error = await #expect(throws: CallError.self) { try await all(socket) }
        #expect((error?.underlyingError as? WebSocketClosedError)?.code == code)
        #expect(stub.requests.count == 1)
    }

    @Test func aRefusalEndsTheAttempts() async throws {
        stub.on(.get, "/prices", .webSocket(peer), .status(401))
        let socket = try await client.webSocket(Self.prices, sending: Watch.self, reconnecting: .afterLoss())
        let reading = Task { try await all(socket) }
        peer.end(.goingAway)
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: CallError.self) { try await reading.value }
        #expect(error?.status == 401)
    }

    @Test func aSocketThatIsClosedWhileItWaitsEndsAtOnce() async throws {
        let socket = try await socket(reconnecting: .afterLoss())
        let reading = Task { try await all(socket) }
        peer.lose()
        try await clock.waitForSleepers(count: 1)
        socket.close()
        #expect(try await reading.value == [])
        #expect(stub.requests.count == 1)
    }

    @Test func aSocketThatIsClosedWhileItOpensAgainEndsAtOnce() async throws {
        stub.on(.get, "/prices", .webSocket(peer), .hold)
        let socket = try await client.webSocket(
            Self.prices,
            sending: Watch.self,
            reconnecting: .afterLoss(firstWait: .zero)
        )
        let reading = Task { try await all(socket) }
        peer.lose()
        try await stub.waitForRequests(count: 2)
        socket.close()
        #expect(try await reading.value == [])
    }

    @Test func aSocketThatIsClosedWhileItGreetsEndsAtOnce() async throws {
        let (second, greetings) = (StubWebSocket(), Locked(0))
        let (begins, begun) = AsyncStream<Void>.makeStream()
        stub.on(.get, "/prices", .webSocket(peer), .webSocket(second))
        let socket = try await client.webSocket(
            Self.prices,
            sending: Watch.self,
            reconnecting: .afterLoss(firstWait: .zero),
            greeting: {
                let number = greetings.withLock { number in
                    number += 1
                    return number
                }
                if number > 1 {
                    begun.yield()
                    try await Task.sleep(for: .seconds(3_600))
                }
                return []
            }
        )
        let reading = Task { try await all(socket) }
        peer.lose()
        for await _ in begins { break }
        socket.close()
        #expect(try await reading.value == [])
        #expect(second.closeCode != nil)
    }

    /// A cancel during the wait before the connection is opened again is not the end of the messages.
    @Test func aCancelledWaitIsACancel() async throws {
        for _ in 0..<1_000 {
            let (stub, peer, clock) = (StubTransport(), StubWebSocket(), TestClock())
            stub.on(.get, "/prices", .webSocket(peer))
            let client = Client(baseURL: URL("https://example.com"), transport: stub, clock: clock)
            let socket = try await client.webSocket(Self.prices, sending: Watch.self, reconnecting: .afterLoss())
            let reading = Task { try await all(socket) }
            peer.lose()
            try await clock.waitForSleepers(count: 1)
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
        }
    }

    @Test func aClosedSocketIsNotPinged() async throws {
        peer.close(.normalClosure, reason: "")
        await #expect(throws: TransportError.self) { try await peer.ping() }
        #expect(peer.pingCount == 0)
    }

    @Test(arguments: [("", 0), ("bye", 3), (String(repeating: "é", count: 70), 122)])
    func aReasonIsCutBetweenCharacters(reason: String, count: Int) throws {
        let bytes = closeReasonBytes(reason)
        #expect(bytes.count == count)
        #expect(String(data: bytes, encoding: .utf8).map { reason.hasPrefix($0) } == true)
    }

    @Test func theLastLossIsTheError() async throws {
        stub.on(.get, "/prices", .webSocket(peer), .status(502))
        let socket = try await client.webSocket(
            Self.prices,
            sending: Watch.self,
            reconnecting: .afterLoss(attempts: 1, firstWait: .seconds(1))
        )
        let reading = Task { try await all(socket) }
        peer.lose()
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: CallError.self) { try await reading.value }
        #expect(error?.status == 502)
    }

    @Test func messagesComeAfterTheGreeting() async throws {
        let (begins, begun) = AsyncStream<Void>.makeStream()
        let (goesOn, goOn) = AsyncStream<Void>.makeStream()
        let (second, count) = (StubWebSocket(), Locked(0))
        stub.on(.get, "/prices", .webSocket(peer), .webSocket(second))
        let socket = try await client.webSocket(
            Self.prices,
            sending: Watch.self,
            reconnecting: .afterLoss(firstWait: .zero),
            greeting: {
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                if !isFirst {
                    begun.yield()
                    for await _ in goesOn { break }
                }
                return [Watch(symbol: "hello")]
            }
        )
        let reading = Task { try await all(socket) }
        peer.lose()
        for await _ in begins { break }
        await #expect(throws: CallError.self) { try await socket.send(Watch(symbol: "early")) }
        goOn.yield()
        try await second.waitForMessages(count: 1)
        second.push(.text(#"{"cents":1}"#))
        second.end(.normalClosure)
        #expect(try await reading.value.count == 1)
        #expect(second.sent == [.text(#"{"symbol":"hello"}"#)])
    }

    @Test func aGreetingThatFailsClosesTheConnection() async throws {
        struct NoGreeting: Error {}
        stub.on(.get, "/prices", .webSocket(peer))
        await #expect(throws: CallError.self) {
            try await client.webSocket(Self.prices, sending: Watch.self, greeting: { throw NoGreeting() })
        }
        #expect(peer.closeCode == .goingAway)
    }
}
