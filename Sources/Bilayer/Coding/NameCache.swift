/// A cache from names to converted names. The objects of a list repeat the same keys, and a conversion costs more than
/// the rest of reading a key.
///
/// For keys in snake case the decoder also has a ``KeyConversionCache``, which compares the bytes of a text.
///
/// The names are behind a lock for two reasons. User code may use a retained container on another thread than its
/// decoding call, and many calls share a naming.
final class NameCache: Sendable {
    private let names = Locked<[JsonKey: String]>([:])
    private let limit: Int

    /// Makes an empty cache.
    /// - Parameter limit: The maximum number of names. Without a limit, keys that are data and differ in each object
    ///   would fill the cache and never be found again.
    init(limit: Int) { self.limit = limit }

    /// Returns the converted name. If the name is not cached, the closure converts it, outside the lock.
    func name(for name: String, _ convert: (String) -> String) -> String {
        let key = JsonKey(text: name)
        if let known = names.withLock({ $0[key] }) { return known }
        let converted = convert(name)
        names.withLock { if $0.count < limit { $0[key] = converted } }
        return converted
    }
}
