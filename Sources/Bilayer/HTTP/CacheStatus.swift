/// How a cache around the transport (``HTTPCache``) obtained a response.
///
/// ```swift
/// let answer = try await client.send(.users)
/// if answer.response?.cacheStatus == .stale { print("offline") }
/// ```
public enum CacheStatus: Sendable, Hashable {
    /// The stored response, fresh; no request was sent.
    case hit
    /// The stored response, after its server confirmed it with 304.
    case revalidated
    /// The stored response although it is no longer fresh, as a directive or the call's policy allows.
    case stale
    /// The server's own response.
    case miss
    /// The server's own response to a request that caches leave alone: another method, a range, a condition.
    case bypass
}

extension CacheStatus: CustomStringConvertible {
    /// The case's name.
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
