// Requests without a stored response, and stored responses of any age.

extension CacheEngine {
    /// Passes a request on, and invalidates what it may have changed (RFC 9111 §4.4).
    func pass(
        _ request: HTTPRequest,
        in context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try await next.process(request, in: context)
        } catch {
            // The head says that the change was made; only the body was lost.
            if !request.isSafe, let head = (error as? TransportError)?.response {
                await keeper.invalidate(after: head, to: request)
            }
            throw error
        }
        if !request.isSafe { await keeper.invalidate(after: response, to: request) }
        context.note("cache: bypass; fwd-status=\(response.status.code)")
        response.cacheStatus = .bypass
        return response
    }

    /// The stored response whatever its age, for a policy of the app.
    func stored(for lookup: CacheLookup, in context: CallContext) -> HTTPResponse? {
        guard let entry = lookup.selected else { return nil }
        return serve(entry, to: lookup.request, as: status(of: entry, for: lookup), because: "policy", context)
    }
}

extension HTTPRequest {
    /// Whether a stored response may be used for the request: `GET` or `HEAD` without a body, a range or a condition.
    var allowsStoredResponse: Bool {
        (method == .get || method == .head) && body == nil && !streamsResponse && headers[CacheField.range] == nil
            && !CacheField.conditions.contains { headers[$0] != nil }
    }

    /// RFC 9110 §9.2.1.
    var isSafe: Bool { [.get, .head, .options, "TRACE"].contains(method) }
}
