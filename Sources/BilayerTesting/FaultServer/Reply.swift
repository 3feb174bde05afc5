public import Foundation

/// The reply of the server to a request: a list of actions on the connection.
///
/// The static members are the usual responses and faults; they can be combined:
///
/// ```swift
/// server.on(.get, "/users", .json("[]"), .delayed(.seconds(2)), .resetInBody(after: 10))
/// server.on(.get, "/slow", .delayed(.milliseconds(50), then: .text("late", status: 503)))
/// ```
///
/// Other replies are lists of actions:
///
/// ```swift
/// let hiccup = Reply(
///     .head("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .body("["), .pause(.seconds(1)), .body("]"))
/// ```
///
/// The connection stays open for the next request, unless the last action ends it or the client requested its end.
public struct Reply: Sendable, Hashable {
    /// One action of a reply.
    public enum Action: Sendable, Hashable {
        /// Sends bytes of the head, or other bytes outside a body.
        case head(Data)
        /// Sends bytes of the body; has no effect in the reply to a `HEAD` request.
        case body(Data)
        /// Sends bytes of the body as many times: a stream that is in memory nowhere. Has no effect in the reply to a
        /// `HEAD` request.
        case bodies(Data, count: Int)
        /// Waits. The wait and the connection end if the client closes the connection, and with ``FaultServer/stop()``.
        case pause(Duration)
        /// Waits for ``FaultServer/release()``. The wait and the connection end if the client closes the connection,
        /// and with ``FaultServer/stop()``.
        case hold
        /// Closes the connection (FIN). It must be the last action.
        case close
        /// Resets the connection (RST). It must be the last action.
        case reset
        /// Closes the connection (FIN) without the closing alert of TLS, as somebody on the way can do (RFC 8446 §6.1).
        /// It must be the last action. Without TLS it is ``close``.
        case cut
    }

    /// The actions, in order.
    public let actions: [Action]

    /// Makes a reply of actions.
    public init(_ actions: [Action]) { self.actions = actions }

    /// Makes a reply of actions.
    public init(_ actions: Action...) { self.init(actions) }
}

extension Reply.Action {
    /// Sends text that belongs to the head.
    public static func head(_ text: String) -> Self { .head(Data(text.utf8)) }

    /// Sends text that belongs to the body.
    public static func body(_ text: String) -> Self { .body(Data(text.utf8)) }
}
