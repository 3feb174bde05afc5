/// When a call uses stored responses instead of the server.
///
/// ```swift
/// let users = try await client.fetch(.users, cache: .networkElseCache)
/// let route = Route<[User]>.users.with(option: CachePolicy.cacheElseNetwork)
/// ```
///
/// The policy needs an ``HTTPCache`` around the client's transport. Only ``cacheOnly`` has an effect without a cache:
/// the transports of this package then send no request. ``standard`` follows the server's directives. ``cacheOnly``,
/// ``cacheElseNetwork`` and ``networkElseCache`` use a stored response whatever its age, even if it has to be validated
/// first (`no-cache`, `must-revalidate`). These policies use an error response only while the response is fresh. A
/// response with `no-store` is not stored, unless it also has `must-understand` and the cache understands its status
/// (RFC 9111 §5.2.2.3).
public enum CachePolicy: CallOption, Hashable {
    /// Follows RFC 9111: a fresh response is used, a stale response is validated.
    case standard
    /// Sends a request, and uses the stored response only if the server confirms it with 304.
    case revalidate
    /// Ignores stored responses. The response is stored, if the server allows that.
    case networkOnly
    /// Ignores stored responses, and does not store the response: for a payment, or a one-time code. Responses that are
    /// already stored for the address stay, unless the method of the request is not safe (``HTTPCache``).
    case networkWithoutStoring
    /// Sends no request: returns any stored response, or fails with a ``CacheMissError``, which is the
    /// ``CallError/underlyingError`` of the call's ``CallError``. If the client has no cache, the transports of this
    /// package throw the ``CacheMissError``, but a transport of your own receives the request.
    case cacheOnly
    /// Returns any stored response. Sends a request only if there is none, or only a stale error.
    case cacheElseNetwork
    /// Sends a request. Returns any stored response if a valid request gets no complete response, or one with the
    /// status 500, 502, 503 or 504. Also returns it if the time of the call is up (``Deadline``).
    case networkElseCache
}

extension CachePolicy: StoragePolicy {
    var lookUp: CachePolicy? { self == .networkElseCache ? .cacheOnly : nil }
    var refusal: (any Error)? { self == .cacheOnly ? CacheMissError() : nil }
}

/// The error of a call that must not send a request (``CachePolicy/cacheOnly``), if no response is stored for it. A
/// client's call throws it as the ``CallError/underlyingError`` of a ``CallError``.
public struct CacheMissError: Error, Sendable, Hashable, Redacted {
    /// Makes the error, for a test or a cache of your own.
    public init() {}

    /// The text of the error.
    public var description: String { "found no stored response, expected one: the call may use only the cache" }
}
