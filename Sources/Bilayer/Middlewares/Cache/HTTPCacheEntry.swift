public import Foundation

/// A stored response, with the data that decide whether a later request may use it.
///
/// A store of your own keeps and returns entries unchanged. Of the request, an entry contains only digests: one of the
/// fields that `Vary` names and, if the address has escapes, one of the address. Cookies of the response are not
/// stored.
public struct HTTPCacheEntry: Sendable, Hashable {
    /// The response. Its ``HTTPResponse/url`` is `nil`: when the response is used, the cache sets it to the address of
    /// the request.
    public let response: HTTPResponse
    /// When the request was sent.
    public let requestTime: Date
    /// When the response was complete.
    public let responseTime: Date
    /// A digest of the request's fields that the response's `Vary` names (RFC 9111 §4.1). If the address has escapes, a
    /// period and a digest of the address follow.
    public let variant: String

    /// Makes an entry from parts that a store has read.
    /// - Parameters:
    ///   - response: The response.
    ///   - requestTime: When the request was sent.
    ///   - responseTime: When the response was complete.
    ///   - variant: The ``variant`` of the stored entry.
    public init(response: HTTPResponse, requestTime: Date, responseTime: Date, variant: String) {
        self.response = response
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.variant = variant
    }

    /// The size of the entry for the bound of a store: the body, the header fields and some bytes for the rest.
    public var byteCount: Int {
        response.headers.reduce(response.body.count + 256) {
            $0 + $1.name.rawValue.utf8.count + $1.value.utf8.count + 32
        }
    }
}

extension HTTPCacheEntry {
    /// The most variants of one address; the oldest are removed.
    static let maximumVariants = 8

    /// Whether the response may be used for this request: the fields that `Vary` names and the spelling of the address
    /// are equal.
    func matches(_ request: HTTPRequest) -> Bool { VaryFields.digest(of: request, for: response) == variant }

    /// Whether the response may belong to another user. Such a response is not offered for validation: responses for
    /// different users can have equal entity tags.
    func isOfAnotherUser(than request: HTTPRequest) -> Bool {
        VaryFields.dependsOnUser(response) && !matches(request)
    }

    /// Whether the response is an error. The error may be over when the response is stale.
    var isError: Bool { response.status.code >= 400 }

    /// The date of the response: its `Date`, or else the time of its arrival (RFC 9110 §6.6.1).
    var date: Date { response.headers[.date].flatMap(HTTPDate.parse) ?? responseTime }

    /// Returns the entry with the fields of a 304 or of the response to a `HEAD` (RFC 9111 §3.2, §4.3.4).
    func freshened(
        by update: HTTPHeaders,
        requestTime: Date,
        responseTime: Date,
        variant: String
    ) -> HTTPCacheEntry {
        var response = response
        // The stored `Age` and `Date` do not describe the new message.
        response.headers.remove(CacheField.age)
        response.headers[.date] = HTTPDate.text(of: responseTime)
        var headers = update
        for name in CacheField.ofBody { headers.remove(name) }
        response.headers = response.headers.replacing(with: headers)
        return HTTPCacheEntry(
            response: response,
            requestTime: requestTime,
            responseTime: responseTime,
            variant: variant
        )
    }
}

extension HTTPCacheEntry: Redacted {
    /// The response: `200 OK, 18.4 kB, application/json`.
    public var description: String { response.description }
}
