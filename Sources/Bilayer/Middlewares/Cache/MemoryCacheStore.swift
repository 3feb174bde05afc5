public import Foundation

/// Keeps the entries of a cache in memory, bounded in bytes; the least recently used are removed first.
///
/// ```swift
/// let cache = HTTPCache(.memory(maximumBytes: 20 << 20))
/// ```
///
/// The responses of one address that are larger than a quarter of the bound are not kept. When the bound is exceeded,
/// entries are removed until an eighth is free.
public final class MemoryCacheStore: HTTPCacheStore, @unchecked Sendable {  // Sendable: `state` is under `lock`.
    private struct Record {
        let entries: [HTTPCacheEntry]
        let byteCount: Int
        var use: Int
    }

    private struct State {
        var records: [HTTPCacheKey: Record] = [:]
        var byteCount = 0
        var uses = 0
    }

    /// The largest sum of the entries' sizes (``HTTPCacheEntry/byteCount``).
    public let maximumBytes: Int
    private let lock = NSLock()
    private var state = State()

    /// Makes an empty store.
    /// - Parameter maximumBytes: The largest sum of the entries' sizes.
    public init(maximumBytes: Int) { self.maximumBytes = max(maximumBytes, 0) }

    /// The sum of the entries' sizes.
    public var byteCount: Int { lock.withLock { state.byteCount } }

    /// The entries of an address.
    public func entries(for key: HTTPCacheKey, at time: Date) async -> [HTTPCacheEntry] {
        lock.withLock {
            state.uses += 1
            let use = state.uses
            state.records[key]?.use = use
            return state.records[key]?.entries ?? []
        }
    }

    /// Stores the entries of an address, and removes others if the bound is exceeded.
    public func replace(_ entries: [HTTPCacheEntry], for key: HTTPCacheKey, at time: Date) async {
        let count = entries.reduce(0) { $0 + $1.byteCount }
        lock.withLock {
            remove(key)
            guard !entries.isEmpty, count <= maximumBytes / 4 else { return }
            state.uses += 1
            state.records[key] = Record(entries: entries, byteCount: count, use: state.uses)
            state.byteCount += count
            if state.byteCount > maximumBytes { evict() }
        }
    }

    /// Removes all entries.
    public func removeAll() async { lock.withLock { state = State() } }

    private func remove(_ key: HTTPCacheKey) {
        guard let record = state.records.removeValue(forKey: key) else { return }
        state.byteCount -= record.byteCount
    }

    /// Sorting once for many entries costs less than a list that every use changes.
    private func evict() {
        for (key, _) in state.records.sorted(by: { $0.value.use < $1.value.use }) {
            if state.byteCount <= maximumBytes - maximumBytes / 8 { return }
            remove(key)
        }
    }
}

extension HTTPCacheStore where Self == MemoryCacheStore {
    /// Keeps the entries in memory.
    /// - Parameter maximumBytes: The largest sum of the entries' sizes.
    /// - Returns: A new store.
    public static func memory(maximumBytes: Int) -> MemoryCacheStore { MemoryCacheStore(maximumBytes: maximumBytes) }
}

extension MemoryCacheStore: Redacted {
    /// The type with its bound: `MemoryCacheStore(20.0 MB)`.
    public var description: String { "MemoryCacheStore(\(byteCountText(maximumBytes)))" }
}
