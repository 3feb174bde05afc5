/// A middleware that limits the requests in a period by a token bucket, for a server that has such a limit.
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .rate(10, per: .seconds(1), burst: 20))
/// ```
///
/// Requests wait in the order in which they came. A cancelled call leaves at once. The time that was reserved for it
/// goes to the next call that arrives, even if other calls wait longer. Add the limit inside of a ``Retry``, so that
/// each attempt counts.
public struct RateLimit: Middleware {
    private let bucket: Locked<TokenBucket>
    private let clock: any Clock<Duration>
    private let watch: Stopwatch

    /// Makes the middleware. Copies share the bucket.
    /// - Parameters:
    ///   - count: The requests in a period, at least one.
    ///   - period: The period.
    ///   - burst: The most requests at once after a pause. The default is `count`.
    ///   - clock: The clock that time and waits run on.
    public init(
        _ count: Int,
        per period: Duration,
        burst: Int? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let count = max(count, 1)
        bucket = Locked(TokenBucket(interval: period / count, burst: burst ?? count))
        self.clock = clock
        watch = Stopwatch(clock)
    }

    /// Waits until the request may be sent, and passes it on.
    /// - Throws: `CancellationError` if the task is cancelled before the end of its wait. ``CircuitOpenError`` if the
    ///   circuit of a ``CircuitBreaker`` around the limit has opened during the wait. Also the errors of the nodes
    ///   inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let reservation = bucket.withLock { $0.take(at: watch.elapsed) }
        let wait = reservation.wait
        if wait > .zero {
            context.note("waits \(wait.formattedSeconds) for the rate limit")
            context.beginWait()
            do {
                try await clock.pause(for: wait)
                try context.checkConditions()
            } catch {
                bucket.withLock { $0.giveBack(reservation) }
                throw error
            }
        }
        return try await next.process(request, in: context)
    }
}

extension Middleware where Self == RateLimit {
    /// A middleware that limits the requests in a period.
    /// - Parameters:
    ///   - count: The requests in a period, at least one.
    ///   - period: The period.
    ///   - burst: The most requests at once after a pause. The default is `count`.
    ///   - clock: The clock that time and waits run on.
    /// - Returns: The middleware.
    public static func rate(
        _ count: Int,
        per period: Duration,
        burst: Int? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RateLimit {
        RateLimit(count, per: period, burst: burst, clock: clock)
    }
}

extension RateLimit: Redacted {}
