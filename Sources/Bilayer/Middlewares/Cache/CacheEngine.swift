import Foundation

/// The work of a cache for one request: looks up, calls the server, stores.
struct CacheEngine: Sendable {
    let keeper: CacheKeeper

    var rules: CacheRules { keeper.rules }
    var now: @Sendable () -> Date { keeper.now }

    /// Looks up the entries for a request. Every look-up must be ended by ``end(_:)``.
    func look(up request: HTTPRequest) async -> CacheLookup {
        let key = HTTPCacheKey(request.url)
        // The mark is taken before the store is read. So an invalidation in between is detected, and the entries that
        // were read are not stored again.
        let mark = keeper.inProgress.begin(key)
        return await reread(CacheLookup(request: request, key: key, mark: mark, entries: []))
    }

    /// Reads the entries of a look-up again, for work that begins later.
    func reread(_ lookup: CacheLookup) async -> CacheLookup {
        var lookup = lookup
        let entries = await keeper.store.entries(for: lookup.key, at: now())
        // An entry that was removed meanwhile is not used.
        if isInvalidated(lookup) {
            lookup.entries = []
        } else {
            let spelling = lookup.request.url.cacheSpellingDigest
            lookup.entries = entries.filter { VaryFields.spellingDigest(in: $0.variant) == spelling }
        }
        return lookup
    }

    /// Whether the entries of a look-up may have been removed since the look-up began.
    func isInvalidated(_ lookup: CacheLookup) -> Bool {
        keeper.inProgress.isInvalidated(lookup.key, since: lookup.mark)
    }

    /// Ends the work for a request.
    func end(_ lookup: CacheLookup) { keeper.inProgress.end(lookup.key) }

    /// Calls the server, with conditions if something stored can be validated, and stores the response if the rules
    /// allow it. A stored response that `fallback` accepts replaces an error.
    func exchange(
        _ lookup: CacheLookup,
        in context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>,
        fallback: (HTTPCacheEntry) -> Bool = { _ in false }
    ) async throws -> HTTPResponse {
        // Called after the exchange, because the stored response can be invalidated or expire during it.
        func replacement() -> HTTPCacheEntry? {
            isInvalidated(lookup) ? nil : lookup.selected.flatMap { fallback($0) ? $0 : nil }
        }
        do {
            let response = try await validated(lookup, in: context, through: next)
            guard CacheRules.isError(response.status), let stored = replacement() else { return response }
            let head = HTTPResponse(status: response.status, headers: response.headers)
            let reason = "fwd-status=\(response.status.code)"
            return replace(.success(head), by: stored, for: lookup, because: reason, context)
        } catch {
            guard isLoss(error), let stored = replacement() else { throw error }
            return replace(.failure(error), by: stored, for: lookup, because: "fwd=error", context)
        }
    }

    /// Returns a stored response instead of a failure. The response contains the failure, for the middlewares around
    /// the cache.
    private func replace(
        _ failure: Result<HTTPResponse, any Error>,
        by entry: HTTPCacheEntry,
        for lookup: CacheLookup,
        because reason: String,
        _ context: CallContext
    ) -> HTTPResponse {
        let status = status(of: entry, for: lookup)
        var response = serve(entry, to: lookup.request, as: status, because: reason, context)
        response.replaced = ReplacedOutcome(failure)
        return response
    }

    /// The status of a stored response that is returned without a request, or after a failed request.
    func status(of entry: HTTPCacheEntry, for lookup: CacheLookup) -> CacheStatus {
        rules.use(of: entry, for: lookup.request, at: now()) == .fresh ? .hit : .stale
    }

    /// Returns a stored response, with its age (RFC 9111 §4).
    func serve(
        _ entry: HTTPCacheEntry,
        to request: HTTPRequest,
        as status: CacheStatus,
        because reason: String? = nil,
        _ context: CallContext
    ) -> HTTPResponse {
        let age = min(max(rules.age(of: entry, at: now()), 0), CacheControl.maximumSeconds)
        let left = min(max(rules.lifetime(of: entry) - age, -CacheControl.maximumSeconds), CacheControl.maximumSeconds)
        context.note("cache: \(status); ttl=\(Int(left))" + (reason.map { "; \($0)" } ?? ""))
        var response = entry.response
        response.headers[CacheField.age] = "\(Int(age))"
        return response.asStored(for: request, status)
    }

    /// Whether a stored response may replace an error. A cancel and an invalid request are not replaced.
    private func isLoss(_ error: any Error) -> Bool {
        if error is CancellationError || Task.isCancelled { return false }
        return (error as? TransportError)?.kind != .invalidRequest
    }

    /// Sends the request, with conditions if something stored can be validated. A 304 then confirms the stored
    /// response.
    private func validated(
        _ lookup: CacheLookup,
        in context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard let conditional = lookup.conditional else {
            return try await plain(lookup, in: context, through: next)
        }
        let start = now()
        let response = try await next.process(conditional, in: context)
        guard response.status == 304 else {
            return await receive(response, to: lookup, since: start, context)
        }
        // After a redirect the 304 confirms an entry of another address.
        if rules.isUnredirected(response, from: lookup.request),
            let entry = await keeper.confirm(response, lookup, since: start)
        {
            context.note("cache: revalidated; fwd=stale; fwd-status=304")
            var confirmed = entry.response.asStored(for: lookup.request, .revalidated)
            confirmed.attempt = response.attempt
            return confirmed
        }
        // The server confirms a response that is not stored, so the whole response is requested.
        return try await plain(lookup, in: context, through: next)
    }

    /// Sends the request without conditions.
    private func plain(
        _ lookup: CacheLookup,
        in context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let start = now()
        let response = try await next.process(lookup.request, in: context)
        return await receive(response, to: lookup, since: start, context)
    }

    /// Stores a response if the rules allow it, and notes the miss.
    private func receive(
        _ response: HTTPResponse,
        to lookup: CacheLookup,
        since start: Date,
        _ context: CallContext
    ) async -> HTTPResponse {
        let isStored = await keeper.keep(response, to: lookup, since: start)
        let reason = lookup.selected == nil ? lookup.entries.isEmpty ? "uri-miss" : "vary-miss" : "stale"
        let storing = isStored ? "; stored" : ""
        context.note("cache: miss; fwd=\(reason); fwd-status=\(response.status.code)\(storing)")
        var response = response
        response.cacheStatus = .miss
        return response
    }
}

extension HTTPResponse {
    /// Returns a response that the cache has stored or made as the response to this request.
    func asStored(for request: HTTPRequest, _ status: CacheStatus) -> HTTPResponse {
        var response = self
        response.url = response.url ?? request.url
        response.cacheStatus = status
        // Only a response that the server has confirmed belongs to a request.
        response.isWithoutRequest = status != .revalidated
        if request.method == .head { response.body = Data() }
        return response
    }
}
