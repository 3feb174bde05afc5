/// How a cache (``HTTPCache``) obtained a response.
///
/// ```swift
/// let answer = try await client.send(.users)
/// if answer.response?.cacheStatus == .stale { print("offline") }
/// ```
public enum CacheStatus: Sendable, Hashable {
    /// The stored response, which was fresh. No request was sent, or the stored response replaces a failure.
    case hit
    /// The stored response, which its server confirmed with a 304.
    case revalidated
    /// The stored response, which was no longer fresh. A directive or the call's policy allows its use.
    case stale
    /// The response of the server to a request that the cache handles. For a request with `only-if-cached`, the 504 of
    /// the cache itself.
    case miss
    /// The response of the server to a request that the cache does not handle: for example, one with a method other
    /// than `GET` and `HEAD`, with a range or with a condition.
    case bypass
}

extension CacheStatus: CustomStringConvertible {
    /// The name of the case.
    public var description: String {
        switch self {
        case .hit: "hit"
        case .revalidated: "revalidated"
        case .stale: "stale"
        case .miss: "miss"
        case .bypass: "bypass"
        }
    }
}
