/// The redirects that a transport follows, and their number.
///
/// ```swift
/// let short = Route.users.with(option: RedirectPolicy.never)      // returns the 3xx response
/// client.options[RedirectPolicy.self] = .sameOrigin(limit: 3)
/// ```
///
/// Under every policy, a redirect from `https` to `http` is not followed, and credentials are not sent to another
/// origin.
public struct RedirectPolicy: CallOption, Hashable {
    /// The largest number of redirects of a request. One more is a ``TransportError`` of the kind
    /// ``TransportError/Kind-swift.struct/tooManyRedirects``. With zero, no redirect is followed, and the 3xx response
    /// is returned.
    public let limit: Int
    /// Whether redirects to another scheme, host or port are followed. If not, the 3xx response is returned.
    public let followsToOtherOrigins: Bool

    private init(limit: Int, followsToOtherOrigins: Bool) {
        self.limit = max(limit, 0)
        self.followsToOtherOrigins = followsToOtherOrigins
    }

    /// Follows redirects to every origin: the default, with a limit of 20.
    /// - Parameter limit: The largest number of redirects of a request.
    /// - Returns: The policy.
    public static func follow(limit: Int = 20) -> RedirectPolicy {
        RedirectPolicy(limit: limit, followsToOtherOrigins: true)
    }

    /// Follows redirects within the request's origin (RFC 6454 §4).
    /// - Parameter limit: The largest number of redirects of a request.
    /// - Returns: The policy.
    public static func sameOrigin(limit: Int = 20) -> RedirectPolicy {
        RedirectPolicy(limit: limit, followsToOtherOrigins: false)
    }

    /// Follows no redirect: each 3xx response is returned.
    public static let never = RedirectPolicy(limit: 0, followsToOtherOrigins: false)

    /// This policy, but without redirects to other origins.
    var withinOrigin: RedirectPolicy { RedirectPolicy(limit: limit, followsToOtherOrigins: false) }

    /// Whether a transport follows a redirect.
    /// - Parameters:
    ///   - request: The request as it was sent.
    ///   - next: The request for the redirect.
    ///   - followed: The number of redirects that were followed so far.
    /// - Returns: Whether the redirect is followed. If not, the transport returns the 3xx response.
    /// - Throws: ``TransportError`` if the limit is reached.
    public func follows(from request: HTTPRequest, to next: HTTPRequest, after followed: Int) throws -> Bool {
        guard limit > 0, followsToOtherOrigins || next.url.hasSameOrigin(as: request.url) else { return false }
        guard followed < limit else {
            throw TransportError(.tooManyRedirects, detail: "found redirect \(followed + 1), expected at most \(limit)")
        }
        return true
    }
}

extension RedirectPolicy: Redacted {
    /// The limit in words, for example `at most 20 redirects`.
    public var description: String {
        "at most \(limit) redirects\(followsToOtherOrigins || limit == 0 ? "" : " within the origin")"
    }
}
