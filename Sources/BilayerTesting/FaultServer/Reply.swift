public import Foundation

/// What the server does with a request: a list of actions on the connection, from the first byte of the answer to its
/// end.
///
/// The static members are recipes for the usual answers and faults; they can be put together:
///
/// ```swift
/// server.on(.get, "/users", .json("[]"), .delayed(.seconds(2)), .resetInBody(after: 10))
/// server.on(.get, "/slow", .delayed(.milliseconds(50), then: .text("late", status: 503)))
/// ```
///
/// Everything else is written down as actions:
///
/// ```swift
/// let hiccup = Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .body("["), .pause(.seconds(1)), .body("]"))
/// ```
///
/// The connection is kept for the next request unless the last action ends it or the client asked for its end.
public struct Reply: Sendable, Hashable {
    /// One step of an answer.
    public enum Action: Sendable, Hashable {
        /// Sends bytes that belong to the head, or to no answer at all.
        case head(Data)
        /// Sends bytes that belong to the body; left out in the answer to a `HEAD` request.
        case body(Data)
        /// Waits. A client that hangs up, or ``FaultServer/stop()``, ends the wait and the connection.
        case pause(Duration)
        /// Waits for ``FaultServer/release()``. A client that hangs up, or ``FaultServer/stop()``, ends the wait and
        /// the connection.
        case hold
        /// Ends the connection in order (FIN). Nothing may follow.
        case close
        /// Breaks the connection (RST), so that the client finds it reset. Nothing may follow.
        case reset
    }

    /// The steps, in order.
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
