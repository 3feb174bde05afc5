/// A middleware that signs each request as the last step before it is sent.
///
/// Add it first, directly around the transport. The middleware then receives the request with every change by other
/// middlewares. It runs on every attempt, so that a signature with a date is not too old at a later attempt.
///
/// ```swift
/// @Sendable func signature(of request: HTTPRequest) -> String { "…" }
///
/// let transport = URLSessionTransport()
///     .wrapped(by: Signing { request in
///         var request = request
///         request.headers["X-Signature"] = signature(of: request)
///         return request
///     })
///     .wrapped(by: .retry(.exponential(attempts: 3)))
/// ```
///
/// The transport follows redirects itself, so the redirected request has the signature of the first request. To another
/// origin the transports of this package send no field that is a credential by its name
/// (``HTTPHeaders/Name/isSecret``).
///
/// A `Signing` value and its copies sign for one user. Make another value for the next user: signatures are not
/// compared. Calls through two values share no requests (``Deduplication``, ``OperationBatching``), and do not resume
/// each other's downloads.
public struct Signing: Middleware {
    private let sign: @Sendable (HTTPRequest) async throws -> HTTPRequest
    let userSource: any UserSource = FixedUser()

    /// Makes the middleware. Copies sign for the same user.
    /// - Parameter sign: Returns the request with its signature.
    public init(_ sign: @escaping @Sendable (_ request: HTTPRequest) async throws -> HTTPRequest) { self.sign = sign }

    /// Signs the request.
    /// - Throws: The errors of the closure and of the nodes inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let signed = try await sign(request)
        context.recordCredentials(of: UserMark(now: userSource), setIn: signed, madeOf: request)
        return try await next.process(signed, in: context)
    }
}

extension Signing: SendsForUser {}

extension Signing: Redacted {}
