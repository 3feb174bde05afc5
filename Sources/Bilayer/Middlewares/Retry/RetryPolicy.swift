import Foundation

/// When a request is sent again, how often, and after which waits.
///
/// Pass a policy to ``Retry``, and another policy to a route that needs it. The policy of a route has no effect without
/// a ``Retry`` around the transport:
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .retry(.exponential(attempts: 3)))
/// let patient = Route.users.with(option: RetryPolicy.exponential(attempts: 8, totalTime: .seconds(60)))
/// let once = Route.users.with(option: RetryPolicy.never)
/// ```
///
/// A request is sent again only if a repetition should have no further effect at the server. It must be a GraphQL
/// query, or have an `Idempotency-Key`, which all attempts share, or have one of ``methods``, by default the idempotent
/// ones (RFC 9110 §9.2.2). A GraphQL mutation needs the key. A request whose body can be sent only once
/// (``HTTPBody/isReplayable``) is not sent again.
public struct RetryPolicy: CallOption {
    /// The most attempts, the first one included; at least one.
    public var attempts: Int
    /// The longest wait before the second attempt. The longest wait doubles for each further attempt.
    public var firstWait: Duration
    /// The upper limit of the doubled wait.
    public var longestWait: Duration
    /// The most time from the start of the first attempt to the start of the last; `nil` for no limit.
    public var totalTime: Duration?
    /// The longest `Retry-After` that is followed. A response with a longer `Retry-After` is final.
    public var longestRetryAfter: Duration
    /// The methods of requests that can be sent again without an `Idempotency-Key`. A GraphQL query can be sent again
    /// whatever its method is, and a mutation never without a key.
    public var methods: Set<HTTPMethod>
    /// The statuses after which a request is sent again.
    public var statuses: Set<HTTPStatus>
    /// The faults after which a request is sent again.
    public var faults: Set<TransportError.Kind>
    /// Makes the `Idempotency-Key` of a request that must not be repeated without a key: a GraphQL mutation, or a
    /// request that is no GraphQL query and has a method that is not in ``methods``. The closure is called once for all
    /// attempts of a ``Retry``, so they share the key. With `nil`, the default, such a request is sent once. In a
    /// policy that is an option, `nil` means the closure of the ``Retry``'s policy.
    public var makeIdempotencyKey: (@Sendable () -> String)?
    /// Chooses the wait, given the longest wait.
    let jitter: RetryJitter

    /// Returns a policy whose longest wait doubles with each attempt. By default each wait is a random part of the
    /// longest wait ("full jitter"), so that clients do not come back all at once.
    /// - Parameters:
    ///   - attempts: The most attempts, the first one included.
    ///   - firstWait: The longest wait before the second attempt.
    ///   - longestWait: The upper limit of the doubled wait.
    ///   - totalTime: The most time from the start of the first attempt to the start of the last.
    ///   - jitter: Chooses the wait, given the longest wait. Use ``RetryJitter/none`` in tests.
    /// - Returns: The policy.
    public static func exponential(
        attempts: Int,
        firstWait: Duration = .milliseconds(250),
        longestWait: Duration = .seconds(20),
        totalTime: Duration? = nil,
        jitter: RetryJitter = .full
    ) -> RetryPolicy {
        RetryPolicy(
            attempts: attempts,
            firstWait: firstWait,
            longestWait: longestWait,
            totalTime: totalTime,
            longestRetryAfter: .seconds(60),
            methods: idempotentMethods,
            statuses: retriedStatuses,
            faults: retriedFaults,
            jitter: jitter
        )
    }

    /// Sends each request once.
    public static var never: RetryPolicy { exponential(attempts: 1) }

    /// The idempotent methods (RFC 9110 §9.2.2): `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE`.
    public static let idempotentMethods: Set<HTTPMethod> = HTTPMethod.idempotentMethods

    /// The statuses after which the same request may succeed later: 408, 425 (RFC 8470 §5.2), 429 (RFC 6585 §4), 502,
    /// 503 and 504. A 500 is not among them, because it is mostly a defect that the next attempt would meet again.
    public static let retriedStatuses: Set<HTTPStatus> = [408, 425, 429, 502, 503, 504]

    /// The faults that may be gone at the next attempt: no network, host or connection, a lost connection, a broken
    /// body, and a time limit.
    ///
    /// Faults that the next attempt would get again are left out. Examples are an invalid request, a response that is
    /// too large or not HTTP, too many redirects, and a secure connection that cannot be made.
    public static let retriedFaults: Set<TransportError.Kind> = [
        .notConnected, .cannotFindHost, .cannotConnect, .connectionLost, .brokenBody, .timedOut,
    ]

    /// Returns the wait after an attempt. Attempts are counted from one.
    func wait(afterAttempt attempt: Int) -> Duration {
        var limit = max(firstWait, .zero)
        for _ in 1..<max(attempt, 1) where limit < longestWait { limit *= 2 }
        return max(jitter.choose(min(limit, longestWait)), .zero)
    }
}

extension RetryPolicy: Redacted {
    /// For example `at most 3 attempts`.
    public var description: String { "at most \(max(attempts, 1)) attempts" }
}
