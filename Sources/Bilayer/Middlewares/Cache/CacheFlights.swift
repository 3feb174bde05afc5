import Foundation

/// The exchanges in progress, so that a response that left its server before an invalidation is not stored after it.
// Sendable: `flights` is only accessed under `lock`.
final class CacheFlights: @unchecked Sendable {
    struct Flight {
        var count = 0
        var invalidations = 0
    }

    private let lock = NSLock()
    private var flights: [HTTPCacheKey: Flight] = [:]
    private var wholes = 0

    /// The number of addresses with an exchange in progress.
    var count: Int { lock.withLock { flights.count } }

    /// Begins an exchange.
    /// - Returns: A mark to compare with later ones. ``end(_:)`` must follow.
    func begin(_ key: HTTPCacheKey) -> Int {
        lock.withLock {
            flights[key, default: Flight()].count += 1
            return (flights[key]?.invalidations ?? 0) + wholes
        }
    }

    /// Whether the address was invalidated since its exchange began.
    func isInvalidated(_ key: HTTPCacheKey, since mark: Int) -> Bool {
        lock.withLock { (flights[key]?.invalidations ?? 0) + wholes != mark }
    }

    /// Notes the invalidation of an address.
    func invalidate(_ key: HTTPCacheKey) { lock.withLock { flights[key]?.invalidations += 1 } }

    /// Notes the invalidation of all addresses.
    func invalidateAll() { lock.withLock { wholes += 1 } }

    /// Ends an exchange.
    func end(_ key: HTTPCacheKey) {
        lock.withLock {
            flights[key]?.count -= 1
            if flights[key]?.count == 0 { flights[key] = nil }
        }
    }
}
