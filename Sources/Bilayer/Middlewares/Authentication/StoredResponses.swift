/// Finds stored responses for calls of ``Authentication`` that have no valid token, or that may use only the cache. A
/// stored response is found only with a cache among the nodes inside, and under a ``CachePolicy`` that allows it.
struct StoredResponses<Next: Node<HTTPRequest, HTTPResponse>> {
    let tokens: BearerTokens
    /// The user of the call.
    let user: Int
    let next: Next

    /// Returns a stored response if the policy of the call allows one without a token; `nil` if the call needs a token.
    /// - Throws: ``CacheMissError`` if nothing is stored and the call may use only the cache. Also the errors of the
    ///   nodes inside.
    func response(to request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse? {
        let policy = context.options[CachePolicy.self]
        guard hasStore(next) else {
            // A call that may send nothing must not start a refresh either.
            if policy == .cacheOnly, tokens.needsRefresh { throw CacheMissError() }
            return nil
        }
        guard policy == .cacheOnly || policy == .cacheElseNetwork && tokens.needsRefresh else { return nil }
        if let stored = try await lookUp(request, in: context) { return stored }
        if policy == .cacheOnly { throw CacheMissError() }
        return nil
    }

    /// Returns a stored response for a call that got an error instead of a token.
    /// - Throws: `error`, if nothing is stored, if the policy of the call or the kind of `error` allows no stored
    ///   response, or if the task is cancelled. Also the errors of the nodes inside.
    func replacement(
        of error: AuthenticationError,
        for request: HTTPRequest,
        in context: CallContext
    ) async throws -> HTTPResponse {
        guard context.options[CachePolicy.self] == .networkElseCache, error.isOfServerOutOfReach, !Task.isCancelled,
            hasStore(next)
        else { throw error }
        context.note("\(error.kind); its server is out of reach")
        guard let stored = try await lookUp(request, in: context) else { throw error }
        return stored
    }

    /// Looks up the stored response with the last token. So a stored response with `Vary: Authorization` matches only
    /// if it was stored with that token.
    private func lookUp(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse? {
        guard let token = tokens.lastToken(for: user) else {
            context.note("the token was removed; responses that were stored before are not used")
            return nil
        }
        do {
            let cached = context.with(option: CachePolicy.cacheOnly)
            return try await next.process(request.authorized(by: token), in: cached)
        } catch is CacheMissError {
            return nil
        }
    }
}

extension HTTPRequest {
    /// Returns this request with the token.
    func authorized(by token: IssuedToken) -> HTTPRequest {
        var request = self
        request.headers[.authorization] = token.value.map { "Bearer \($0)" }
        return request
    }
}
