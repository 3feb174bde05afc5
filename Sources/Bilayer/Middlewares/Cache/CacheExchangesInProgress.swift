/// The exchanges in progress over a store. An exchange begins with a look-up or a background validation, and ends when
/// the cache has finished its work for the request. Caches change the store through this object only, one change at a
/// time. A response is not stored if its exchange began before the end of a removal of its address.
///
/// Caches over one store share this object (``of(_:)``).
final class CacheExchangesInProgress: Sendable {
    private struct State {
        var exchanges: [HTTPCacheKey: Exchanges] = [:]
        /// Increases at the start and at the end of each invalidation of all addresses.
        var invalidations = 0
        /// The number of removals in progress that remove all entries.
        var removals = 0

        func mark(of key: HTTPCacheKey) -> Int { (exchanges[key]?.invalidations ?? 0) + invalidations }

        func isInvalidated(_ key: HTTPCacheKey, since mark: Int) -> Bool {
            removals > 0 || (exchanges[key]?.removals ?? 0) > 0 || self.mark(of: key) != mark
        }

        mutating func end(_ key: HTTPCacheKey) {
            exchanges[key]?.count -= 1
            if exchanges[key]?.count == 0 { exchanges[key] = nil }
        }
    }

    /// The exchanges with one address. A removal of the address counts as an exchange, too.
    private struct Exchanges {
        var count = 0
        var invalidations = 0
        var removals = 0
    }

    private let state = Locked(State())
    private let writes = CacheWriteQueue()

    /// The number of addresses with an exchange in progress. For tests.
    var count: Int { state.withLock { $0.exchanges.count } }

    /// Begins an exchange with an address.
    /// - Returns: A mark for ``isInvalidated(_:since:)``. A call of ``end(_:)`` must follow.
    func begin(_ key: HTTPCacheKey) -> Int {
        state.withLock {
            $0.exchanges[key, default: Exchanges()].count += 1
            return $0.mark(of: key)
        }
    }

    /// Whether the address was invalidated since its exchange began, or is being invalidated.
    func isInvalidated(_ key: HTTPCacheKey, since mark: Int) -> Bool {
        state.withLock { $0.isInvalidated(key, since: mark) }
    }

    /// Ends an exchange.
    func end(_ key: HTTPCacheKey) { state.withLock { $0.end(key) } }
}

// Changes of the store, one at a time: a removal waits for the write that has begun.
extension CacheExchangesInProgress {
    /// Reads and changes the entries of an address in an exchange. No other change comes in between.
    /// - Parameters:
    ///   - key: The address.
    ///   - mark: The mark of the exchange.
    ///   - change: Changes the store, and returns whether it did.
    /// - Returns: False if `change` changed nothing, if the address was invalidated since the exchange began, or if the
    ///   task was cancelled before its turn.
    func change(_ key: HTTPCacheKey, since mark: Int, _ change: () async -> Bool) async -> Bool {
        let isChanged = try? await writes.write {
            if isInvalidated(key, since: mark) { return false }
            let isChanged = await change()
            // An invalidation that has begun meanwhile waits for its turn.
            return isChanged && !isInvalidated(key, since: mark)
        }
        return isChanged ?? false
    }

    /// Invalidates an address.
    /// - Parameters:
    ///   - key: The address.
    ///   - remove: Removes its entries from the store.
    func invalidate(_ key: HTTPCacheKey, _ remove: () async -> Void) async {
        state.withLock {
            $0.exchanges[key, default: Exchanges()].count += 1
            $0.exchanges[key]?.invalidations += 1
            $0.exchanges[key]?.removals += 1
        }
        await writes.remove(remove)
        state.withLock {
            // An exchange that began during the removal may have read a removed entry.
            $0.exchanges[key]?.invalidations += 1
            $0.exchanges[key]?.removals -= 1
            $0.end(key)
        }
    }

    /// Invalidates all addresses.
    /// - Parameters:
    ///   - stop: Called when the responses of exchanges in progress are no longer stored.
    ///   - remove: Removes all entries from the store.
    func invalidateAll(stopping stop: () -> Void, _ remove: () async -> Void) async {
        state.withLock {
            $0.invalidations += 1
            $0.removals += 1
        }
        stop()
        await writes.remove(remove)
        state.withLock {
            $0.invalidations += 1
            $0.removals -= 1
        }
    }
}
