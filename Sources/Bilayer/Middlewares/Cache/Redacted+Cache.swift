// The descriptions of a cache and its stores have no addresses, no fields and no bodies.

extension HTTPCache: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension HTTPCacheKey: Redacted {
    /// The type with the first digits of the digest.
    public var description: String { "HTTPCacheKey(\(name.prefix(8))…)" }
}

extension HTTPCacheEntry: Redacted {
    /// The response: `200 OK, 18.4 kB, application/json`.
    public var description: String { response.description }
}

extension MemoryCacheStore: Redacted {
    /// The type with its bound: `MemoryCacheStore(20.0 MB)`.
    public var description: String { "MemoryCacheStore(\(byteCountText(maximumBytes)))" }
}

extension DiskCacheStore: Redacted {
    /// The type with its bound, without the folder: `DiskCacheStore(100.0 MB)`.
    public var description: String { "DiskCacheStore(\(byteCountText(maximumBytes)))" }
}

extension ValueCache: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension CachedValues: Redacted {
    /// The route: `GET users/{id} -> User?`.
    public var description: String { route.description }
}

extension CachedValues.AsyncIterator: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
