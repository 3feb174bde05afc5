extension CacheExchangesInProgress {
    /// Returns the object that all caches over one store share. If the store is a value, each cache has an object of
    /// its own.
    static func of(_ store: some HTTPCacheStore) -> CacheExchangesInProgress {
        guard let identity = StoreIdentity(store) else { return CacheExchangesInProgress() }
        return shared.withLock { shared in
            if let known = shared[identity]?.object { return known }
            let new = CacheExchangesInProgress()
            shared = shared.filter { $0.value.object != nil }
            shared[identity] = Weak(object: new)
            return new
        }
    }

    private static let shared = Locked<[StoreIdentity: Weak]>([:])

    private struct Weak {
        weak var object: CacheExchangesInProgress?
    }
}

/// The identity of a store: that of the object or, for a ``DiskCacheStore``, that of its folder. A store object lives
/// as long as its caches, so no other object gets its identity meanwhile.
private enum StoreIdentity: Hashable {
    /// A store that is an object.
    case object(ObjectIdentifier)
    /// The path of the folder of a ``DiskCacheStore``. Two stores over one folder have the same entries.
    case folder(String)

    init?(_ store: some HTTPCacheStore) {
        if let store = store as? DiskCacheStore {
            self = .folder(store.path)
        } else if type(of: store) is AnyClass {
            self = .object(ObjectIdentifier(store as AnyObject))
        } else {
            return nil
        }
    }
}
