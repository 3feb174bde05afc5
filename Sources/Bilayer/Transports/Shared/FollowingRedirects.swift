extension HTTPRequest {
    /// Sends a request and follows its redirects by the call's policy (``RedirectPolicy``).
    /// - Parameters:
    ///   - context: The call.
    ///   - exchange: Sends one request and returns its response.
    /// - Returns: The first response that is not a redirect, or the first redirect that is not followed. A redirect to
    ///   an address to which no request can be sent is not followed either.
    /// - Throws: The error of an exchange; ``TransportError`` if there are too many redirects, or if a redirect keeps a
    ///   body that can be sent only once.
    func followingRedirects(
        in context: CallContext,
        _ exchange: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let policy = context.options[RedirectPolicy.self] ?? .follow()
        var request = self
        var followed = 0
        var redirect: (request: HTTPRequest, response: HTTPResponse)?
        while true {
            let response: HTTPResponse
            do {
                response = try await exchange(request)
            } catch let error as TransportError where error.kind == .invalidRequest {
                guard let redirect else { throw error }
                // Nothing was sent, because the transport refuses the address of the redirect.
                context.recordRequest(redirect.request)
                return redirect.response
            }
            guard let next = request.redirected(by: response),
                try policy.follows(from: request, to: next, after: followed)
            else { return response }
            guard next.isReplayable else {
                throw TransportError(
                    .bodyUnavailable,
                    detail: "found a redirect that keeps the body, expected none: the body can be sent once",
                    response: response
                )
            }
            redirect = (request, response)
            request = next
            followed += 1
        }
    }
}
