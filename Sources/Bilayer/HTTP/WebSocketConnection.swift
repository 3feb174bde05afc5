public import Foundation

/// An open WebSocket of a transport (RFC 6455). It sends and receives untyped messages.
///
/// Apps use ``WebSocket``. Only a custom transport needs a type that conforms to this protocol. For a request with
/// ``HTTPRequest/opensWebSocket``, the transport returns a value of that type in ``HTTPResponse/webSocket``.
public protocol WebSocketConnection: Sendable {
    /// Waits for the next message. Only one task at a time calls this.
    /// - Returns: The message.
    /// - Throws: ``WebSocketClosedError`` after the peer has closed the connection. ``TransportError`` after the
    ///   connection was lost, or if a message is invalid or too large. `CancellationError` if the task is cancelled.
    func receive() async throws -> WebSocketMessage

    /// Sends a message. Several tasks can call this at a time; messages are not mixed.
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketClosedError``, ``TransportError``, `CancellationError`.
    func send(_ message: WebSocketMessage) async throws

    /// Sends a ping and waits for its pong (RFC 6455 §5.5.2).
    /// - Throws: ``WebSocketClosedError``, ``TransportError``, `CancellationError`.
    func ping() async throws

    /// Closes the connection. Does nothing if it is already closed.
    /// - Parameters:
    ///   - code: The code that the peer receives.
    ///   - reason: The reason that the peer receives, at most 123 bytes.
    func close(_ code: WebSocketCloseCode, reason: String)
}

/// A message of a WebSocket (RFC 6455 §5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// A message of text.
    case text(String)
    /// A message of bytes.
    case data(Data)

    /// The bytes of the message; for a text its UTF-8.
    public var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }
}

/// The code with which a WebSocket was closed (RFC 6455 §7.4 and the IANA registry).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number; the codes of RFC 6455 are 1000 to 4999.
    public let rawValue: UInt16

    /// Makes a code.
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
    /// The peer goes away: a server shuts down, or a browser leaves the page.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// A frame broke the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A message had a type that the peer does not accept.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// The peer sent no code.
    public static let noCode = WebSocketCloseCode(rawValue: 1005)
    /// The connection was lost without a close frame.
    public static let abnormalClosure = WebSocketCloseCode(rawValue: 1006)
    /// A message contained invalid data, such as text that is not UTF-8.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// A message violated the peer's policy.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message was too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// An internal error prevented the peer from continuing.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// The peer restarts.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// The peer is overloaded.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// A gateway received an invalid response from the server behind it.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)

    /// Whether a close frame may contain the code. The codes 1004 to 1006 and 1015 are never sent. Of the other codes
    /// under 3000, only the registered ones, 1000 to 1014, may be sent (RFC 6455 §7.4).
    var isSendable: Bool {
        switch rawValue {
        case 1004...1006, 1015: false
        default: (1000...1015).contains(rawValue) || (3000...4999).contains(rawValue)
        }
    }

    /// Whether a new connection may succeed. False for a normal closure, for a code that is a reaction to the sent
    /// messages, and for an unknown code.
    var allowsReconnection: Bool {
        let codes: [Self] = [
            .goingAway, .noCode, .abnormalClosure, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
        ]
        return codes.contains(self)
    }
}

/// The error of a connection that the peer has closed.
public struct WebSocketClosedError: Error, Sendable, Hashable {
    /// The peer's code.
    public let code: WebSocketCloseCode
    /// The peer's reason; empty if it sent none.
    public let reason: String

    /// Makes an error.
    /// - Parameters:
    ///   - code: The peer's code.
    ///   - reason: The peer's reason.
    public init(_ code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}

extension WebSocketMessage: Redacted {
    /// The type and the size of the message.
    public var description: String {
        switch self {
        case .text(let text): "text, \(byteCountText(text.utf8.count))"
        case .data(let data): "data, \(byteCountText(data.count))"
        }
    }
}

extension WebSocketCloseCode: Redacted {
    /// The number of the code.
    public var description: String { "\(rawValue)" }
}

extension WebSocketClosedError: Redacted {
    /// The code. The peer's reason is omitted, because it can contain values.
    public var description: String { "the peer closed the connection with code \(code)" }
}

/// Returns the bytes of a reason, cut between characters to the 123 bytes that a close frame can hold (RFC 6455 §5.5).
func closeReasonBytes(_ reason: String) -> Data {
    var text = Substring(reason)
    while text.utf8.count > 123 { text.removeLast() }
    return Data(text.utf8)
}
