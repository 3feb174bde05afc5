#if os(Linux)
import Foundation

/// The state shared by the tasks of an open WebSocket and the engine's thread: received messages, frames to
/// send, and the end.
///
/// Continuations are resumed, and `tend` is called, outside of the state's lock.
final class CurlChannel: Sendable {
    /// A frame that a task sends.
    struct Frame: Sendable {
        let id: UInt64
        let kind: CurlFrameKind
        let bytes: Data
    }

    private struct State {
        var messages: [WebSocketMessage] = []
        var size = 0
        var reader: CheckedContinuation<WebSocketMessage, any Error>?
        var frames: [Frame] = []
        /// The calls that wait for their frame to be sent, or for the pong of their ping.
        var calls: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var nextID: UInt64 = 0
        var isClosing = false
        var end: (any Error)?
    }

    /// The number of bytes of unread messages at which receiving pauses.
    private static let capacity = 256 * 1024

    private let state = Locked(State())
    private let tend: @Sendable (CurlChannel) -> Void

    /// Makes a channel.
    /// - Parameter tend: Makes the engine's thread handle this channel.
    init(tend: @escaping @Sendable (CurlChannel) -> Void) { self.tend = tend }
}

// Functions for the tasks.
extension CurlChannel {
    /// Waits for the next message.
    /// - Throws: The error that ended the connection; ``closed`` after ``close(_:reason:because:)``;
    ///   `CancellationError` if the task is cancelled, which also closes the connection.
    func receive() async throws -> WebSocketMessage {
        var hadNoRoom = false
        let message = try await state.wait { state, continuation -> WaitStart<WebSocketMessage> in
            if let message = state.messages.first {
                hadNoRoom = state.size >= Self.capacity
                state.messages.removeFirst()
                state.size -= message.size
                return .ends(.success(message))
            }
            if let end = state.end { return .ends(.failure(end)) }
            if state.isClosing { return .ends(.failure(Self.closed)) }
            state.reader = continuation
            return .waits()
        } leave: { _ in
            self.close(.goingAway, reason: "", because: CancellationError())
            return nil
        }
        if hadNoRoom, hasRoom { tend(self) }
        return message
    }

    /// Sends a frame, and waits until it is sent. A ping waits for its pong.
    /// - Throws: The error that ended the connection; ``closed`` after ``close(_:reason:because:)``;
    ///   `CancellationError`.
    func send(_ kind: CurlFrameKind, _ bytes: Data) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        // A pong repeats the bytes of its ping (RFC 6455 §5.5.3).
        let frame = Frame(id: id, kind: kind, bytes: kind == .ping ? id.bytes : bytes)
        try await state.wait { state, call -> WaitStart<Void> in
            if let end = state.end { return .ends(.failure(end)) }
            if state.isClosing { return .ends(.failure(Self.closed)) }
            state.frames.append(frame)
            state.calls[frame.id] = call
            return .waits { self.tend(self) }
        } leave: { _ in
            self.forget(id)
        }
    }

    /// Removes a cancelled call and its frame. A frame that is already being sent is still sent completely.
    private func forget(_ id: UInt64) -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            state.frames.removeAll { $0.id == id }
            return state.calls.removeValue(forKey: id)
        }
    }

    /// Closes the connection after sending the frames in the queue. Only the first call has an effect.
    func close(_ code: WebSocketCloseCode, reason: String, because error: any Error = CurlChannel.closed) {
        let reader = state.withLock { state -> CheckedContinuation<WebSocketMessage, any Error>? in
            guard state.end == nil, !state.isClosing else { return nil }
            state.isClosing = true
            state.nextID += 1
            let bytes = Self.payload(code, reason)
            state.frames.append(Frame(id: state.nextID, kind: .close, bytes: bytes))
            (state.messages, state.size) = ([], 0)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(throwing: error)
        tend(self)
    }

    /// The error of calls after ``close(_:reason:because:)``, unless the connection ends with another error.
    static let closed = TransportError(.connectionLost, detail: "the socket was closed")

    /// Returns the content of a closing frame: the code in two bytes, then the reason; at most 125 bytes in all (RFC
    /// 6455 §5.5.1). Returns no bytes for a code that is never sent.
    static func payload(_ code: WebSocketCloseCode, _ reason: String) -> Data {
        guard code.isSendable else { return Data() }
        return Data([UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]) + closeReasonBytes(reason)
    }
}

// Functions for the engine's thread.
extension CurlChannel {
    /// Removes and returns the next frame to send.
    func nextFrame() -> Frame? {
        state.withLock { $0.frames.isEmpty ? nil : $0.frames.removeFirst() }
    }

    /// Resumes the call of a frame that was sent. The call of a ping is not resumed, because that call waits for the
    /// pong.
    func sent(_ frame: Frame) {
        guard frame.kind != .ping else { return }
        state.withLock { $0.calls.removeValue(forKey: frame.id) }?.resume()
    }

    /// Resumes the call of a ping whose pong has arrived.
    func receive(pong bytes: Data) {
        state.withLock { $0.calls.removeValue(forKey: UInt64(bytes)) }?.resume()
    }

    /// Whether there is room for messages. Always true while a socket closes, so that the peer's closing frame can be
    /// received.
    var hasRoom: Bool { state.withLock { $0.size < Self.capacity } }

    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Receives a message: passes it to the waiting reader, or stores it for the next reader.
    func receive(_ message: WebSocketMessage) {
        let reader = state.withLock { state -> CheckedContinuation<WebSocketMessage, any Error>? in
            guard !state.isClosing else { return nil }
            if state.reader == nil {
                state.messages.append(message)
                state.size += message.size
            }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: message)
    }

    /// Ends the channel, because the connection has ended. Messages that arrived before can still be read.
    func end(_ error: any Error) {
        let (reader, calls) = state.withLock { state in
            state.end = state.end ?? error
            state.frames = []
            defer { (state.reader, state.calls) = (nil, [:]) }
            return (state.reader, state.calls)
        }
        reader?.resume(throwing: error)
        for call in calls.values { call.resume(throwing: error) }
    }
}

/// The reference of the tasks to a channel. When the last reference to this object is released, the connection is
/// closed.
final class CurlWebSocket: Sendable {
    let channel: CurlChannel

    init(_ channel: CurlChannel) { self.channel = channel }

    deinit { channel.close(.goingAway, reason: "") }
}

extension WebSocketMessage {
    /// The size of an unread message, as the channel counts it: the content and 64 bytes, so that empty messages also
    /// have a size.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count + 64
        case .data(let data): data.count + 64
        }
    }
}

extension UInt64 {
    fileprivate var bytes: Data { Data((0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }) }

    fileprivate init(_ bytes: Data) {
        self = bytes.count == 8 ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0
    }
}
#endif
