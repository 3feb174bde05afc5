import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// A WebSocket is one call with all its connections. Its last event is `ended`, once, with the outcome of the socket.
@Suite("CallObserver: WebSockets", .timeLimit(.minutes(5)))
struct WebSocketEventsTests {
    private let watcher = Watcher()
    private let stub = StubTransport()
    private let peer = StubWebSocket()

    private func open(reconnecting reconnection: Reconnection = .never) async throws -> WebSocket<Json, Json> {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.observer = watcher
        return try await client.webSocket(Route<Json>.get("live"), sending: Json.self, reconnecting: reconnection)
    }

    private var steps: [String] {
        watcher.events.compactMap { event in
            switch event.kind {
            case .began: "began"
            case .sent: "sent"
            case .received: "received"
            case .lost: "lost"
            case .ended(_, nil): "ended"
            case .ended(_, is CancellationError): "cancelled"
            case .ended(_, let failure?): "failed: \((failure as? CallError).map { "\($0.stage)" } ?? "-")"
            case .note, .stageEnded: nil
            }
        }
    }

    @Test func aConnectionThatIsOpenedAgainIsOfTheSameCall() async throws {
        let second = StubWebSocket()
        stub.on(.get, "/live", .webSocket(peer), .webSocket(second))
        peer.lose()
        second.end(.normalClosure)
        for try await _ in try await open(reconnecting: .afterLoss(firstWait: .zero)) {}
        #expect(steps == ["began", "sent", "received", "lost", "sent", "received", "ended"])
        #expect(watcher.events.last?.text.hasPrefix("ended") == true)
    }

    @Test func aResponseWithoutASocketIsAFailure() async {
        stub.on(.get, "/live", .status(101))
        await #expect(throws: CallError.self) { _ = try await open() }
        #expect(steps == ["began", "sent", "received", "failed: transport"])
    }

    @Test func aRefusalIsAFailure() async {
        stub.on(.get, "/live", .status(403))
        await #expect(throws: CallError.self) { _ = try await open() }
        #expect(steps == ["began", "sent", "received", "failed: raw mapping"])
    }

    @Test func aCodeThatIsNoNormalClosureIsAFailure() async throws {
        stub.on(.get, "/live", .webSocket(peer))
        peer.end(.policyViolation)
        let socket = try await open()
        await #expect(throws: CallError.self) { for try await _ in socket {} }
        #expect(steps == ["began", "sent", "received", "lost", "failed: transport"])
    }

    @Test func closingEndsTheCall() async throws {
        stub.on(.get, "/live", .webSocket(peer))
        let socket = try await open()
        #expect(steps == ["began", "sent", "received"])
        socket.close()
        #expect(steps == ["began", "sent", "received", "ended"])
        for try await _ in socket {}
        #expect(steps.count == 4)
    }

    @Test func aLoopOverASocketThatIsClosedEndsTheCall() async throws {
        stub.on(.get, "/live", .webSocket(peer))
        let socket = try await open()
        let reading = Task { for try await _ in socket {} }
        socket.close()
        try await reading.value
        #expect(steps == ["began", "sent", "received", "ended"])
    }

    @Test func releasingTheSocketHasCancelledTheCall() async throws {
        stub.on(.get, "/live", .webSocket(peer))
        do { _ = try await open() }
        #expect(steps == ["began", "sent", "received", "cancelled"])
    }
}
