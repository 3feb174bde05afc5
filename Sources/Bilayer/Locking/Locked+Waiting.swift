/// The state that a task finds before it waits.
package enum WaitStart<Output: Sendable> {
    /// Its continuation is stored. The closure runs after the lock is released.
    case waits(then: (() -> Void)? = nil)
    /// It need not wait.
    case ends(Result<Output, any Error>)
}

extension Locked {
    /// Suspends the task until its continuation is resumed, or until the task is cancelled.
    ///
    /// A cancel and another end of the wait exclude each other by the lock. Who removes the continuation from the value
    /// resumes it, so it is resumed exactly once:
    ///
    /// ```swift
    /// let id = state.withLock { $0.makeID() }
    /// try await state.wait { state, continuation in
    ///     state.waiters[id] = continuation
    ///     return .waits()
    /// } leave: { state in
    ///     state.withLock { $0.waiters.removeValue(forKey: id) }
    /// }
    /// ```
    /// - Parameters:
    ///   - enter: Stores the continuation in the value, or ends the wait at once. Runs under the lock, and not in a
    ///     task that is cancelled already.
    ///   - leave: Removes the continuation after a cancel, and returns it. Returns `nil` if it is not there: it was not
    ///     stored yet, or another caller has removed it to resume it. Runs without the lock.
    /// - Returns: What the continuation was resumed with.
    /// - Throws: What the continuation was resumed with; `CancellationError` when the task is cancelled first.
    package func wait<Output: Sendable>(
        _ enter: (inout Value, CheckedContinuation<Output, any Error>) -> WaitStart<Output>,
        leave: @escaping @Sendable (Locked) -> CheckedContinuation<Output, any Error>?
    ) async throws -> Output {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let start: WaitStart<Output> = withLock { value in
                    // The handler below has run, or finds the continuation: it takes the lock.
                    Task.isCancelled ? .ends(.failure(CancellationError())) : enter(&value, continuation)
                }
                switch start {
                case .waits(let then): then?()
                case .ends(let result): continuation.resume(with: result)
                }
            }
        } onCancel: {
            leave(self)?.resume(throwing: CancellationError())
        }
    }
}
