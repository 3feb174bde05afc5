public import Bilayer

/// A WebSocket in memory. It is the answer of a ``StubTransport`` to a request that opens a WebSocket. The test is the
/// peer.
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
        /// The error that ends the messages; `nil` while the peer keeps the connection open.
        var end: (any Error)?
        /// Whether the app has received the error in ``end``.
        var isOver = false
        var sent: [WebSocketMessage] = []
        var pingCount = 0
        var closed: WebSocketCloseCode?
    }

    private let state = Watched(State())

    /// Makes an open connection that has no messages.
    public init() {}

    /// Sends a message to the app.
    public func push(_ message: WebSocketMessage) { state.withLock { $0.incoming.append(message) } }

    /// Closes the connection as the peer. The app first receives the messages that were pushed.
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason that is sent with the code.
    public func end(_ code: WebSocketCloseCode, reason: String = "") {
        state.withLock { $0.end = $0.end ?? WebSocketClosedError(code, reason: reason) }
    }

    /// Loses the connection. The app first receives the messages that were pushed.
    public func lose() { state.withLock { $0.end = $0.end ?? TransportError(.connectionLost) } }

    /// The messages that the app has sent.
    public var sent: [WebSocketMessage] { state.withLock { $0.sent } }

    /// The number of pings that the app has sent.
    public var pingCount: Int { state.withLock { $0.pingCount } }

    /// The code with which the app has closed the connection; `nil` if it has not.
    public var closeCode: WebSocketCloseCode? { state.withLock { $0.closed } }

    /// Waits until the app has sent at least `count` messages.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    public func waitForMessages(count: Int) async throws {
        try await state.wait { $0.sent.count >= count ? () : nil }
    }

    /// Waits until the app has closed the connection.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    public func waitForClose() async throws { try await state.wait { $0.closed.map { _ in () } } }

    /// Returns the next message that the test has pushed. Waits if there is none.
    /// - Throws: After the last message, the error of ``end(_:reason:)`` or ``lose()``. ``TransportError`` if the app
    ///   has closed the connection. `CancellationError` if the calling task was cancelled.
    public func receive() async throws -> WebSocketMessage {
        // Only one task of the app receives at a time, so no other task takes the message in between.
        try await state.wait { !$0.incoming.isEmpty || $0.end != nil || $0.closed != nil ? () : nil }
        return try state.withLock { state in
            if state.closed != nil { throw TransportError(.connectionLost) }
            if !state.incoming.isEmpty { return state.incoming.removeFirst() }
            state.isOver = true
            throw state.end ?? TransportError(.connectionLost)
        }
    }

    /// Records a message of the app.
    /// - Throws: The error of ``end(_:reason:)`` or ``lose()`` if the app has already received it. ``TransportError``
    ///   if the app has closed the connection.
    public func send(_ message: WebSocketMessage) async throws {
        try state.withLock { state in
            if state.isOver, let end = state.end { throw end }
            if state.closed != nil { throw TransportError(.connectionLost) }
            state.sent.append(message)
        }
    }

    /// Counts a ping, which is answered at once.
    /// - Throws: The error of ``end(_:reason:)`` or ``lose()`` if the app has already received it. ``TransportError``
    ///   if the app has closed the connection.
    public func ping() async throws {
        try state.withLock { state in
            if state.isOver, let end = state.end { throw end }
            if state.closed != nil { throw TransportError(.connectionLost) }
            state.pingCount += 1
        }
    }

    /// Closes the connection as the app. Only the first code is recorded.
    public func close(_ code: WebSocketCloseCode, reason: String) {
        state.withLock { $0.closed = $0.closed ?? code }
    }
}

extension StubTransport.Answer {
    /// Returns a response with an open WebSocket. Returns 426 if the request does not open a WebSocket (RFC 9110
    /// §15.5.22).
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
