// Requests that may not use stored responses, and stored responses of any age.

extension CacheEngine {
    /// Passes a request on, and invalidates the entries that it may have changed (RFC 9111 §4.4).
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

    /// Passes on a request that may change something, and invalidates entries. Does not invalidate after an error
    /// status (RFC 9111 §4.4), or if the server certainly got no request. A response that a limit or a cancel has cut
    /// off may have confirmed the change.
    ///
    /// There is one exception: an error status describes the last request only. An earlier attempt, or the request
    /// before a redirect, may have made the change.
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
                // If the head has arrived, it can name further addresses to invalidate; only the body was lost.
                let head = (error as? TransportError)?.response
                await keeper.invalidate(after: head, to: request, sentAs: sent)
            }
            throw error
        }
    }

    /// Returns the stored response whatever its age, for a policy of the app; `nil` if there is none, or only a stale
    /// error.
    func stored(for lookup: CacheLookup, in context: CallContext) -> HTTPResponse? {
        guard let entry = lookup.selected, rules.isUsable(entry, at: now()) else { return nil }
        return serve(entry, to: lookup.request, as: status(of: entry, for: lookup), because: "policy", context)
    }
}

extension HTTPRequest {
    /// Whether a stored response may be used for the request. True for a `GET` or `HEAD` that has no body, range or
    /// condition, and that requests no stream and no WebSocket.
    var allowsStoredResponse: Bool {
        (method == .get || method == .head) && body == nil && !streamsResponse && !opensWebSocket
            && headers[CacheField.range] == nil && !CacheField.conditions.contains { headers[$0] != nil }
    }
}

extension SentRequests {
    /// Whether the server may have made the change of a request although the last outcome is an error. It may have made
    /// the change before a redirect, or in an earlier attempt whose response was lost.
    fileprivate func mayHaveMade(_ request: HTTPRequest) -> Bool {
        hasLoss
            || targets.contains {
                $0.method != request.method || $0.url.normalizedAddress != request.url.normalizedAddress
            }
    }
}
