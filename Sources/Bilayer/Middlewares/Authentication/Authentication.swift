import Foundation

/// A middleware that adds a bearer token (RFC 6750) to each request, and sends a refused request again with a new
/// token.
///
/// ```swift
/// let plain = Client(baseURL: url)                                // without this authentication
/// let refresh = Route<String>.post("session/refresh")
/// let tokens = BearerTokens(refreshingBy: { try await plain.fetch(refresh) })
/// let client = Client(baseURL: url, transport: URLSessionTransport().wrapped(by: .authentication(tokens)))
/// ```
///
/// - The token is sent to the origin (scheme, host and port) of the client's base address only. In a chain without a
///   client, it is added to every request. A ``Failover`` inside also sends it to its other addresses. The transports
///   of this package remove it when a redirect leaves the origin.
/// - A request that has an `Authorization` field already is passed on unchanged. A request of a route with the option
///   ``none`` is also passed on unchanged.
/// - A token that is about to expire is replaced in time (``BearerTokens``). If its lifetime is unknown, the request is
///   sent with the last token, and the server's refusal starts the refresh.
///
/// - A refused request is sent again with the stored token if that token is newer. If no newer token is stored, or if
///   the newer token is refused too, a refresh follows, and the request is sent once more. If another call has already
///   refreshed the refused newer token, the request is sent with the token of that refresh. If the request is refused
///   after the refresh, the response is returned.
/// - A request whose body can be sent only once (``HTTPBody/isReplayable``) is not sent again. A redirect can turn a
///   `POST` into a `GET`. If that `GET` is refused, the server has already carried out the `POST`. So the `POST` is
///   sent again only if it has an `Idempotency-Key` or is a GraphQL query.
/// - ``BearerTokens/replace(with:)`` changes the user. If a request with the former user's token is refused, it is not
///   sent again, and the response is returned. If a call of the former user has to send another request, for example
///   because of a ``Retry``, that request fails with an ``AuthenticationError`` of the kind
///   ``AuthenticationError/Kind-swift.struct/userChanged``. A call begins when the client's method is called.
/// - If an ``HTTPCache`` is one of the nodes inside, the call's ``CachePolicy`` can allow a stored response without a
///   refresh. ``CachePolicy/cacheOnly`` never refreshes. ``CachePolicy/cacheElseNetwork`` refreshes only if nothing is
///   stored. ``CachePolicy/networkElseCache`` uses a stored response if the refresh before the request failed by its
///   connection (``RetryPolicy/retriedFaults``, TLS, an open circuit), or with the status 500, 502, 503 or 504. If a
///   refresh after a refusal fails, its error is thrown. Under all other policies the cache is used only with a valid
///   token. The look-up uses the last token, expired or not. Before the first token it uses none. After
///   ``BearerTokens/replace(with:)`` with `nil` no stored response is used.
///
/// ``BearerTokens`` describes the refresh.
public struct Authentication: Middleware {
    private let tokens: BearerTokens
    private let isRefused: @Sendable (Refusal) async -> Bool

    /// Makes the middleware.
    /// - Parameters:
    ///   - tokens: The tokens of the session.
    ///   - isRefused: Returns whether a response refuses the token. By default a 401 does.
    public init(
        _ tokens: BearerTokens,
        when isRefused: @escaping @Sendable (Refusal) async -> Bool = { $0.status == 401 }
    ) {
        self.tokens = tokens
        self.isRefused = isRefused
    }

    /// Adds the token, and sends the request again if the token is refused.
    /// - Throws: ``AuthenticationError`` if there is no token for the call. ``CacheMissError`` if the call may use only
    ///   the cache and nothing is stored. `CancellationError` if the task is cancelled while it waits for a token. Also
    ///   the errors of the nodes inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard request.mayHaveCredentials(in: context) else { return try await next.process(request, in: context) }
        let user = context.userNumber(noting: UserMark(now: tokens))
        let stored = StoredResponses(tokens: tokens, user: user, next: next)
        if let response = try await stored.response(to: request, in: context) { return response }
        var token: IssuedToken
        do {
            token = try await tokens.token(for: user, in: context)
        } catch let error as AuthenticationError {
            return try await stored.replacement(of: error.beforeSending, for: request, in: context)
        }
        var (refusals, isRefreshed) = (0, false)
        while true {
            let authorized = request.authorized(by: token)
            context.recordCredentials(of: UserMark(tokens, userNumber: user), setIn: authorized, madeOf: request)
            context.watchRequests()
            let response = try await next.process(authorized, in: context)
            let refuses = await isRefused(Refusal(response, in: context))
            if !refuses || response.isOfOrigin(of: authorized, in: context) {
                tokens.recordUse(of: token, isRefused: refuses)
            }
            // A second refusal is possible, because the first refused token may be older than the stored one. A third
            // token is always that of a refresh after the second one, by this call or another.
            guard refuses, refusals < 2, !isRefreshed,
                mayBeSentAgain(authorized, after: response, for: user, in: context)
            else { return response }
            refusals += 1
            (token, isRefreshed) = try await tokens.token(after: token, for: user, in: context)
        }
    }

    /// Whether another token may help a refused request. Notes the decision.
    private func mayBeSentAgain(
        _ request: HTTPRequest,
        after response: HTTPResponse,
        for user: Int,
        in context: CallContext
    ) -> Bool {
        guard response.isOfOrigin(of: request, in: context) else {
            context.note("status \(response.status) is of another origin, which had no token")
            return false
        }
        context.note("the token is refused with status \(response.status)")
        func end(_ reason: String) -> Bool {
            context.note("not sent again: \(reason)")
            return false
        }
        guard tokens.isCurrent(user) else { return end("the user has changed") }
        guard request.isReplayable else { return end("its body can be sent once") }
        // A redirect has turned the request into a `GET`, so the server has carried out the request (RFC 9110 §15.4.4).
        // The refused request is this `GET`, which asks for the result.
        if let sent = context.sentRequest, sent.method == .get, request.method != .get,
            let obstacle = context.obstacle(toRepeating: request)
        {
            return end("the refused GET is that of a redirect; \(obstacle)")
        }
        return true
    }
}

extension Middleware where Self == Authentication {
    /// Adds a bearer token to each request. If a request is refused with 401, sends it again with a new token.
    ///
    /// If the server refuses tokens in another way, use ``Authentication/init(_:when:)``.
    /// - Parameter tokens: The tokens of the session.
    /// - Returns: The middleware.
    public static func authentication(_ tokens: BearerTokens) -> Authentication { Authentication(tokens) }
}

extension Authentication {
    /// The option of a call that sends no token, for public endpoints. Such a call also works while no user is signed
    /// in.
    ///
    /// ```swift
    /// let status = Route<Json>.get("status").with(option: Authentication.none)
    /// ```
    public static var none: CredentialPolicy { .omitted }
}

extension Authentication: SendsForUser {
    var userSource: any UserSource { tokens }
}

extension Authentication: Redacted {}

extension HTTPResponse {
    /// Whether the response comes from an origin that received the token: the origin of the request, or the origin of
    /// another address of a ``Failover``. Another origin that a redirect led to received no token.
    fileprivate func isOfOrigin(of request: HTTPRequest, in context: CallContext) -> Bool {
        guard let url else { return true }
        let isSameOrigin = url.hasSameOrigin(as: request.url)
        guard let sent = context.sentRequest, url.hasSameOrigin(as: sent.url) else { return isSameOrigin }
        let token = sent.headers[.authorization]
        if let token, token == request.headers[.authorization] { return true }
        // A node inside has changed the field, or a redirect to another origin has removed the token. A further
        // redirect may have led back.
        let targets = context.watchedRequests.targets
        if targets.isEmpty { return token != nil && isSameOrigin }
        return targets.allSatisfy { $0.url.hasSameOrigin(as: request.url) }
    }
}
