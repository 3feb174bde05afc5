public import Bilayer

/// A WebSocket in memory: the answer of a ``StubTransport`` to a request that opens one. The test is the peer.
///
/// ```swift
/// let peer = StubWebSocket()
/// stub.on(.get, "/v1/live", .webSocket(peer))
/// peer.push(.text(#"{"id":"p1","ref":"https://img.example/1.png"}"#))
/// peer.end(.normalClosure)
/// #expect(peer.sent.isEmpty)
/// ```
public final class StubWebSocket: WebSocketConnection {
    private struct State: Sendable {
        var incoming: [WebSocketMessage] = []
        /// Why there are no more messages.
        var end: (any Error)?
        /// Whether the app has received that.
        var isOver = false
        var sent: [WebSocketMessage] = []
        var pingCount = 0
        var closed: WebSocketCloseCode?
    }

    private let state = Watched(State())

    /// Makes an open connection without messages.
    public init() {}

    /// Sends a message to the app.
    public func push(_ message: WebSocketMessage) { state.withLock { $0.incoming.append(message) } }

    /// Closes the connection, after the messages so far.
    /// - Parameters:
    ///   - code: The code.
    ///   - reason: The words.
    public func end(_ code: WebSocketCloseCode, reason: String = "") {
        state.withLock { $0.end = $0.end ?? WebSocketClosedError(code, reason: reason) }
    }

    /// Loses the connection, after the messages so far.
    public func lose() { state.withLock { $0.end = $0.end ?? TransportError(.connectionLost) } }

    /// The messages that the app has sent.
    public var sent: [WebSocketMessage] { state.withLock { $0.sent } }

    /// The number of pings.
    public var pingCount: Int { state.withLock { $0.pingCount } }

    /// The code with which the app has closed the connection; `nil` while it is open.
    public var closeCode: WebSocketCloseCode? { state.withLock { $0.closed } }

    /// Waits until the app has sent as many messages.
    /// - Throws: `CancellationError`.
    public func waitForMessages(count: Int) async throws {
        try await state.wait { $0.sent.count >= count ? () : nil }
    }

    /// Waits until the app has closed the connection.
    /// - Throws: `CancellationError`.
    public func waitForClose() async throws { try await state.wait { $0.closed.map { _ in () } } }

    /// The next message of the test.
    /// - Throws: The end that ``end(_:reason:)`` or ``lose()`` has set, after the messages. ``TransportError`` after
    ///   the app has closed the connection.
    public func receive() async throws -> WebSocketMessage {
        // The app receives in one task at a time, so the message is still there.
        try await state.wait { !$0.incoming.isEmpty || $0.end != nil || $0.closed != nil ? () : nil }
        return try state.withLock { state in
            if state.closed != nil { throw TransportError(.connectionLost) }
            if !state.incoming.isEmpty { return state.incoming.removeFirst() }
            state.isOver = true
            throw state.end ?? TransportError(.connectionLost)
        }
    }

    /// Notes a message.
    /// - Throws: As ``receive()``, once the app has received the end.
    public func send(_ message: WebSocketMessage) async throws {
        try state.withLock { state in
            if state.isOver, let end = state.end { throw end }
            if state.closed != nil { throw TransportError(.connectionLost) }
            state.sent.append(message)
        }
    }

    /// Counts a ping, which is answered at once.
    /// - Throws: As ``receive()``, once the app has received the end.
    public func ping() async throws {
        try state.withLock { state in
            if state.isOver, let end = state.end { throw end }
            if state.closed != nil { throw TransportError(.connectionLost) }
            state.pingCount += 1
        }
    }

    /// Notes the first code.
    public func close(_ code: WebSocketCloseCode, reason: String) {
        state.withLock { $0.closed = $0.closed ?? code }
    }
}

extension StubTransport.Answer {
    /// Opens a WebSocket if the request opens one. Otherwise returns 426 (RFC 9110 §15.5.22).
    public static func webSocket(_ connection: StubWebSocket, headers: HTTPHeaders = [:]) -> Self {
        Self { request, _ in
            guard request.opensWebSocket else { return HTTPResponse(status: 426, headers: ["Upgrade": "websocket"]) }
            var response = HTTPResponse(status: 101, headers: headers)
            response.webSocket = connection
            return response
        }
    }
}

extension StubWebSocket: Redacted {}
