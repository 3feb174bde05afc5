import Foundation

/// An open WebSocket with typed messages, made by `client.webSocket(_:sending:)`.
///
/// The socket is the sequence of the received messages, for one loop at a time. The loop ends when the peer closes the
/// connection with ``WebSocketCloseCode/normalClosure``, when ``close(_:reason:)`` is called, or at an invalid message
/// under ``ElementPolicy/end``. After any other code, or a loss, the loop throws an error, unless a ``Reconnection``
/// opens the connection again. The connection is opened again after a loss and after codes such as
/// ``WebSocketCloseCode/goingAway``, but not after ``WebSocketCloseCode/policyViolation`` or a response of 401.
/// Cancelling the loop closes the connection, and so does releasing the socket.
public final class WebSocket<Incoming: Sendable, Outgoing: Sendable>: AsyncSequence, Sendable {
    /// The elements of an iteration.
    public typealias Element = Incoming

    private struct State {
        var connection: (any WebSocketConnection)?
        /// A connection whose greeting is not sent yet.
        var greeted: (any WebSocketConnection)?
        /// Whether a greeting was sent.
        var isGreeted = false
        var head = HTTPResponse(status: 101)
        var elements: CallContext?
        /// The number of the next message.
        var index = 0
        /// The number of attempts in a row to open the connection again, without a message in between.
        var attempts = 0
        var isClosed = false
        /// Whether a loop waits for a message. If so, the loop ends the call when the socket is closed. Otherwise
        /// ``close(_:reason:)`` ends the call.
        var isReading = false
        /// The continuation of ``waitUntilClosed()``, while a loop waits until the connection is open again.
        var waiting: CheckedContinuation<Void, any Error>?
    }

    private let source: SocketSource<Incoming, Outgoing>
    private let context: CallContext
    private let call: LongCall
    private let state = Locked(State())

    init(_ source: SocketSource<Incoming, Outgoing>) {
        self.source = source
        context = source.messages.makeContext()
        call = LongCall(context)
    }

    deinit {
        for connection in state.withLock({ [$0.connection, $0.greeted] }) { connection?.close(.goingAway, reason: "") }
    }

    /// The subprotocol that the server chose (`Sec-WebSocket-Protocol` of its response); `nil` if it chose none.
    public var subprotocol: String? { state.withLock { $0.head.headers["Sec-WebSocket-Protocol"] } }

    /// Sends a message: a model through both layers, or an entry through the lower layer.
    /// - Parameter message: The model or the entry.
    /// - Throws: ``CallError``, whose underlying error is for example a ``MappingError``, a ``TransportError`` or a
    ///   ``WebSocketClosedError``; `CancellationError`. It also throws while a lost connection is not open again,
    ///   because messages are not queued.
    @concurrent
    public func send(_ message: Outgoing) async throws {
        try await send(message, over: try connection(), in: beginMessage())
    }

    /// Sends a ping and waits for its pong.
    /// - Throws: ``CallError``, `CancellationError`.
    @concurrent
    public func ping() async throws {
        let connection = try connection()
        do {
            try await connection.ping()
        } catch {
            throw context.callError(after: error, in: .transport)
        }
    }

    /// Closes the connection, and ends a loop over the messages.
    /// - Parameters:
    ///   - code: The code for the peer.
    ///   - reason: The reason for the peer. A reason of more than 123 bytes is cut.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") {
        let (connections, waiting, isReading) = state.withLock { state in
            state.isClosed = true
            defer { (state.connection, state.greeted, state.waiting) = (nil, nil, nil) }
            return ([state.connection, state.greeted], state.waiting, state.isReading)
        }
        waiting?.resume()
        for connection in connections { connection?.close(code, reason: reason) }
        if !isReading { call.end() }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: self) }

    /// Reads the messages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let socket: WebSocket

        /// The next message; `nil` after a normal closure, after ``WebSocket/close(_:reason:)``, after an error that
        /// was thrown, or after a message that ends the sequence (``ElementPolicy/end``).
        /// - Throws: ``CallError`` of the stage that failed, `CancellationError`.
        @concurrent
        public mutating func next() async throws -> Incoming? { try await socket.next() }
    }
}

extension WebSocket {
    /// Returns the open connection.
    /// - Throws: ``CallError`` if no connection is open, or `CancellationError`.
    private func connection() throws -> any WebSocketConnection {
        if let connection = state.withLock({ $0.connection }) { return connection }
        let reason = state.withLock { $0.isClosed } ? "the socket was closed" : "no connection is open at the moment"
        throw context.callError(after: TransportError(.connectionLost, detail: reason), in: .transport)
    }

    /// Begins the run of a message to send. It has its own issues.
    /// - Parameter opening: For a message of the greeting, the opening that it belongs to.
    /// - Returns: The context of the message.
    private func beginMessage(of opening: OpeningRun? = nil) -> CallContext {
        var run = context.beginRun()
        run.opening = opening?.begun
        if let sent = context.sentRequest { run.recordRequest(sent) }
        return run
    }

    private func send(
        _ message: Outgoing,
        over connection: any WebSocketConnection,
        in run: CallContext
    ) async throws {
        let written: WebSocketMessage
        do {
            written = try await source.write(message, run)
        } catch {
            let failure = context.callError(after: error, in: .requestEncoding)
            run.deliverReport(of: .request, failure: failure)
            throw failure
        }
        run.deliverReport(of: .request)
        do {
            try await connection.send(written)
        } catch {
            throw context.callError(after: error, in: .transport)
        }
    }

    /// Begins the call: opens the first connection.
    func begin() async throws {
        call.begin()
        do {
            try await open()
        } catch {
            call.end(error)
            throw error
        }
    }

    /// Opens the connection and sends the greeting.
    private func open() async throws {
        let head = try await source.messages.open(nil, context)
        guard let connection = head.webSocket else {
            let error = TransportError(.unsupported, detail: "found a response without a WebSocket, expected one")
            throw context.callError(after: error, in: .transport)
        }
        let elements = context.beginRun()
        if let sent = context.sentRequest { elements.recordRequest(sent) }
        let isClosed = state.withLock { state in
            if state.isClosed { return true }
            state.greeted = connection
            state.head = head
            state.head.webSocket = nil
            state.elements = elements
            return false
        }
        if isClosed { return connection.close(.goingAway, reason: "") }
        do {
            let opening = OpeningRun(isRepeated: state.withLock { $0.isGreeted })
            for message in try await source.greeting() {
                try await send(message, over: connection, in: beginMessage(of: opening))
            }
        } catch {
            lose(connection)
            throw context.callError(after: error, in: .requestEncoding)
        }
        // The connection is stored only now, so that the messages of other tasks are sent after the greeting.
        state.withLock { state in
            if !state.isClosed { state.connection = connection }
            (state.greeted, state.isGreeted) = (nil, true)
        }
    }

    /// Closes a connection that is no longer used, and removes it from the state.
    private func lose(_ connection: any WebSocketConnection) {
        state.withLock { ($0.connection, $0.greeted) = (nil, nil) }
        connection.close(.goingAway, reason: "")
    }

    fileprivate func next() async throws -> Incoming? {
        state.withLock { $0.isReading = true }
        do {
            let value = try await nextValue()
            let isClosed = state.withLock { state in
                state.isReading = false
                return state.isClosed
            }
            if value == nil || isClosed { call.end() }
            return value
        } catch {
            state.withLock { $0.isReading = false }
            call.end(error)
            throw error
        }
    }

    /// Returns the next message that can be mapped. Opens the connection again after a loss.
    /// - Returns: The value; `nil` if the socket was closed by this side or normally by the peer, if the policy ends
    ///   the sequence, or if an error has ended it before.
    private func nextValue() async throws -> Incoming? {
        while let connection = state.withLock({ $0.connection }) {
            let message: WebSocketMessage
            do {
                try Task.checkCancellation()
                message = try await connection.receive()
            } catch {
                lose(connection)
                if state.withLock({ $0.isClosed }) { return nil }
                if (error as? WebSocketClosedError)?.code == .normalClosure { return nil }
                if !(error is CancellationError) { context.observe(.lost(error)) }
                try await reopen(after: context.callError(after: error, in: .transport))
                continue
            }
            if let value = try await map(message, of: connection) { return value }
        }
        return nil
    }

    /// Maps a message. If it cannot be mapped, the policy decides.
    /// - Returns: The value; `nil` if the message is left out or ends the sequence. If it ends the sequence, the
    ///   connection is closed.
    private func map(_ message: WebSocketMessage, of connection: any WebSocketConnection) async throws -> Incoming? {
        let (index, head, elements) = state.withLock { state in
            state.attempts = 0
            defer { state.index += 1 }
            return (state.index, state.head, state.elements)
        }
        do {
            return try await source.messages.map(StreamedElement(message.bytes), index, head, elements ?? context)
        } catch is CallError where source.messages.policy == .skip {
            return nil
        } catch is CallError where source.messages.policy == .end {
            lose(connection)
            return nil
        } catch {
            lose(connection)
            call.end(error, isReported: false)
            throw error
        }
    }

    /// Waits, then opens the connection again. Repeats this until the connection is open, or until the ``Reconnection``
    /// allows no further attempt.
    private func reopen(after loss: any Error) async throws {
        var error = loss
        let reconnection = source.messages.format.reconnection
        while true {
            if error is CancellationError { throw error }
            let attempt = state.withLock { state in
                state.attempts += 1
                return state.attempts
            }
            let wait = reconnection.wait(
                before: attempt,
                after: error,
                for: "the WebSocket is opened again",
                in: context
            )
            guard let wait else { throw error }
            do {
                try await unlessClosed { [clock = context.clock] in
                    try await clock.pause(for: wait)
                    try await self.open()
                }
                // A cancel ends both tasks of `unlessClosed`. The task that waits for the close throws no error. If it
                // ends first, the cancel must be detected here.
                if state.withLock({ $0.connection == nil && !$0.isClosed }) { try Task.checkCancellation() }
                return
            } catch let failure {
                error = failure
            }
        }
    }
}

extension WebSocket {
    /// Runs a piece of work, and cancels the work when the socket is closed.
    private func unlessClosed(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask { await self.waitUntilClosed() }
            try await group.next()
        }
    }

    /// Waits until the socket is closed, or the task is cancelled.
    private func waitUntilClosed() async {
        try? await state.wait { state, continuation in
            if state.isClosed { return .ends(.success(())) }
            state.waiting = continuation
            return .waits()
        } leave: { state in
            state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }
        }
    }
}

/// The stages of a client's call for a socket, with their types erased.
struct SocketSource<Incoming: Sendable, Outgoing: Sendable>: Sendable {
    let messages: StreamSource<Incoming>
    let greeting: @Sendable () async throws -> [Outgoing]
    let write: @Sendable (Outgoing, CallContext) async throws -> WebSocketMessage
}

extension WebSocket: Redacted {}
extension WebSocket.AsyncIterator: Redacted {}
