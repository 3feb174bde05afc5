/// A middleware that sends a request again after a fault that may be gone the next time.
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .retry(.exponential(attempts: 3)))
/// ```
///
/// The call ends with the response or error of the last attempt that was sent, unchanged. There is no further attempt
/// if the wait for it would not end before a ``Deadline``. There is also none after an attempt that ended before its
/// request was sent, for one of three reasons: a ``CircuitBreaker`` inside refused the request, the server that
/// refreshes its token is out of reach, or a node inside threw an error of its own. A wait runs on the call's clock and
/// ends at once when the call is cancelled. `Retry-After` is followed in both forms (RFC 9110 §10.2.3), up to
/// ``RetryPolicy/longestRetryAfter``. The policy's own wait is added to that time, so that clients do not come back all
/// at once. After a status or a fault of the policy, a note of the call says whether and when the request is sent again
/// (``CallContext/events``).
///
/// An ``HTTPCache`` inside can return a stored response instead of a failure. The retry then treats the attempt as
/// failed and sends the request again. The stored response is returned if the last attempt fails, too, or if the time
/// is up. Any other response that the cache returns without a request is final, such as its own 504 for
/// `only-if-cached`.
///
/// A ``RetryPolicy`` that is an option of the route or of the client replaces the policy of this middleware.
public struct Retry: Middleware {
    let policy: RetryPolicy

    /// Makes a retry.
    /// - Parameter policy: When a request is sent again.
    public init(_ policy: RetryPolicy) { self.policy = policy }

    /// Sends the request until the outcome of an attempt is final.
    /// - Throws: The error of the last attempt that was sent; if none was sent, the error of the first attempt.
    ///   `CancellationError` if the calling task was cancelled.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let policy = self.policy.replaced(by: context.options[RetryPolicy.self])
        let request = policy.withIdempotencyKey(request, in: context)
        let watch = Stopwatch(context.clock)
        var attempt = 1
        var stored: HTTPResponse?
        var last: Result<HTTPResponse, any Error>?
        // Whether the transport records its requests.
        var isRecorded = false
        while true {
            context.watchRequests()
            let outcome: Result<HTTPResponse, any Error>
            do {
                let response = try await next.process(request, in: context)
                if response.replaced != nil { stored = response }
                outcome = .success(response)
            } catch {
                // The error of a cancelled attempt is a consequence of the cancel.
                outcome = .failure(Task.isCancelled ? CancellationError() : error)
                let sentNothing = isRecorded && context.watchedRequests.targets.isEmpty
                if let last, !Task.isCancelled, error.isOfUnsentAttempt(thatSentNothing: sentNothing) {
                    // The outcome of the previous attempt says more than this error.
                    context.note("attempt \(attempt) was not sent: \(describeForeign(error))")
                    return try last.replacingFault(by: stored).get()
                }
            }
            last = outcome
            isRecorded = isRecorded || !context.watchedRequests.targets.isEmpty
            let failure = outcome.beforeReplacement
            guard let wait = policy.wait(after: failure, of: request, attempt: attempt, watch: watch, in: context)
            else {
                return try outcome.replacingFault(by: stored).get()
            }
            do {
                try await context.clock.pause(for: wait)
                try Task.checkCancellation()
            } catch {
                return try Result<HTTPResponse, any Error>.failure(error).replacingFault(by: stored).get()
            }
            attempt += 1
        }
    }
}

extension Middleware where Self == Retry {
    /// A middleware that sends a request again after a fault that may be gone the next time.
    /// - Parameter policy: When a request is sent again, how often, and after which waits.
    /// - Returns: The middleware.
    public static func retry(_ policy: RetryPolicy) -> Retry { Retry(policy) }
}

extension Retry: Redacted {
    /// For example `Retry(at most 3 attempts)`.
    public var description: String { "Retry(\(policy))" }
}

extension RetryPolicy {
    /// Returns the policy that is an option of the call, or this policy if the call has none. A policy without a key
    /// closure gets the key closure of this policy.
    fileprivate func replaced(by other: RetryPolicy?) -> RetryPolicy {
        guard var policy = other else { return self }
        policy.makeIdempotencyKey = policy.makeIdempotencyKey ?? makeIdempotencyKey
        return policy
    }

    /// Returns the request with an `Idempotency-Key` if it needs a key, and the policy makes keys and allows a second
    /// attempt.
    fileprivate func withIdempotencyKey(_ request: HTTPRequest, in context: CallContext) -> HTTPRequest {
        guard let makeIdempotencyKey, attempts > 1, !context.isIdempotent(request, idempotent: methods) else {
            return request
        }
        var request = request
        request.headers[.idempotencyKey] = makeIdempotencyKey()
        return request
    }

    /// Returns the wait before the next attempt; `nil` if there is no next attempt. Notes the decision after a status
    /// or a fault of the policy.
    fileprivate func wait(
        after outcome: Result<HTTPResponse, any Error>,
        of request: HTTPRequest,
        attempt: Int,
        watch: Stopwatch,
        in context: CallContext
    ) -> Duration? {
        guard !Task.isCancelled, let reason = reason(toRepeat: outcome) else { return nil }
        func end(_ text: String) -> Duration? {
            context.note("attempt \(attempt): \(reason); \(text)")
            return nil
        }
        guard attempt < attempts else { return end("it was the last one") }
        if let obstacle = context.obstacle(toRepeating: request, idempotent: methods) { return end(obstacle) }
        let asked = (try? outcome.get())?.retryAfter
        if let asked, asked > longestRetryAfter {
            return end(
                "Retry-After is \(asked.formattedSeconds), at most \(longestRetryAfter.formattedSeconds) is waited"
            )
        }
        let wait = wait(afterAttempt: attempt) + (asked ?? .zero)
        if let totalTime, watch.elapsed + wait > totalTime {
            return end("a wait of \(wait.formattedSeconds) exceeds the total of \(totalTime.formattedSeconds)")
        }
        if let left = context.timeLeft, wait >= left {
            return end("a wait of \(wait.formattedSeconds) exceeds the \(left.formattedSeconds) left for the call")
        }
        context.note("attempt \(attempt) of \(attempts): \(reason); sent again after \(wait.formattedSeconds)")
        return wait
    }

    /// The reason to send the request again; `nil` if this outcome is final.
    private func reason(toRepeat outcome: Result<HTTPResponse, any Error>) -> String? {
        switch outcome {
        case .success(let response):
            statuses.contains(response.status) && !response.isWithoutRequest ? "status \(response.status)" : nil
        case .failure(let error as TransportError): faults.contains(error.kind) ? error.kind.description : nil
        case .failure: nil
        }
    }
}
