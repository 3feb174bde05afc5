/// When a call uses stored responses instead of the server.
///
/// ```swift
/// let users = try await client.fetch(.users, cache: .networkElseCache)
/// let route = Route<[User]>.users.with(option: CachePolicy.cacheElseNetwork)
/// ```
///
/// It has an effect if an ``HTTPCache`` is around the client's transport. Only ``cacheOnly`` has one without a cache:
/// the transports of this package send no request of such a call. ``standard`` is what the server's directives
/// say. The other cases are the app's own decision: they use a response whatever its age, also one that has to be
/// validated first (`no-cache`, `must-revalidate`). An error response is used only while it is fresh. A response with
/// `no-store` is never stored, so never used.
public enum CachePolicy: CallOption, Hashable {
    /// RFC 9111: a fresh response is used, a stale one is validated.
    case standard
    /// Sends a request, and uses the stored response only if the server confirms it with 304.
    case revalidate
    /// Ignores stored responses. The response is stored.
    case networkOnly
    /// Ignores stored responses, and does not store the response: for a payment, or a one-time code. What is stored for
    /// the address already stays.
    case networkWithoutStoring
    /// Sends no request: any stored response, or ``CacheMissError``, also if the client has no cache. A transport of
    /// your own gets the request if there is no cache.
    case cacheOnly
    /// Any stored response; the server only if there is none.
    case cacheElseNetwork
    /// Sends a request; returns any stored response if the server is unreachable or fails (500, 502, 503, 504), or if
    /// the time of the call is up (``Deadline``).
    case networkElseCache
}

extension CachePolicy: StoragePolicy {
    var lookUp: CachePolicy? { self == .networkElseCache ? .cacheOnly : nil }
    var refusal: (any Error)? { self == .cacheOnly ? CacheMissError() : nil }
}

/// There is no stored response for a call that may not send a request (``CachePolicy/cacheOnly``).
public struct CacheMissError: Error, Sendable, Hashable, Redacted {
    /// Makes the error, for a test or a cache of your own.
    public init() {}

    /// The error's text: what was expected.
    public var description: String { "found no stored response, expected one: the call may use only the cache" }
}
