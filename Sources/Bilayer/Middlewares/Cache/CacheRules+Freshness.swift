import Foundation

// Freshness (RFC 9111 §4.2). Times are seconds.

extension CacheRules {
    /// The longest heuristic freshness: a day.
    static let mostHeuristic: TimeInterval = 86_400

    /// How long the response is fresh (§4.2.1). The first of `s-maxage` (in a shared cache), `max-age` and `Expires`
    /// that is present counts, even if it is malformed.
    func lifetime(of entry: HTTPCacheEntry) -> TimeInterval {
        let headers = entry.response.headers
        let control = CacheControl(of: headers)
        if isShared, let seconds = control.seconds("s-maxage", doubtful: 0) { return seconds }
        if let seconds = control.seconds("max-age", doubtful: 0) { return seconds }
        if let expires = headers[CacheField.expires] {
            return HTTPDate.parse(expires).map { max($0.timeIntervalSince(entry.date), 0) } ?? 0
        }
        return heuristicLifetime(of: entry, control)
    }

    /// A tenth of the time between the last change and the response, at most a day; zero if the lifetime may not be
    /// guessed (§4.2.2).
    private func heuristicLifetime(of entry: HTTPCacheEntry, _ control: CacheControl) -> TimeInterval {
        guard mayGuess(entry.response.status, control), let text = entry.response.headers[.lastModified],
            let changed = HTTPDate.parse(text)
        else { return 0 }
        return min(max(entry.date.timeIntervalSince(changed) / 10, 0), Self.mostHeuristic)
    }

    /// The age of the response (§4.2.3). A clock that was set back makes it infinite, so that the response is stale.
    func age(of entry: HTTPCacheEntry, at now: Date) -> TimeInterval {
        guard now >= entry.responseTime else { return .infinity }
        let apparent = max(entry.responseTime.timeIntervalSince(entry.date), 0)
        let delay = max(entry.responseTime.timeIntervalSince(entry.requestTime), 0)
        let corrected = statedAge(in: entry.response.headers) + delay
        return max(apparent, corrected) + now.timeIntervalSince(entry.responseTime)
    }

    /// The value of `Age`. The first of several values counts, and a malformed value is zero (§5.1).
    private func statedAge(in headers: HTTPHeaders) -> TimeInterval {
        let first = headers[CacheField.age]?.listElements.first
        return first.flatMap(CacheControl.seconds) ?? 0
    }
}
