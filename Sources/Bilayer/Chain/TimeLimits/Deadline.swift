/// A time limit: as an option for a whole call, as a middleware for the nodes inside it.
///
/// As a ``CallOption`` of the client or of a route it covers the whole call. It then limits the request encoding, the
/// transport with all its middlewares, the mapping, and the app's nodes:
///
/// ```swift
/// client.options[Deadline.self] = Deadline(.seconds(20))
/// let slow = Route.users.with(option: Deadline(.seconds(90)))
/// ```
///
/// As the outermost middleware it covers the way through the transport: all attempts, the waits between them, the
/// refresh of a token. Choose it for chains that are run by hand, and for a transport that several clients share:
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: .attemptDeadline(.seconds(5)))
///     .wrapped(by: .retry(.exponential(attempts: 3)))
///     .wrapped(by: .deadline(.seconds(20)))
/// ```
///
/// Time runs on the call's clock. When the time is up, the work inside is cancelled and awaited. The error is a
/// ``TransportError`` of the kind ``TransportError/Kind-swift.struct/timedOut``. A client's call throws it as the
/// ``CallError/underlyingError`` of a ``CallError``, which has the stage. Mapping computes and cannot be cancelled: the
/// running stage is awaited, and the next one does not begin. If the nodes inside of the middleware still return a
/// response after the cancel, that response is the result. If a whole call still returns a model, the model is the
/// result. If the caller has cancelled the call, the error is `CancellationError`. Deadline middlewares can be nested:
/// the limit that is reached first applies.
///
/// A call with ``CachePolicy/networkElseCache`` returns the stored response when the time is up, if an ``HTTPCache``
/// inside has one. The look-up runs the nodes around the cache again, for at most one second of the call's clock. If
/// the deadline is an option, the stored response is then mapped in the cancelled task. So a node of the app that waits
/// during this mapping, for example in `sleep`, fails.
///
/// If a call has the option, the deadline middlewares around its transport have no limits of their own. For a stream, a
/// download and a WebSocket, the limit applies only until the head of the response has arrived.
public struct Deadline: Middleware, CallOption, Hashable {
    static let name = "deadline of the call"

    let limit: Duration

    /// Makes a deadline.
    /// - Parameter limit: The time. At zero or less, nothing is sent.
    public init(_ limit: Duration) { self.limit = limit }

    /// Passes the request on, and ends the work inside when the time is up.
    /// - Throws: ``TransportError`` of the kind ``TransportError/Kind-swift.struct/timedOut``, the errors of the nodes
    ///   inside, and `CancellationError` if the calling task was cancelled.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        if context.hasDeadline { return try await next.process(request, in: context) }
        let limit = context.options[Deadline.self]?.limit ?? limit
        return try await next.process(request, in: context, within: limit, named: Deadline.name)
    }
}

extension Middleware where Self == Deadline {
    /// Returns a time limit for the nodes inside: all attempts, the waits between them, the refresh of a token.
    /// - Parameter limit: The time.
    /// - Returns: The middleware.
    public static func deadline(_ limit: Duration) -> Deadline { Deadline(limit) }
}

extension Deadline: Redacted {
    /// The type and the limit, for example `Deadline(20.000 s)`.
    public var description: String { "Deadline(\(limit.formattedSeconds))" }
}
