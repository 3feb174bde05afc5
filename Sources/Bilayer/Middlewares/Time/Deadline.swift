/// A time limit for everything inside: all attempts, the waits between them, the refresh of a token.
///
/// Add it as the outermost middleware, so that it covers the whole way through the transport:
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: .attemptLimit(.seconds(5)))
///     .wrapped(by: .retry(.exponential(attempts: 3)))
///     .wrapped(by: .deadline(.seconds(20)))
/// let slow = Route.users.with(option: Deadline(.seconds(90)))
/// ```
///
/// Time runs on the call's clock, from the request's arrival at the middleware. When it is up, the work inside is
/// cancelled and awaited, and the error is a ``TransportError`` of the kind
/// ``TransportError/Kind-swift.struct/timedOut``. A response that has arrived by then is returned. A cancelled caller
/// gets `CancellationError`. Deadlines can be nested; the shorter one ends the call.
///
/// The nodes before the transport and the mapping after it are not covered: they compute, and do not wait.
///
/// A route's own deadline (this type as a ``CallOption``) replaces the limit of each deadline of the transport.
public struct Deadline: Middleware, CallOption, Hashable {
    let limit: Duration

    /// Makes a deadline.
    /// - Parameter limit: The time for everything inside. At zero or less, nothing is sent.
    public init(_ limit: Duration) { self.limit = limit }

    /// Passes the request on, and ends the work inside when the time is up.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let limit = context.options[Deadline.self]?.limit ?? limit
        return try await next.process(request, in: context, within: limit, named: "deadline of the call")
    }
}

extension Middleware where Self == Deadline {
    /// A time limit for everything inside: all attempts, the waits between them, the refresh of a token.
    /// - Parameter limit: The time.
    /// - Returns: The middleware.
    public static func deadline(_ limit: Duration) -> Deadline { Deadline(limit) }
}

extension Deadline: Redacted {
    /// For example `Deadline(20.000 s)`.
    public var description: String { "Deadline(\(limit.formattedSeconds))" }
}
