import Foundation

/// A request, with the entries that are stored for its address.
struct CacheLookup: Sendable {
    let request: HTTPRequest
    let key: HTTPCacheKey
    /// The mark from the start of the exchange, with which a later invalidation is detected
    /// (``CacheExchangesInProgress``).
    let mark: Int
    var entries: [HTTPCacheEntry]
    /// Whether stored responses are neither used nor offered to the server.
    var ignoresStored = false

    /// The newest response that the request matches (RFC 9111 §4.1); `nil` if there is none, or if stored responses are
    /// ignored.
    var selected: HTTPCacheEntry? {
        if ignoresStored { return nil }
        return entries.filter { $0.matches(request) }.max { $0.date < $1.date }
    }

    /// The request with conditions; `nil` for a `HEAD`, and if nothing can be validated.
    var conditional: HTTPRequest? {
        if ignoresStored || request.method != .get { return nil }
        return CacheValidation.conditional(request, offered, selected: selected)
    }

    /// The responses that may be offered to the server for validation.
    var offered: [HTTPCacheEntry] { entries.filter { !$0.isOfAnotherUser(than: request) } }
}
