public import Bilayer
public import Foundation

/// A reply of the server to a request: a list of actions on the connection.
///
/// The static members make the usual responses and faults. They can be combined:
///
/// ```swift
/// server.on(.get, "/users", .json("[]"), .delayed(.seconds(2)), .resetInBody(after: 10))
/// server.on(.get, "/slow", .delayed(.milliseconds(50), then: .text("late", status: 503)))
/// ```
///
/// For any other reply, list its actions:
///
/// ```swift
/// let hiccup = Reply(
///     .head("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .body("["), .pause(.seconds(1)), .body("]"))
/// ```
///
/// The connection stays open for further requests, unless the last action ends it, the client requested to close it, a
/// fault interrupted the upload, or the reply was scripted by ``FaultServer/onConnect(_:)``. A client of HTTP/1.0 must
/// request `keep-alive`, and a chunked reply to it ends the connection.
public struct Reply: Sendable, Hashable {
    /// One action of a reply.
    public enum Action: Sendable, Hashable {
        /// Sends bytes of the head, or other bytes outside a body.
        case head(Data)
        /// Sends bytes of the body. Has no effect in the reply to a `HEAD` request.
        case body(Data)
        /// Sends the same bytes of the body several times, so that a large body is never in memory. Has no effect in
        /// the reply to a `HEAD` request.
        case bodies(Data, count: Int)
        /// Waits for a duration. The wait and the connection end early if the client closes the connection, or at
        /// ``FaultServer/stop()``. On Apple platforms, a close by the client may go unnoticed unless it is a reset.
        case pause(Duration)
        /// Waits for ``FaultServer/release()``. The wait and the connection end early if the client closes the
        /// connection, or at ``FaultServer/stop()``. On Apple platforms, a close by the client may go unnoticed unless
        /// it is a reset.
        case hold
        /// Closes the connection (FIN). It must be the last action.
        case close
        /// Resets the connection (RST). It must be the last action.
        case reset
        /// Closes the connection (FIN) without the closing alert of TLS, as an attacker on the network can (RFC 8446
        /// §6.1). It must be the last action. Without TLS, the effect is that of ``close``.
        case cut
    }

    /// The actions, in order.
    public let actions: [Action]

    /// Makes a reply from a list of actions.
    public init(_ actions: [Action]) { self.actions = actions }

    /// Makes a reply from its actions.
    public init(_ actions: Action...) { self.init(actions) }
}

extension Reply.Action {
    /// Sends text as bytes of the head.
    public static func head(_ text: String) -> Self { .head(Data(text.utf8)) }

    /// Sends text as bytes of the body.
    public static func body(_ text: String) -> Self { .body(Data(text.utf8)) }
}

extension Reply: Redacted {
    /// The actions, joined by commas: `head of 64 B, body of 2 B`.
    public var description: String { actions.map(\.description).joined(separator: ", ") }
}

extension Reply.Action: Redacted {
    /// The name of the action, with sizes instead of bytes.
    public var description: String {
        switch self {
        case .head(let bytes): "head of \(byteCountText(bytes.count))"
        case .body(let bytes): "body of \(byteCountText(bytes.count))"
        case .bodies(let bytes, let count): "\(count) times a body of \(byteCountText(bytes.count))"
        case .pause(let duration): "pause of \(duration)"
        case .hold: "hold"
        case .close: "close"
        case .reset: "reset"
        case .cut: "cut"
        }
    }
}
