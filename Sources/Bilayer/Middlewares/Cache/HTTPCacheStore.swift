public import Foundation

/// The storage of a cache's entries: ``MemoryCacheStore``, ``DiskCacheStore``, or a store of your own.
///
/// A store may lose entries: a lost entry is a miss. A store returns only entries that were stored under the key, whole
/// and unchanged. The cache passes the time of each use, so a store that evicts by last use needs no clock.
///
/// Several caches can use one store object: a removal by one cache applies to all. Use a store that is a value type for
/// one cache only: caches do not recognize a shared store that is not an object.
///
/// ```swift
/// actor DictionaryStore: HTTPCacheStore {
///     private var stored: [HTTPCacheKey: [HTTPCacheEntry]] = [:]
///     func entries(for key: HTTPCacheKey, at time: Date) async -> [HTTPCacheEntry] { stored[key] ?? [] }
///     func replace(_ entries: [HTTPCacheEntry], for key: HTTPCacheKey, at time: Date) async { stored[key] = entries }
///     func removeAll() async { stored = [:] }
/// }
/// let cache = HTTPCache(DictionaryStore())
/// ```
public protocol HTTPCacheStore: Sendable {
    /// The entries of an address, one for each variant.
    /// - Parameters:
    ///   - key: The address.
    ///   - time: The time of this use.
    /// - Returns: The entries, newest first; empty if there is none.
    func entries(for key: HTTPCacheKey, at time: Date) async -> [HTTPCacheEntry]

    /// Stores the entries of an address instead of the previous ones.
    /// - Parameters:
    ///   - entries: The entries, newest first; empty to remove the address.
    ///   - key: The address.
    ///   - time: The time of this use.
    func replace(_ entries: [HTTPCacheEntry], for key: HTTPCacheKey, at time: Date) async

    /// Removes all entries.
    func removeAll() async
}
