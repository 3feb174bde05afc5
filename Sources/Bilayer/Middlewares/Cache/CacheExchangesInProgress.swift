/// The exchanges in progress, so that a response that left its server before an invalidation is not stored after it.
final class CacheExchangesInProgress: Sendable {
    private struct State {
        var exchanges: [HTTPCacheKey: Exchanges] = [:]
        /// How often everything was invalidated.
        var invalidations = 0

        func mark(of key: HTTPCacheKey) -> Int { (exchanges[key]?.invalidations ?? 0) + invalidations }
    }

    /// Those with one address.
    private struct Exchanges {
        var count = 0
        var invalidations = 0
    }

    private let state = Locked(State())

    /// The number of addresses with an exchange in progress.
    var count: Int { state.withLock { $0.exchanges.count } }

    /// Begins an exchange.
    /// - Returns: A mark to compare with later ones. ``end(_:)`` must follow.
    func begin(_ key: HTTPCacheKey) -> Int {
        state.withLock {
            $0.exchanges[key, default: Exchanges()].count += 1
            return $0.mark(of: key)
        }
    }

    /// Whether the address was invalidated since its exchange began.
    func isInvalidated(_ key: HTTPCacheKey, since mark: Int) -> Bool { state.withLock { $0.mark(of: key) != mark } }

    /// Notes the invalidation of an address.
    func invalidate(_ key: HTTPCacheKey) { state.withLock { $0.exchanges[key]?.invalidations += 1 } }

    /// Notes the invalidation of all addresses.
    func invalidateAll() { state.withLock { $0.invalidations += 1 } }

    /// Ends an exchange.
    func end(_ key: HTTPCacheKey) {
        state.withLock {
            $0.exchanges[key]?.count -= 1
            if $0.exchanges[key]?.count == 0 { $0.exchanges[key] = nil }
        }
    }
}
