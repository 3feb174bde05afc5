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
///   client, it is added to every request. The transport removes it when a redirect leaves the origin.
/// - A request that has an `Authorization` field already is passed on unchanged. So is that of a route with the option
///   ``none``, which needs no token.
/// A token whose lifetime is known is replaced before the request is sent. If the lifetime is unknown, the request is
/// sent with the last token, and the server's 401 starts the refresh.
///
/// - A refused request is sent again with the stored token, if that is newer, and once more after a refresh. If it is
///   refused again, its response is returned.
/// - A request whose body can be sent only once (``HTTPBody/isReplayable``) is not sent again. Nor is a `POST` without
///   an `Idempotency-Key` if a redirect has made a `GET` of it, and that is refused: the `POST` was carried out.
/// - ``BearerTokens/replace(with:)`` changes the user. A refused request of a call that began before is not sent again:
///   its response is returned. If such a call still has to send a request, or a ``Retry`` sends one again, it fails
///   with ``AuthenticationError/Kind-swift.struct/userChanged``. A call begins when the client's method is called.
/// - With an ``HTTPCache`` inside, the call's ``CachePolicy`` can allow a stored response without a refresh.
///   ``CachePolicy/cacheOnly`` never refreshes. ``CachePolicy/cacheElseNetwork`` refreshes only if nothing is stored.
///   ``CachePolicy/networkElseCache`` uses a stored response if the refresh before the request did not reach its
///   server, or got 500, 502, 503 or 504. The error of a refresh after a 401 is thrown. Other policies need a token
///   first. The look-up uses the last token, expired or not, or no token before
///   the first one. After ``BearerTokens/replace(with:)`` with `nil` no stored response is used.
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
    /// - Throws: ``AuthenticationError`` if there is no token, and the errors of the nodes inside.
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
            return try await stored.replacement(of: error, for: request, in: context)
        }
        var (refusals, isRefreshed) = (0, false)
        while true {
            let authorized = request.authorized(by: token)
            context.noteCredentials(of: UserMark(tokens, userNumber: user), setIn: authorized, madeOf: request)
            let response = try await next.process(authorized, in: context)
            let refuses = await isRefused(Refusal(response, in: context))
            tokens.noteUse(of: token, isRefused: refuses && response.isOfOrigin(of: authorized, in: context))
            // Twice, because the first refusal may be that of a token that is older than the stored one.
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
        // A 303 says that the request was carried out (RFC 9110 §15.4.4). The refused one is that to its result.
        if let sent = context.sentRequest, sent.method == .get, request.method != .get,
            let obstacle = context.obstacle(toRepeating: request)
        {
            return end("the refused GET is that of a redirect; \(obstacle)")
        }
        return true
    }
}

extension Middleware where Self == Authentication {
    /// Adds a bearer token to each request, and sends a request that is refused with 401 again with a new token.
    ///
    /// For another sign of refusal use ``Authentication/init(_:when:)``.
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
    /// Whether the response is of an origin that received the token: the origin of the request, or of another address
    /// of a ``Failover``. An origin that a redirect led to received none.
    fileprivate func isOfOrigin(of request: HTTPRequest, in context: CallContext) -> Bool {
        guard let url else { return true }
        let isSameOrigin = url.hasSameOrigin(as: request.url)
        guard let sent = context.sentRequest, url.hasSameOrigin(as: sent.url) else { return isSameOrigin }
        // A redirect to another origin has removed the token, even if a further redirect has led back.
        guard let token = sent.headers[.authorization] else { return false }
        return isSameOrigin || token == request.headers[.authorization]
    }
}
