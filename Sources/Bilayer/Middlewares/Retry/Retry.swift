/// Sends a request again after a fault that may be gone the next time.
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .retry(.exponential(attempts: 3)))
/// ```
///
/// The last attempt's response is returned, or its error thrown, as it is. So it is at once if the wait for the next
/// attempt would not end before a ``Deadline``, or if a ``CircuitBreaker`` inside does not send that attempt. A wait
/// runs on the call's clock and ends at once when the call is cancelled. `Retry-After` is followed in both forms
/// (RFC 9110 §10.2.3); the jittered wait comes on top of it, so that clients do not come back all at once. Each
/// decision is a note of the call (``CallContext/events``).
///
/// A stored response that an ``HTTPCache`` inside returns instead of a failure ends no retry: the request is sent again
/// as after that failure. The stored response is returned if the last attempt fails, too, or if the time is up before.
///
/// A route's own policy (``RetryPolicy`` as a ``CallOption``) replaces this one's.
public struct Retry: Middleware {
    let policy: RetryPolicy

    /// Makes a retry.
    /// - Parameter policy: When a request is sent again.
    public init(_ policy: RetryPolicy) { self.policy = policy }

    /// Sends the request until its outcome is to be returned.
    /// - Throws: The error of the last attempt, or `CancellationError` when the calling task was cancelled.
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
        while true {
            let outcome: Result<HTTPResponse, any Error>
            do {
                let response = try await next.process(request, in: context)
                if response.replaced != nil { stored = response }
                outcome = .success(response)
            } catch {
                // The error of a cancelled attempt is a consequence of the cancel.
                outcome = .failure(Task.isCancelled ? CancellationError() : error)
                if let last, !Task.isCancelled, error is any UnsentRequestError {
                    // It says less than the attempt before.
                    context.note("attempt \(attempt) was not sent: \(error)")
                    return try last.replacingFault(by: stored).get()
                }
            }
            last = outcome
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
    /// Sends a request again after a fault that may be gone the next time.
    /// - Parameter policy: When a request is sent again, how often, and after which waits.
    /// - Returns: The middleware.
    public static func retry(_ policy: RetryPolicy) -> Retry { Retry(policy) }
}

extension Retry: Redacted {
    /// For example `Retry(at most 3 attempts)`.
    public var description: String { "Retry(\(policy))" }
}

extension RetryPolicy {
    /// The policy of a route, with this one's maker of keys if it has none.
    fileprivate func replaced(by other: RetryPolicy?) -> RetryPolicy {
        guard var policy = other else { return self }
        policy.makeIdempotencyKey = policy.makeIdempotencyKey ?? makeIdempotencyKey
        return policy
    }

    /// The request with a key if it needs one and the policy makes them.
    fileprivate func withIdempotencyKey(_ request: HTTPRequest, in context: CallContext) -> HTTPRequest {
        guard let makeIdempotencyKey, attempts > 1, !mayRepeat(request, in: context) else { return request }
        var request = request
        request.headers[.idempotencyKey] = makeIdempotencyKey()
        return request
    }

    /// Whether sending the request twice does its work once.
    private func mayRepeat(_ request: HTTPRequest, in context: CallContext) -> Bool {
        methods.contains(request.method) || request.headers[.idempotencyKey]?.isEmpty == false
            // A query of GraphQL changes nothing, though it is sent by POST.
            || context.options[CallRepetition.self]?.isAllowed == true
    }

    /// The wait before the next attempt; `nil` if there is none. Notes the decision.
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
        guard request.isReplayable else { return end("its body can be sent once") }
        guard mayRepeat(request, in: context) else {
            return end("\(request.method) without an Idempotency-Key is not sent again")
        }
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

    /// Why the request may be sent again; `nil` if this outcome is the call's.
    private func reason(toRepeat outcome: Result<HTTPResponse, any Error>) -> String? {
        switch outcome {
        case .success(let response): statuses.contains(response.status) ? "status \(response.status)" : nil
        case .failure(let error as TransportError): faults.contains(error.kind) ? error.kind.description : nil
        case .failure: nil
        }
    }
}
