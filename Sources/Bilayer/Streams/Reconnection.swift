/// The rule for opening a stream, a download or a WebSocket again.
///
/// Each is opened again after a lost connection, and after a response of 429, 502, 503 or 504. An attempt that reaches
/// no server or takes too long is followed by another, too. The first opening of a WebSocket is the exception: its
/// error is thrown at once. A WebSocket is also opened again after close codes such as
/// ``WebSocketCloseCode/goingAway``.
///
/// If the response has a `Retry-After` (RFC 9110 §10.2.3), the wait is at least that long. If the `Retry-After` is
/// longer than ``longestWait``, there is no further attempt, and the response is the final error.
///
/// Each is also opened again if a ``CircuitBreaker`` refuses an attempt. The wait then lasts at least until the circuit
/// lets a request through. If that time is longer than ``longestWait``, the attempts end. If an attempt fails because
/// the server of a token refresh is unreachable or fails with a status such as 503, there is another attempt, too.
///
/// Some requests are not sent twice: a `POST`, a `PATCH` or an unknown method without an `Idempotency-Key`, a GraphQL
/// mutation without one, and a request whose body can be read only once. For such a request, the loss is the final
/// error. A GraphQL query or subscription may be sent twice by `POST`, too.
public struct Reconnection: Sendable, Hashable {
    /// The maximum number of attempts in a row without an element, a message, or new bytes of a download.
    public let attempts: Int
    /// Whether the stream is also opened again after the server has ended it, and not only after a loss. Has no effect
    /// on a download or a WebSocket.
    public let isAfterEnd: Bool
    /// The wait before the first attempt, unless the stream states another wait (`retry:`). It doubles for each further
    /// attempt. A longer `Retry-After` extends a wait.
    public let firstWait: Duration
    /// The longest wait before an attempt. It is also the longest `Retry-After` that is accepted.
    public let longestWait: Duration

    /// Nothing is opened again: a stream, a download or a WebSocket ends with its connection.
    public static let never = Reconnection(attempts: 0, isAfterEnd: false, firstWait: .zero, longestWait: .zero)

    /// The stream is opened again after a loss.
    /// - Parameters:
    ///   - attempts: The maximum number of attempts in a row without an element. The error of the last attempt ends the
    ///     stream.
    ///   - isAfterEnd: Whether the stream is also opened again after the server has ended it, as browsers do. The
    ///     server then ends the stream by a response of 204.
    ///   - firstWait: The wait before the first attempt, unless the stream states another wait (`retry:`). A longer
    ///     `Retry-After` extends it.
    ///   - longestWait: The longest wait. A response with a longer `Retry-After` is the error that ends the stream.
    /// - Returns: The rule for opening the stream again.
    public static func afterLoss(
        attempts: Int = 5,
        isAfterEnd: Bool = false,
        firstWait: Duration = .seconds(3),
        longestWait: Duration = .seconds(60)
    ) -> Reconnection {
        Reconnection(attempts: attempts, isAfterEnd: isAfterEnd, firstWait: firstWait, longestWait: longestWait)
    }

    /// Whether another attempt may succeed. True after a loss, after the response of a gateway whose server restarts,
    /// and after a 429 (too many requests, RFC 6585 §4). Also true after some codes that close a WebSocket, after an
    /// open circuit, and after a token refresh whose server is unreachable or broken. False after a response such as
    /// 401.
    func mayFollow(_ error: any Error) -> Bool {
        guard let error = (error as? CallError)?.innermost else { return false }
        return switch error.underlyingError {
        case _ where isTemporary(error): true
        case let fault as TransportError: RetryPolicy.retriedFaults.contains(fault.kind)
        case let closed as WebSocketClosedError: closed.code.allowsReconnection
        // The loss may have opened the circuit, or made the refresh of an expired token fail.
        case is any UnsentRequestError: true
        case let error as AuthenticationError: error.isOfServerOutOfReach
        default: false
        }
    }

    /// Whether the error is a temporary response, which the next attempt may not receive.
    private func isTemporary(_ error: CallError) -> Bool { [429, 502, 503, 504].contains(error.status) }

    /// The wait that the error states, and its name for a note. It is the `Retry-After` of a temporary response, or the
    /// time until a circuit lets a request through. `nil` if the error states none.
    private func statedWait(of error: (any Error)?) -> (time: Duration, name: String)? {
        guard let error = (error as? CallError)?.innermost else { return nil }
        let ofRefresh = (error.underlyingError as? AuthenticationError)?.unsentRequest
        if let unsent = error.underlyingError as? any UnsentRequestError ?? ofRefresh {
            return (unsent.remaining, "the time until a request is sent")
        }
        return isTemporary(error) ? error.response?.retryAfter.map { ($0, "Retry-After") } : nil
    }

    /// Decides whether there is another attempt, and records the attempt in the call's events.
    /// - Parameters:
    ///   - attempt: The number of this attempt in a row of attempts without progress, from 1.
    ///   - error: The reason why the connection is lost; `nil` if the server has ended the stream.
    ///   - asked: The wait that the stream states; `nil` if it states none.
    ///   - subject: The first words of the recorded event, which describe what happens after the wait.
    ///   - context: The call.
    /// - Returns: The wait before the attempt; `nil` if the end is final.
    func wait(
        before attempt: Int,
        after error: (any Error)?,
        asked: Duration? = nil,
        for subject: String,
        in context: CallContext
    ) -> Duration? {
        // The opening request decides, and not the request that was sent last. After a redirect, the last request may
        // be a GET. It may also have an `Idempotency-Key` that a middleware makes anew for each opening.
        let mayRepeat = context.openingRequest.map(context.mayRepeat) ?? true
        guard mayRepeat, attempt <= attempts, error.map(mayFollow) ?? true else { return nil }
        let stated = statedWait(of: error)
        if let stated, stated.time > longestWait {
            let most = longestWait.formattedSeconds
            context.note("\(stated.name) is \(stated.time.formattedSeconds), at most \(most) is waited")
            return nil
        }
        let wait = max(wait(before: attempt, asked: asked), stated?.time ?? .zero)
        context.note("\(subject) after \(wait.formattedSeconds)")
        return wait
    }

    /// Returns the wait before an attempt. Attempts are counted from 1. The wait before the first one is `asked`, or
    /// ``firstWait`` if `asked` is `nil`. It doubles for each further attempt, up to ``longestWait``.
    func wait(before attempt: Int, asked: Duration?) -> Duration {
        var wait = asked ?? firstWait
        for _ in 1..<max(min(attempt, 32), 1) { wait = min(wait * 2, longestWait) }
        return min(wait, longestWait)
    }
}

extension Reconnection: Redacted {}
