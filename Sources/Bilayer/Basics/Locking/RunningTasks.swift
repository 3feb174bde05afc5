/// Unstructured tasks, at most one for each id at a time. Their owner can cancel them and wait for their end.
final class RunningTasks<ID: Hashable & Sendable>: Sendable {
    private struct State {
        var tasks: [ID: Task<Void, Never>] = [:]
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var lastWaiter = 0
    }

    private let state = Locked(State())

    deinit { cancelAll() }

    /// Starts a task, unless a task with the id runs or `isAllowed` returns false.
    /// - Parameters:
    ///   - id: The id.
    ///   - isAllowed: Whether the task may start while the tasks with the given ids run. It runs under the lock.
    ///   - make: Makes the task, which runs the given closure. It runs under the lock.
    ///   - work: The work of the task.
    /// - Returns: The task; `nil` if it was not started.
    func start(
        _ id: ID,
        where isAllowed: (Dictionary<ID, Task<Void, Never>>.Keys) -> Bool = { _ in true },
        as make: (@escaping @Sendable () async -> Void) -> Task<Void, Never> = { work in Task { await work() } },
        work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never>? {
        state.withLock { state in
            guard state.tasks[id] == nil, isAllowed(state.tasks.keys) else { return nil }
            // The task needs the lock when it ends. So it is stored here before it can end.
            let task = make { [weak self] in
                await work()
                self?.end(id)
            }
            state.tasks[id] = task
            return task
        }
    }

    private func end(_ id: ID) {
        let waiters: [CheckedContinuation<Void, any Error>] = state.withLock { state in
            state.tasks[id] = nil
            guard state.tasks.isEmpty else { return [] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Cancels all tasks.
    func cancelAll() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    /// Waits until no task runs.
    /// - Throws: `CancellationError` if the waiting task is cancelled first.
    func waitForEnd() async throws {
        let id: Int? = state.withLock { state in
            state.lastWaiter += 1
            return state.tasks.isEmpty ? nil : state.lastWaiter
        }
        guard let id else { return }
        try await state.wait { state, continuation in
            if state.tasks.isEmpty { return .ends(.success(())) }
            state.waiters[id] = continuation
            return .waits()
        } leave: { state in
            state.withLock { $0.waiters.removeValue(forKey: id) }
        }
    }

    /// Waits until no task runs. If the waiting task is cancelled, the running tasks are cancelled, too, and still
    /// awaited.
    func settle() async {
        while let task = state.withLock({ $0.tasks.first?.value }) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
