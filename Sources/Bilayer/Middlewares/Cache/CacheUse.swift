import Foundation

/// How a stored response may be used for a request.
enum CacheUse: Hashable {
    /// The response is fresh, and is used without a request.
    case fresh
    /// The response is stale, but the request accepts that. It is used without a request to the server.
    case stale
    /// The response is used at once, and validated in the background (RFC 5861 §3).
    case staleWhileRevalidating
    /// The response is used only after the server has confirmed it.
    case afterValidation
}

extension CacheRules {
    /// How a stored response may be used for a request (RFC 9111 §4, §4.2.4, §5.2.1).
    func use(of entry: HTTPCacheEntry, for request: HTTPRequest, at now: Date) -> CacheUse {
        let asked = CacheControl(ofRequest: request.headers)
        let said = CacheControl(of: entry.response.headers)
        if asked.has("no-cache") || said.hasUnqualified("no-cache") { return .afterValidation }
        let age = age(of: entry, at: now)
        let lifetime = lifetime(of: entry)
        if let most = asked.seconds("max-age", doubtful: 0), age > most || most == 0 { return .afterValidation }
        if let left = asked.seconds("min-fresh", doubtful: .infinity), lifetime - age < left { return .afterValidation }
        if lifetime > age { return .fresh }
        if entry.isError || forbidsStale(said) { return .afterValidation }
        if accepts(age - lifetime, asked) { return .stale }
        let window = said.seconds("stale-while-revalidate", doubtful: 0) ?? 0
        return age - lifetime < window ? .staleWhileRevalidating : .afterValidation
    }

    /// Whether a policy of the app may use a stored response. No policy uses a stale error.
    func isUsable(_ entry: HTTPCacheEntry, at now: Date) -> Bool {
        !entry.isError || lifetime(of: entry) > age(of: entry, at: now)
    }

    /// Whether a stored response may replace an error (RFC 5861 §4).
    func mayReplaceError(_ entry: HTTPCacheEntry, for request: HTTPRequest, at now: Date) -> Bool {
        let asked = CacheControl(ofRequest: request.headers)
        let said = CacheControl(of: entry.response.headers)
        if asked.has("no-cache") || said.hasUnqualified("no-cache") || forbidsStale(said) { return false }
        guard isUsable(entry, at: now) else { return false }
        let windows = [asked, said].compactMap { $0.seconds("stale-if-error", doubtful: 0) }
        return age(of: entry, at: now) - lifetime(of: entry) < windows.max() ?? 0
    }

    /// Statuses that RFC 5861 §4 counts as errors.
    static func isError(_ status: HTTPStatus) -> Bool { [500, 502, 503, 504].contains(status.code) }

    /// Whether the response may not be used when it is stale (RFC 9111 §5.2.2.2, §5.2.2.8, §5.2.2.10).
    private func forbidsStale(_ said: CacheControl) -> Bool {
        said.has("must-revalidate") || isShared && (said.has("proxy-revalidate") || said.has("s-maxage"))
    }

    /// Whether `max-stale` of the request accepts the staleness (RFC 9111 §5.2.1.2). Without an argument it accepts any
    /// finite one.
    private func accepts(_ staleness: TimeInterval, _ asked: CacheControl) -> Bool {
        if asked.isBare("max-stale") { return staleness < .infinity }
        return asked.seconds("max-stale", doubtful: -1).map { staleness <= $0 } ?? false
    }
}
