/// A time limit for one attempt.
///
/// Add it inside of a ``Retry``: an attempt that takes too long is cancelled, and the retry can send the request again.
/// The limit covers the whole attempt, an upload included, while ``HTTPRequest/timeout`` limits the wait for the next
/// byte. So a server that sends a byte a second does not keep a call for hours. A route with large uploads needs a
/// longer limit.
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: .attemptDeadline(.seconds(5)))
///     .wrapped(by: .retry(.exponential(attempts: 3)))
/// ```
///
/// Time and errors are as for ``Deadline``. If a client or a route has this type as a ``CallOption``, the limit of the
/// option replaces the limit of the middleware. The option has no effect without this middleware around the transport.
public struct AttemptDeadline: Middleware, CallOption, Hashable {
    let limit: Duration

    /// Makes a deadline.
    /// - Parameter limit: The time for an attempt. At zero or less, nothing is sent.
    public init(_ limit: Duration) { self.limit = limit }

    /// Passes the request on, and ends the attempt when the time is up.
    /// - Throws: ``TransportError`` of the kind ``TransportError/Kind-swift.struct/timedOut``, the errors of the nodes
    ///   inside, and `CancellationError` if the calling task was cancelled.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let limit = context.options[AttemptDeadline.self]?.limit ?? limit
        return try await next.process(request, in: context, within: limit, named: "deadline of the attempt")
    }
}

extension Middleware where Self == AttemptDeadline {
    /// A time limit for one attempt.
    /// - Parameter limit: The time.
    /// - Returns: The middleware.
    public static func attemptDeadline(_ limit: Duration) -> AttemptDeadline { AttemptDeadline(limit) }
}

extension AttemptDeadline: Redacted {
    /// The type and the limit, for example `AttemptDeadline(5.000 s)`.
    public var description: String { "AttemptDeadline(\(limit.formattedSeconds))" }
}
