public import Foundation

/// An open WebSocket of a transport (RFC 6455): messages both ways, without types.
///
/// Apps use ``WebSocket``. Conform to bring a transport of your own: answer a request that
/// ``HTTPRequest/opensWebSocket`` with a response that has a ``HTTPResponse/webSocket``.
public protocol WebSocketConnection: Sendable {
    /// Waits for the next message. Called by one task at a time.
    /// - Returns: The message.
    /// - Throws: ``WebSocketClosedError`` after the peer has closed the connection, ``TransportError`` after a loss,
    ///   `CancellationError`.
    func receive() async throws -> WebSocketMessage

    /// Sends a message. Called by several tasks at a time; messages stay whole.
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketClosedError``, ``TransportError``, `CancellationError`.
    func send(_ message: WebSocketMessage) async throws

    /// Sends a ping and waits for its pong (RFC 6455 §5.5.2).
    /// - Throws: ``WebSocketClosedError``, ``TransportError``, `CancellationError`.
    func ping() async throws

    /// Closes the connection. Has no effect on one that is closed.
    /// - Parameters:
    ///   - code: The code for the peer.
    ///   - reason: The reason for the peer, at most 123 bytes.
    func close(_ code: WebSocketCloseCode, reason: String)
}

/// A message of a WebSocket (RFC 6455 §5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// A text frame.
    case text(String)
    /// A binary frame.
    case data(Data)

    /// The bytes of either kind.
    public var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }
}

/// The code with which a WebSocket was closed (RFC 6455 §7.4, and the registry of IANA).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number: 1000 to 4999.
    public let rawValue: UInt16

    /// Makes a code.
    /// - Parameter rawValue: The number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
    /// The peer goes away.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// A frame broke the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A message of a kind that the peer does not take.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// The peer gave no code.
    public static let noCode = WebSocketCloseCode(rawValue: 1005)
    /// The connection was lost without a closing frame.
    public static let abnormalClosure = WebSocketCloseCode(rawValue: 1006)
    /// Text that is not UTF-8.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// A message against the peer's policy.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message that is too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// The peer could not go on.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// The peer restarts.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// The peer is overloaded.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// A gateway has no response of the server behind it.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)

    /// Whether another connection may go on: the code is no reaction to what was sent.
    var isOfALoss: Bool {
        let codes: [Self] = [
            .goingAway, .noCode, .abnormalClosure, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
        ]
        return codes.contains(self)
    }
}

/// The peer has closed the connection.
public struct WebSocketClosedError: Error, Sendable, Hashable {
    /// The peer's code.
    public let code: WebSocketCloseCode
    /// The peer's words; empty if it sent none.
    public let reason: String

    /// Makes an error.
    /// - Parameters:
    ///   - code: The peer's code.
    ///   - reason: The peer's words.
    public init(_ code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}

extension WebSocketMessage: Redacted {
    /// The kind and the size.
    public var description: String {
        switch self {
        case .text(let text): "text, \(byteCountText(text.utf8.count))"
        case .data(let data): "data, \(byteCountText(data.count))"
        }
    }
}

extension WebSocketCloseCode: Redacted {
    /// The number.
    public var description: String { "\(rawValue)" }
}

extension WebSocketClosedError: Redacted {
    /// The code, without the peer's words, which may contain values.
    public var description: String { "the peer closed the connection with code \(code)" }
}

/// The bytes of a reason, cut between characters to the 123 that a close frame has room for (RFC 6455 §5.5).
func closeReasonBytes(_ reason: String) -> Data {
    var text = Substring(reason)
    while text.utf8.count > 123 { text.removeLast() }
    return Data(text.utf8)
}
