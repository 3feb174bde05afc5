/// When a stream, a download or a WebSocket is opened again: after a lost connection, and while the response is 502,
/// 503 or 504. If that has a `Retry-After` (RFC 9110 §10.2.3), at least as long is waited; one that is longer than
/// ``longestWait`` ends with its response at once.
///
/// A request that may not be sent twice is not: a `POST` without an `Idempotency-Key`, a GraphQL mutation, one with a
/// body that can be read once. The loss is then the error.
public struct Reconnection: Sendable, Hashable {
    /// The most attempts in a row without an element.
    public let attempts: Int
    /// Whether the stream is opened again when the server has ended it, and not only when it was lost.
    public let isAfterEnd: Bool
    /// The wait before the first attempt, unless the server states another one. Doubled for each further attempt.
    public let firstWait: Duration
    /// The longest wait, also for a `Retry-After`.
    public let longestWait: Duration

    /// The stream ends with its connection.
    public static let never = Reconnection(attempts: 0, isAfterEnd: false, firstWait: .zero, longestWait: .zero)

    /// The stream is opened again after a loss.
    /// - Parameters:
    ///   - attempts: The most attempts in a row without an element; the error of the last one ends the stream.
    ///   - isAfterEnd: Whether that is also done when the server has ended the stream, as browsers do. A response of
    ///     204 then ends it.
    ///   - firstWait: The wait before the first attempt, unless the server states another one.
    ///   - longestWait: The longest wait, also for a `Retry-After`: a longer one ends the stream with its response.
    /// - Returns: When the stream is opened again.
    public static func afterLoss(
        attempts: Int = 5,
        isAfterEnd: Bool = false,
        firstWait: Duration = .seconds(3),
        longestWait: Duration = .seconds(60)
    ) -> Reconnection {
        Reconnection(attempts: attempts, isAfterEnd: isAfterEnd, firstWait: firstWait, longestWait: longestWait)
    }

    /// Whether another attempt may have a better end: after a loss, or the response of a gateway whose server restarts,
    /// not after a response such as 401.
    func mayFollow(_ error: any Error) -> Bool {
        guard let error = error as? CallError else { return false }
        return switch error.underlyingError {
        case _ where isOfGateway(error): true
        case let fault as TransportError: RetryPolicy.retriedFaults.contains(fault.kind)
        case let closed as WebSocketClosedError: closed.code.isOfALoss
        default: false
        }
    }

    private func isOfGateway(_ error: CallError) -> Bool { [502, 503, 504].contains(error.status) }

    /// The wait that the response of a gateway states.
    private func retryAfter(of error: (any Error)?) -> Duration? {
        guard let error = error as? CallError, isOfGateway(error) else { return nil }
        return error.response?.retryAfter
    }

    /// Decides on another attempt, and notes it in the call's events.
    /// - Parameters:
    ///   - attempt: The number of the attempt in a row, from 1.
    ///   - error: Why the connection is lost; `nil` if the server has ended it.
    ///   - asked: The wait that the stream states.
    ///   - subject: What goes on, for the event.
    ///   - context: The call.
    /// - Returns: The wait before the attempt; `nil` if the end is final.
    func wait(
        before attempt: Int,
        after error: (any Error)?,
        asked: Duration? = nil,
        for subject: String,
        in context: CallContext
    ) -> Duration? {
        // Not the request that was sent last: after a redirect that is a GET, and a key that a middleware has made for
        // one attempt to open is another one for the next.
        let mayRepeat = context.openingRequest.map(context.mayRepeat) ?? true
        guard mayRepeat, attempt <= attempts, error.map(mayFollow) ?? true else { return nil }
        let retryAfter = retryAfter(of: error)
        if let retryAfter, retryAfter > longestWait {
            let most = longestWait.formattedSeconds
            context.note("Retry-After is \(retryAfter.formattedSeconds), at most \(most) is waited")
            return nil
        }
        let wait = max(wait(before: attempt, asked: asked), retryAfter ?? .zero)
        context.note("\(subject) after \(wait.formattedSeconds)")
        return wait
    }

    /// The wait before an attempt, counted from 1.
    func wait(before attempt: Int, asked: Duration?) -> Duration {
        var wait = asked ?? firstWait
        for _ in 1..<max(min(attempt, 32), 1) { wait = min(wait * 2, longestWait) }
        return min(wait, longestWait)
    }
}

extension Reconnection: Redacted {}
