/// The result of a task's attempt to begin a wait.
package enum WaitStart<Output: Sendable> {
    /// The task's continuation is stored, so the task waits. The closure runs after the lock is released.
    case waits(then: (() -> Void)? = nil)
    /// The task does not wait.
    case ends(Result<Output, any Error>)
}

extension Locked {
    /// Suspends the task until its continuation is resumed, or until the task is cancelled.
    ///
    /// The lock ensures that either a cancel or other code ends the wait. Whoever removes the continuation from the
    /// value resumes it, so it is resumed exactly once:
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
    ///   - enter: Stores the continuation in the value, or ends the wait immediately. It runs under the lock. It does
    ///     not run if the task is already cancelled.
    ///   - leave: Removes the continuation after a cancel, and returns it. Returns `nil` if the continuation is not in
    ///     the value: it is not stored, or other code has removed it to resume it. It runs without the lock.
    /// - Returns: The value that the continuation was resumed with.
    /// - Throws: The error that the continuation was resumed with. `CancellationError` if the task is cancelled first.
    package func wait<Output: Sendable>(
        _ enter: (inout Value, CheckedContinuation<Output, any Error>) -> WaitStart<Output>,
        leave: @escaping @Sendable (Locked) -> CheckedContinuation<Output, any Error>?
    ) async throws -> Output {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let start: WaitStart<Output> = withLock { value in
                    // The cancellation handler below also needs the lock. Either the task is already cancelled here, or
                    // the handler runs later and finds the continuation.
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
