#if !canImport(FoundationNetworking)
import Foundation

/// A WebSocket of `URLSession`.
// Sendable: `opening`, `outcome`, `pendingOperations` and `isOver` are the only mutable state, and are touched under
// `lock` alone.
// `task` is thread-safe by its documentation.
final class SessionWebSocket: NSObject, WebSocketConnection, URLSessionWebSocketDelegate, @unchecked Sendable {
    private let task: URLSessionWebSocketTask
    /// Retains the session.
    private let connection: SessionConnection
    private let lock = NSLock()
    private var opening: CheckedContinuation<HTTPResponse, any Error>?
    /// The result of a handshake that ended before a call waited for it, for example because the task was cancelled at
    /// once.
    private var outcome: Result<HTTPResponse, any Error>?
    /// The sends and pings that wait for their end.
    private var pendingOperations: [UUID: CheckedContinuation<Void, any Error>] = [:]
    /// Whether the task has ended.
    private var isOver = false

    init(_ task: URLSessionWebSocketTask, of connection: SessionConnection, maximumBytes: Int) {
        self.task = task
        self.connection = connection
        super.init()
        task.maximumMessageSize = maximumBytes
        task.delegate = self
    }

    /// Starts the handshake and waits for its end.
    /// - Returns: The response: with this socket, or without a socket if the server refused.
    func open() async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = lock.withLock {
                    if self.outcome == nil { opening = continuation }
                    return self.outcome
                }
                if let outcome { continuation.resume(with: outcome) } else { task.resume() }
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func end(_ result: Result<HTTPResponse, any Error>) {
        let waiting = lock.withLock {
            if opening == nil { outcome = outcome ?? result }
            defer { opening = nil }
            return opening
        }
        waiting?.resume(with: result)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol subprotocol: String?
    ) {
        var response = HTTPResponse(status: 101, headers: headers)
        if let subprotocol { response.headers["Sec-WebSocket-Protocol"] = subprotocol }
        response.webSocket = SessionWebSocketOwner(self)
        end(.success(response))
    }

    /// Refuses a redirect. The transport follows redirects itself, so that credentials are not sent to another origin.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        endCalls(error)
        // The server has not opened a WebSocket, and responds with a 401, for example.
        if let status = (task.response as? HTTPURLResponse)?.statusCode, status != 101 {
            return end(.success(HTTPResponse(status: HTTPStatus(status), headers: headers)))
        }
        end(.failure(Self.failure(error)))
    }

    private var headers: HTTPHeaders {
        let fields = (task.response as? HTTPURLResponse)?.allHeaderFields ?? [:]
        var headers = HTTPHeaders()
        for (name, value) in fields.map({ ("\($0.key)", "\($0.value)") }).sorted(by: { $0.0 < $1.0 }) {
            headers.append(value, for: HTTPHeaders.Name(rawValue: name))
        }
        return headers
    }

    private static func failure(_ error: (any Error)?) -> any Error {
        guard let error else { return TransportError(.connectionLost) }
        return (error as? URLError)?.code == .cancelled
            ? CancellationError() : TransportError(error, announced: nil, partial: nil, count: nil)
    }

    /// Returns the peer's closing frame as an error. If there is no such frame, returns the error of the task as a
    /// ``TransportError`` or as `CancellationError`.
    private func explained(_ error: (any Error)?) -> any Error {
        guard let code = UInt16(exactly: task.closeCode.rawValue), code != 0 else { return Self.failure(error) }
        let reason = task.closeReason.map { String(decoding: $0, as: UTF8.self) }
        return WebSocketClosedError(WebSocketCloseCode(rawValue: code), reason: reason ?? "")
    }

    func receive() async throws -> WebSocketMessage {
        do {
            let message = try await withTaskCancellationHandler {
                try await task.receive()
            } onCancel: {
                task.cancel(with: .goingAway, reason: nil)
            }
            switch message {
            case .string(let text): return .text(text)
            case .data(let data): return .data(data)
            @unknown default:
                throw TransportError(
                    .malformedResponse,
                    detail: "found a message of an unknown kind, expected text or bytes"
                )
            }
        } catch {
            try Task.checkCancellation()
            throw explained(error)
        }
    }

    func send(_ message: WebSocketMessage) async throws {
        let message: URLSessionWebSocketTask.Message =
            switch message {
            case .text(let text): .string(text)
            case .data(let data): .data(data)
            }
        try await wait { task.send(message, completionHandler: $0) }
    }

    func ping() async throws { try await wait { task.sendPing(pongReceiveHandler: $0) } }

    /// Runs `begin` with a completion handler, and returns when the handler is called. `URLSession` may call a handler
    /// twice; the second time is ignored.
    /// - Throws: The error that the handler receives, as `explained(_:)` converts it. `CancellationError` as soon as
    ///   the calling task is cancelled. An error of the WebSocket if it ends first. `begin` does not run if the calling
    ///   task is already cancelled or the WebSocket has already ended.
    private func wait(for begin: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isBegun = lock.withLock {
                    if !isOver, !Task.isCancelled { pendingOperations[id] = continuation }
                    return pendingOperations[id] != nil
                }
                guard isBegun else {
                    return continuation.resume(throwing: Task.isCancelled ? CancellationError() : explained(nil))
                }
                begin { [self] error in end(id, with: error.map(explained)) }
            }
        } onCancel: {
            end(id, with: CancellationError())
        }
    }

    /// Ends the pending operations when the task ends. The session may drop the handler of a ping whose pong has not
    /// arrived.
    private func endCalls(_ error: (any Error)?) {
        let waiting = lock.withLock {
            defer { (isOver, pendingOperations) = (true, [:]) }
            return pendingOperations.values
        }
        for continuation in waiting { continuation.resume(throwing: explained(error)) }
    }

    private func end(_ id: UUID, with error: (any Error)?) {
        let waiting = lock.withLock { pendingOperations.removeValue(forKey: id) }
        if let error { waiting?.resume(throwing: error) } else { waiting?.resume() }
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
        task.cancel(with: code, reason: reason.isEmpty ? nil : closeReasonBytes(reason))
    }
}

/// Closes the socket when the last reference to this owner is released, for example because a deadline has passed
/// during the handshake. The socket cannot do this itself, because its task retains it as long as it is open.
private final class SessionWebSocketOwner: WebSocketConnection {
    private let socket: SessionWebSocket
    private let isClosed = Locked(false)

    init(_ socket: SessionWebSocket) { self.socket = socket }

    deinit { close(.goingAway, reason: "") }

    func receive() async throws -> WebSocketMessage { try await socket.receive() }
    func send(_ message: WebSocketMessage) async throws { try await socket.send(message) }
    func ping() async throws { try await socket.ping() }

    func close(_ code: WebSocketCloseCode, reason: String) {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { socket.close(code, reason: reason) }
    }
}
#endif
