/// The exchanges in progress with a store, and the changes of it, one at a time. A response whose exchange began before
/// the end of a removal is not stored after it.
///
/// Caches over one store share this object (``of(_:)``).
final class CacheExchangesInProgress: Sendable {
    private struct State {
        var exchanges: [HTTPCacheKey: Exchanges] = [:]
        /// How often everything was invalidated.
        var invalidations = 0
        /// The removals of everything that are in progress.
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

    /// The exchanges with one address, its removals included.
    private struct Exchanges {
        var count = 0
        var invalidations = 0
        var removals = 0
    }

    private let state = Locked(State())
    private let writes = CacheWriteQueue()

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

    /// Whether the address was invalidated since its exchange began, or is being invalidated.
    func isInvalidated(_ key: HTTPCacheKey, since mark: Int) -> Bool {
        state.withLock { $0.isInvalidated(key, since: mark) }
    }

    /// Ends an exchange.
    func end(_ key: HTTPCacheKey) { state.withLock { $0.end(key) } }
}

// Changes of the store, one at a time: a removal comes after the write that has begun.
extension CacheExchangesInProgress {
    /// Reads and changes the entries of an address in an exchange. No other change comes in between.
    /// - Parameters:
    ///   - key: The address.
    ///   - mark: The mark of the exchange.
    ///   - change: Changes the store, and says whether it did.
    /// - Returns: False if nothing was changed: the address was invalidated since the exchange began, or the task was
    ///   cancelled before its turn.
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
    ///   - stop: Called when nothing that is in progress is stored any more.
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
