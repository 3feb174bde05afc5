import Foundation

/// Decides which entries the store keeps after an exchange.
struct CacheKeeper: Sendable {
    let store: any HTTPCacheStore
    let rules: CacheRules
    let now: @Sendable () -> Date
    let inProgress: CacheExchangesInProgress

    init(store: some HTTPCacheStore, rules: CacheRules, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.rules = rules
        self.now = now
        inProgress = .of(store)
    }
}

extension CacheKeeper {
    /// Stores a response. If it may not be stored, removes the entry that it replaces. The response to a `HEAD` is not
    /// stored: it freshens or removes the stored response to `GET`.
    /// - Returns: Whether the response was passed to the store, and was not invalidated meanwhile.
    func keep(_ response: HTTPResponse, to lookup: CacheLookup, since start: Date) async -> Bool {
        guard rules.isUnredirected(response, from: lookup.request) else { return false }
        if lookup.request.method == .head {
            await applyHead(response, lookup, since: start)
            return false
        }
        guard rules.mayStore(response, to: lookup.request),
            let variant = VaryFields.digest(of: lookup.request, for: response)
        else {
            await removeReplaced(response, lookup)
            return false
        }
        var stored = response
        stored.headers = rules.storedFields(of: response.headers)
        stored.url = nil
        stored.addressBeforeFailover = nil
        stored.attempt = nil
        stored.cacheStatus = nil
        stored.replaced = nil
        stored.isWithoutRequest = false
        let entry = HTTPCacheEntry(response: stored, requestTime: start, responseTime: now(), variant: variant)
        guard rules.isUsable(entry, at: now()) else {
            await removeReplaced(response, lookup)
            return false
        }
        return await put([entry], instead: { $0.matches(lookup.request) }, lookup)
    }

    /// Freshens the entry that a 304 confirms, and all offered entries with the 304's strong entity tag (RFC 9111
    /// §4.3.4). If the confirmed entry may no longer be stored, removes it. Returns the confirmed entry; `nil` if there
    /// is none.
    func confirm(_ response: HTTPResponse, _ lookup: CacheLookup, since start: Date) async -> HTTPCacheEntry? {
        let offered = lookup.offered
        guard let entry = CacheValidation.confirmed(by: response, of: offered, selected: lookup.selected) else {
            return nil
        }
        let fields = rules.storedFields(of: response.headers)
        let end = now()
        func fresh(_ entry: HTTPCacheEntry, as variant: String) -> HTTPCacheEntry {
            entry.freshened(by: fields, requestTime: start, responseTime: end, variant: variant)
        }
        // The confirmed entry may be another variant: from now on it is the response to this request, too.
        let draft = fresh(entry, as: entry.variant)
        let variant = VaryFields.digest(of: lookup.request, for: draft.response)
        let confirmed = fresh(entry, as: variant ?? entry.variant)
        let control = CacheControl(ofRequest: lookup.request.headers)
        guard variant != nil, !CacheControl(of: response.headers).has("no-store"), !control.has("no-store") else {
            await remove(lookup, where: { $0 == entry })
            return confirmed
        }
        let tag = response.headers[.eTag].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        let others = offered.filter {
            $0.variant != confirmed.variant && tag != nil && $0.response.headers[.eTag] == tag
        }
        let all = [confirmed] + others.map { fresh($0, as: $0.variant) }
        let variants = Set(all.map(\.variant))
        _ = await put(
            all,
            instead: { variants.contains($0.variant) || $0.matches(lookup.request) },
            lookup
        )
        return confirmed
    }

    /// Invalidates the entries that an unsafe method may have changed (RFC 9111 §4.4). These are the entries of the
    /// request's address, and of each address that the request was redirected to with an unsafe method. Other targets
    /// of redirects, and addresses that the response names, count only if they have the request's origin.
    ///
    /// An address under an equivalent base address (``Failover``) counts as the address under the base address of the
    /// request.
    /// - Parameters:
    ///   - response: The response, or its head; `nil` if it is not known whether there was a response.
    ///   - request: The request.
    ///   - sent: The requests that transports have sent for `request`.
    func invalidate(
        after response: HTTPResponse?,
        to request: HTTPRequest,
        sentAs sent: SentRequests
    ) async {
        let url = response?.url ?? request.url
        let named = [.location, .contentLocation]
            .compactMap { (name: HTTPHeaders.Name) in
                response?.headers[name].flatMap { URL(reference: $0, relativeTo: url)?.absoluteURL }
            }
            .map(sent.original)
        // A redirect names its target in `Location`, so the target counts like the addresses that the response names.
        let same = (named + sent.targets.map(\.url)).filter { $0.normalizedOrigin == request.url.normalizedOrigin }
        // After a redirect that kept the method, the address that was changed is the last address.
        let last = sent.targets.last?.method.isSafe == true ? nil : response?.url.map(sent.original)
        let changed = sent.targets.filter { !$0.method.isSafe }.map(\.url) + [last].compactMap(\.self)
        for key in Set(([request.url] + changed + same).map { HTTPCacheKey($0) }) {
            await invalidate(key)
        }
    }

    /// Removes the stored responses of an address.
    func invalidate(_ key: HTTPCacheKey) async {
        await inProgress.invalidate(key) { await store.replace([], for: key, at: now()) }
    }

    /// Freshens the stored response that a `HEAD` describes. Removes it if the `HEAD` describes another response
    /// (§4.3.5), has `no-store`, or has a `Vary` that the stored response no longer matches. Does nothing unless both
    /// have the status 200.
    private func applyHead(_ head: HTTPResponse, _ lookup: CacheLookup, since start: Date) async {
        guard head.status == 200, let entry = lookup.selected, entry.response.status == 200 else { return }
        guard CacheValidation.describes(head, entry), !CacheControl(of: head.headers).has("no-store") else {
            return await remove(lookup, where: { $0 == entry })
        }
        let fields = rules.storedFields(of: head.headers)
        let fresh = entry.freshened(by: fields, requestTime: start, responseTime: now(), variant: entry.variant)
        guard fresh.matches(lookup.request) else { return await remove(lookup, where: { $0 == entry }) }
        _ = await put([fresh], instead: { $0.variant == entry.variant }, lookup)
    }

    /// Removes the stored response that a newer response replaces. Called if the newer response may not be stored. Only
    /// a 404, a 410, and a success other than 206 replace a response.
    private func removeReplaced(_ response: HTTPResponse, _ lookup: CacheLookup) async {
        guard lookup.request.method == .get, response.status != 206, response.status != 304 else { return }
        guard response.status.isSuccess || response.status == 404 || response.status == 410 else { return }
        await remove(lookup, where: { $0.matches(lookup.request) })
    }

    private func remove(_ lookup: CacheLookup, where isOld: (HTTPCacheEntry) -> Bool) async {
        _ = await change(lookup) { stored in
            let kept = stored.filter { !isOld($0) }
            return kept.count == stored.count ? nil : kept
        }
    }

    /// Stores entries, unless the address was invalidated since the look-up, or a more recent response is stored.
    private func put(
        _ entries: [HTTPCacheEntry],
        instead isOld: (HTTPCacheEntry) -> Bool,
        _ lookup: CacheLookup
    ) async -> Bool {
        await change(lookup) { stored in
            // Another exchange may have stored a more recent response before this one (RFC 9111 §4).
            if let new = entries.first, stored.contains(where: { isOld($0) && $0.isMoreRecent(than: new) }) {
                return nil
            }
            return Array((entries + stored.filter { !isOld($0) }).prefix(HTTPCacheEntry.maximumVariants))
        }
    }

    /// Waits for the turn of this exchange, then changes the entries of an address that are stored at that moment.
    /// - Parameters:
    ///   - lookup: The look-up with which the exchange began.
    ///   - edit: Returns the new entries; `nil` to leave them as they are.
    /// - Returns: False if the entries were left, if the address was invalidated since the look-up, or if the task was
    ///   cancelled before its turn.
    private func change(_ lookup: CacheLookup, _ edit: ([HTTPCacheEntry]) -> [HTTPCacheEntry]?) async -> Bool {
        await inProgress.change(lookup.key, since: lookup.mark) {
            guard let entries = edit(await store.entries(for: lookup.key, at: now())) else { return false }
            await store.replace(entries, for: lookup.key, at: now())
            return true
        }
    }
}

extension HTTPCacheEntry {
    /// Whether this response arrived after the request for the other response was sent, and has a later date.
    fileprivate func isMoreRecent(than other: HTTPCacheEntry) -> Bool {
        responseTime >= other.requestTime && date > other.date
    }
}
