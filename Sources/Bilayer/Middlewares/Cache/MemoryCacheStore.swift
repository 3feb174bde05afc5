public import Foundation

/// A store that keeps the entries of a cache in memory, bounded in bytes; the least recently used are removed first.
///
/// ```swift
/// let cache = HTTPCache(.memory(maximumBytes: 20 << 20))
/// ```
///
/// The responses of one address are not kept if together they are larger than a quarter of the bound. When the bound is
/// exceeded, entries are removed until an eighth is free.
public final class MemoryCacheStore: HTTPCacheStore {
    private struct Record {
        let entries: [HTTPCacheEntry]
        let byteCount: Int
        var use: Int
    }

    private struct State {
        var records: [HTTPCacheKey: Record] = [:]
        var byteCount = 0
        var uses = 0

        mutating func remove(_ key: HTTPCacheKey) {
            guard let record = records.removeValue(forKey: key) else { return }
            byteCount -= record.byteCount
        }

        /// Removes the least recently used entries until at most `bytes` are left. Sorting once for many entries costs
        /// less than a list that each use reorders.
        mutating func evict(to bytes: Int) {
            for (key, _) in records.sorted(by: { $0.value.use < $1.value.use }) {
                if byteCount <= bytes { return }
                remove(key)
            }
        }
    }

    /// The largest sum of the entries' sizes (``HTTPCacheEntry/byteCount``).
    public let maximumBytes: Int
    private let state = Locked(State())

    /// Makes an empty store.
    /// - Parameter maximumBytes: The largest sum of the entries' sizes.
    public init(maximumBytes: Int) { self.maximumBytes = max(maximumBytes, 0) }

    /// The sum of the entries' sizes.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// The entries of an address.
    public func entries(for key: HTTPCacheKey, at time: Date) async -> [HTTPCacheEntry] {
        state.withLock { state in
            state.uses += 1
            state.records[key]?.use = state.uses
            return state.records[key]?.entries ?? []
        }
    }

    /// Stores the entries of an address, and removes others if the bound is exceeded.
    public func replace(_ entries: [HTTPCacheEntry], for key: HTTPCacheKey, at time: Date) async {
        let count = entries.reduce(0) { $0 + $1.byteCount }
        state.withLock { state in
            state.remove(key)
            guard !entries.isEmpty, count <= maximumBytes / 4 else { return }
            state.uses += 1
            state.records[key] = Record(entries: entries, byteCount: count, use: state.uses)
            state.byteCount += count
            if state.byteCount > maximumBytes { state.evict(to: maximumBytes - maximumBytes / 8) }
        }
    }

    /// Removes all entries.
    public func removeAll() async { state.withLock { $0 = State() } }
}

extension HTTPCacheStore where Self == MemoryCacheStore {
    /// Returns a store that keeps the entries in memory.
    /// - Parameter maximumBytes: The largest sum of the entries' sizes.
    /// - Returns: A new store.
    public static func memory(maximumBytes: Int) -> MemoryCacheStore { MemoryCacheStore(maximumBytes: maximumBytes) }
}

extension MemoryCacheStore: Redacted {
    /// The type with its bound: `MemoryCacheStore(20.0 MB)`.
    public var description: String { "MemoryCacheStore(\(byteCountText(maximumBytes)))" }
}
