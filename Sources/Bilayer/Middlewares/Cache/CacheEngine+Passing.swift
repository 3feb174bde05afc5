// Requests without a stored response, and stored responses of any age.

extension CacheEngine {
    /// Passes a request on, and invalidates what it may have changed (RFC 9111 §4.4).
    func pass(
        _ request: HTTPRequest,
        in context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        var response: HTTPResponse
        if request.method.isSafe {
            response = try await next.process(request, in: context)
        } else {
            response = try await change(by: request, in: context, through: next)
        }
        context.note("cache: bypass; fwd-status=\(response.status.code)")
        response.cacheStatus = .bypass
        return response
    }

    /// Passes on a request that may change something. Invalidates, unless the server has refused the change, or
    /// certainly got no request: also a response that a limit or a cancel has cut off may have said that it is done.
    ///
    /// An error status is the last word about the last attempt only.
    private func change(
        by request: HTTPRequest,
        in context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        context.watchRequests()
        do {
            let response = try await next.process(request, in: context)
            let sent = context.watchedRequests
            if response.status.isSuccess || response.status.isRedirection || sent.mayHaveMade(request) {
                await keeper.invalidate(after: response, to: request, sentAs: sent)
            }
            return response
        } catch {
            let sent = context.watchedRequests
            if error.leavesChangeUnknown || sent.mayHaveMade(request) {
                // The head says that the change was made; only the body was lost.
                let head = (error as? TransportError)?.response
                await keeper.invalidate(after: head, to: request, sentAs: sent)
            }
            throw error
        }
    }

    /// The stored response whatever its age, for a policy of the app.
    func stored(for lookup: CacheLookup, in context: CallContext) -> HTTPResponse? {
        guard let entry = lookup.selected, rules.isUsable(entry, at: now()) else { return nil }
        return serve(entry, to: lookup.request, as: status(of: entry, for: lookup), because: "policy", context)
    }
}

extension HTTPRequest {
    /// Whether a stored response may be used for the request: `GET` or `HEAD` without a body, a range or a condition.
    var allowsStoredResponse: Bool {
        (method == .get || method == .head) && body == nil && !streamsResponse && !opensWebSocket
            && headers[CacheField.range] == nil && !CacheField.conditions.contains { headers[$0] != nil }
    }
}

extension SentRequests {
    /// Whether the change of a request may be made, though its last outcome is an error. A redirect was no error, and
    /// an earlier attempt may have been lost after the server got it.
    fileprivate func mayHaveMade(_ request: HTTPRequest) -> Bool {
        hasLoss
            || targets.contains { $0.method != request.method || $0.url.cacheAddress != request.url.cacheAddress }
    }
}
