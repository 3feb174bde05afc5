/// The shadow calls of a migrator that run now: how many there may be, and who waits for their end.
final class ShadowRuns: Sendable {
    private struct State {
        let most: Int
        var lastID = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let state: Locked<State>

    /// - Parameter most: The number of runs at a time.
    init(atMost most: Int) { state = Locked(State(most: max(most, 0))) }

    /// Starts a run, unless too many run already.
    ///
    /// The task is detached, because the run belongs to the migrator and not to the call beside it. It goes on after
    /// the call has answered. It has neither the call's cancellation nor its priority, and none of its task-local
    /// values: a mapping in progress, a trace or a transaction of the caller would otherwise see the shadow's work.
    /// - Returns: The run, to cancel it; `nil` if there is no place.
    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard state.tasks.count < state.most else { return nil }
            let id = state.makeID()
            // The task takes the lock to end, so it finds itself in the list.
            let task = Task.detached(priority: .utility) {
                await work()
                self.end(id)
            }
            state.tasks[id] = task
            return task
        }
    }

    private func end(_ id: Int) {
        let waiters: [CheckedContinuation<Void, any Error>] = state.withLock { state in
            state.tasks[id] = nil
            guard state.tasks.isEmpty else { return [] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    func cancelAll() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    /// Waits until no run is in progress.
    /// - Throws: `CancellationError` when the task is cancelled first.
    func waitForEnd() async throws {
        let waiter = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enter($0, waiter) }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
        }
    }

    private func enter(_ continuation: CheckedContinuation<Void, any Error>, _ waiter: Int) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if state.tasks.isEmpty { return .success(()) }
            // The cancellation handler has run, or finds this waiter: it takes the lock.
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[waiter] = continuation
            return nil
        }
        if let result { continuation.resume(with: result) }
    }
}
