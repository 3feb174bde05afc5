/// Names and what they are converted to. The objects of a list repeat the same keys, and a conversion costs more than
/// the rest of reading a key.
///
/// A decoding call runs on one thread, but a container that user code retains may be used on another, and a naming is
/// shared by many calls. So the names are behind a lock.
final class NameCache: Sendable {
    private let names = Locked<[JsonKey: String]>([:])
    private let limit: Int

    /// Makes an empty cache.
    /// - Parameter limit: The maximum number of names. Keys that are data, one for each object, would fill the cache
    ///   without use.
    init(limit: Int) { self.limit = limit }

    /// The name that another is converted to. Runs the closure without the lock if the name is not known.
    func name(for name: String, _ convert: (String) -> String) -> String {
        let key = JsonKey(text: name)
        if let known = names.withLock({ $0[key] }) { return known }
        let converted = convert(name)
        names.withLock { if $0.count < limit { $0[key] = converted } }
        return converted
    }
}
