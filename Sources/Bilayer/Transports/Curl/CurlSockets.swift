#if os(Linux)
import Foundation

/// The open WebSockets of an engine. The engine's thread uses this type to send and receive without waiting.
struct CurlSockets {
    /// An open WebSocket.
    final class Socket {
        let handle: CurlHandle
        let channel: CurlChannel
        /// The exchange is retained, because libcurl has pointers to it.
        let exchange: CurlExchange

        /// The frame that is partly sent, and the number of its bytes that were sent.
        fileprivate var outgoing: (frame: CurlChannel.Frame, sent: Int)?
        fileprivate var hasSentClose = false
        /// The payload of the last ping without a pong. Earlier pings need no pong (RFC 6455 §5.5.3).
        fileprivate var ping: Data?
        /// The received bytes of a message that has not arrived completely.
        fileprivate var message = Data()
        /// Whether this message is text; `nil` before its first part.
        fileprivate var isText: Bool?
        /// The payload of a control frame that has not arrived completely.
        fileprivate var control = Data()
        /// The time at which the connection ends even without the peer's closing frame.
        fileprivate var closesBy: ContinuousClock.Instant?

        init(_ handle: CurlHandle, _ channel: CurlChannel, _ exchange: CurlExchange) {
            self.handle = handle
            self.channel = channel
            self.exchange = exchange
        }
    }

    /// The longest wait of a closed socket for the peer's closing frame.
    static let closingTime = Duration.seconds(5)
    /// The number of parts that one socket receives before the others have their turn.
    private static let partsAtOnce = 64

    /// The open sockets, by the identities of their channels.
    private var all: [ObjectIdentifier: Socket] = [:]
    /// The sockets that have work.
    private var due: Set<ObjectIdentifier> = []

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ socket: Socket) {
        all[ObjectIdentifier(socket.channel)] = socket
        due.insert(ObjectIdentifier(socket.channel))
    }

    /// Records that a socket has work: a task has added a frame or made room, or the connection has an event.
    mutating func markDue(_ channel: CurlChannel) { due.insert(ObjectIdentifier(channel)) }

    /// Whether a socket still has work.
    var isDue: Bool { !due.isEmpty }

    /// The events that the sockets wait for. A socket that waits only for its reader is left out, because a lost
    /// connection would end each wait at once.
    var waits: [CurlMulti.Wait] {
        all.values.compactMap { socket in
            let (reads, writes) = (socket.channel.hasRoom, socket.outgoing != nil)
            guard reads || writes else { return nil }
            let descriptor = Int32(socket.handle.number(.lastSocket))
            return CurlMulti.Wait(socket: socket.channel, descriptor: descriptor, reads: reads, writes: writes)
        }
    }

    /// The earliest time at which a closing socket ends without the peer's closing frame.
    var deadline: ContinuousClock.Instant? { all.values.compactMap(\.closesBy).min() }

    /// Sends and receives on the sockets that have work, without waiting.
    /// - Parameter now: The time.
    /// - Returns: The sockets that have ended.
    mutating func tend(at now: ContinuousClock.Instant) -> [Socket] {
        let ids = due.union(all.filter { ($0.value.closesBy ?? now) < now }.keys)
        due = []
        var ended: [Socket] = []
        for id in ids {
            guard let socket = all[id] else { continue }
            do {
                if try socket.read(atMost: Self.partsAtOnce) { due.insert(id) }
                try socket.write()
                if socket.channel.isClosing, socket.closesBy == nil { socket.closesBy = now + Self.closingTime }
                if let end = socket.closesBy, end <= now { throw CurlChannel.closed }
            } catch {
                socket.channel.end(error)
                all[id] = nil
                ended.append(socket)
            }
        }
        return ended
    }
}

extension CurlSockets.Socket {
    /// Sends as many bytes as the connection takes.
    fileprivate func write() throws {
        while true {
            if outgoing == nil { outgoing = nextFrame.map { ($0, 0) } }
            guard let (frame, sent) = outgoing else { return }
            do throws(CurlError) {
                guard let count = try handle.send(frame.bytes.dropFirst(sent), frame.kind) else { return }
                guard sent + count >= frame.bytes.count else {
                    outgoing = (frame, sent + count)
                    return
                }
            } catch {
                throw Self.loss(error)
            }
            outgoing = nil
            if frame.kind == .close { hasSentClose = true }
            channel.sent(frame)
        }
    }

    /// The next frame to send: the pong of a received ping first. `nil` if there is none.
    private var nextFrame: CurlChannel.Frame? {
        guard let payload = ping else { return channel.nextFrame() }
        ping = nil
        return CurlChannel.Frame(id: 0, kind: .pong, bytes: payload)
    }

    /// Receives the arrived parts, up to a number of parts.
    /// - Returns: Whether there may be more.
    fileprivate func read(atMost parts: Int) throws -> Bool {
        for _ in 0..<parts {
            guard channel.hasRoom else { return false }
            let part: CurlFramePart?
            do throws(CurlError) {
                part = try handle.receivePart()
            } catch {
                throw Self.loss(error)
            }
            guard let part else { return false }
            try take(part)
        }
        return true
    }

    /// Adds a received part to its message or control frame. Passes on what is then complete.
    /// - Throws: The error with which the connection ends: the peer has closed it, or the message is refused.
    private func take(_ part: CurlFramePart) throws {
        if !part.kind.isDisjoint(with: [.close, .ping, .pong]) {
            control += part.bytes
            guard part.bytesLeft == 0 else { return }
            defer { control = Data() }
            if part.kind.contains(.close) { throw peerHasClosed() }
            if part.kind.contains(.ping) { ping = control }
            if part.kind.contains(.pong) { channel.receive(pong: control) }
            return
        }
        let limit = exchange.limit - message.count
        guard part.bytes.count <= limit, part.bytesLeft <= limit - part.bytes.count else {
            refuse(.messageTooBig)
            throw TransportError(
                .responseTooLarge,
                detail: "found a longer message, expected at most \(exchange.limit) bytes"
            )
        }
        if isText == nil { isText = part.kind.contains(.text) }
        message += part.bytes
        guard part.bytesLeft == 0, !part.kind.contains(.isContinued) else { return }
        defer { (message, isText) = (Data(), nil) }
        guard isText == true else { return channel.receive(.data(message)) }
        guard let text = String(validating: message, as: UTF8.self) else {
            refuse(.invalidData)
            throw TransportError(.malformedResponse, detail: "found a text message that is not UTF-8 (RFC 6455 §8.1)")
        }
        channel.receive(.text(text))
    }

    /// Answers the peer's closing frame with its code (RFC 6455 §5.5.1), and returns the error of the connection.
    private func peerHasClosed() -> any Error {
        let code =
            control.count < 2 ? nil : UInt16(control[control.startIndex]) << 8 | UInt16(control[control.startIndex + 1])
        let closed = WebSocketClosedError(
            code.map(WebSocketCloseCode.init) ?? .noCode,
            reason: String(decoding: control.dropFirst(2), as: UTF8.self)
        )
        refuse(closed.code)
        return channel.isClosing ? CurlChannel.closed : closed
    }

    /// Sends a closing frame without waiting, because the connection ends at once. Has no effect if a closing frame was
    /// sent before, or if another frame is partly sent.
    private func refuse(_ code: WebSocketCloseCode) {
        guard !hasSentClose, outgoing == nil else { return }
        hasSentClose = true
        _ = try? handle.send(CurlChannel.payload(code, ""), .close)
    }

    private static func loss(_ error: CurlError) -> TransportError {
        TransportError(
            .connectionLost,
            detail: "\(error); the peer sent no closing frame",
            underlyingError: error
        )
    }
}
#endif
