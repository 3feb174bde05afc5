/// A middleware that adds header fields that are made for each request: a device's id, a language, a token of another
/// system.
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: HeaderProvider { _ in [.acceptLanguage: "de", "X-Screen": "list"] })
/// ```
///
/// A field that the request has already is kept. Inside of a ``Retry`` the closure runs on every attempt. The fields
/// are added for every address. Add a bearer token by ``Authentication`` instead, which checks the origin.
///
/// Add a field that identifies the user, such as the `Cookie` of a session, outside of a ``Deduplication`` and an
/// ``OperationBatching``. Both compare the request as they receive it. They do not compare fields that are added
/// inside, so a call could get the response to another user's request. This is the right order:
///
/// ```swift
/// @Sendable func cookie() async -> String { "session=5c1f" }
///
/// let shared = URLSessionTransport()
///     .wrapped(by: .deduplication)
///     .wrapped(by: HeaderProvider { _ in [.cookie: await cookie()] })
/// ```
public struct HeaderProvider: Middleware {
    private let makeHeaders: @Sendable (HTTPRequest) async throws -> HTTPHeaders

    /// Makes the middleware.
    /// - Parameter makeHeaders: Returns the fields for a request.
    public init(_ makeHeaders: @escaping @Sendable (_ request: HTTPRequest) async throws -> HTTPHeaders) {
        self.makeHeaders = makeHeaders
    }

    /// Adds the fields.
    /// - Throws: The errors of the closure and of the nodes inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        var changed = request
        changed.headers = try await makeHeaders(request).replacing(with: request.headers)
        return try await next.process(changed, in: context)
    }
}

extension HeaderProvider: Redacted {}
