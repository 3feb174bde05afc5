/// Work that any number of callers wait for together, by key: the first caller starts it, the others join.
///
/// A caller can leave at any time: if the caller is cancelled, its wait ends at once. The work goes on for the other
/// callers. When the last caller leaves, the work is cancelled, and that caller waits for its end, so that no task is
/// left behind. With `runsWithoutCallers` the work goes on without callers instead, and the next caller joins it.
///
/// The work runs in a task of its own, because the work can outlive the caller that started it. The task inherits the
/// task-local values of that caller.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Running {
        let id: Int
        let task: Task<Void, Never>
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private struct State {
        var inProgress: [Key: Running] = [:]
        var lastID = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        mutating func takeWaiters(of key: Key) -> [CheckedContinuation<Value, any Error>] {
            let waiters = inProgress[key]?.waiters.values.map { $0 } ?? []
            inProgress[key]?.waiters = [:]
            return waiters
        }

        /// Removes a waiter.
        /// - Returns: The continuation of the waiter. If the last caller has left the work, also the task of the work,
        ///   which has to be cancelled.
        mutating func leave(
            _ waiter: Int,
            _ key: Key,
            runsWithoutCallers: Bool
        ) -> (continuation: CheckedContinuation<Value, any Error>?, abandoned: Task<Void, Never>?) {
            let continuation = inProgress[key]?.waiters.removeValue(forKey: waiter)
            let isLast = !runsWithoutCallers && continuation != nil && inProgress[key]?.waiters.isEmpty == true
            return (continuation, isLast ? inProgress.removeValue(forKey: key)?.task : nil)
        }
    }

    private let state = Locked(State())
    private let runsWithoutCallers: Bool

    /// - Parameter runsWithoutCallers: Whether work that has begun goes on when its last caller has left.
    init(runsWithoutCallers: Bool = false) { self.runsWithoutCallers = runsWithoutCallers }

    /// How many callers wait, for all keys together. For tests.
    var waiting: Int { state.withLock { $0.inProgress.values.reduce(0) { $0 + $1.waiters.count } } }

    /// The number of keys with work in progress, with callers or without. For tests.
    var running: Int { state.withLock { $0.inProgress.count } }

    /// Starts or joins the work for the key, and returns its result.
    /// - Parameters:
    ///   - key: What the work is for.
    ///   - work: Runs if no work for the key is in progress.
    ///   - join: Runs if work for the key is in progress, before the wait for it.
    /// - Returns: The result.
    /// - Throws: The work's error, or `CancellationError` when the calling task was cancelled. If the work threw
    ///   `CancellationError` itself, the error is ``SharedWorkCancelled``.
    func value(
        for key: Key,
        of work: @escaping @Sendable () async throws -> Value,
        onJoin join: @escaping @Sendable () -> Void = {}
    ) async throws -> Value {
        let waiter = state.withLock { $0.makeID() }
        let abandoned = Locked<Task<Void, Never>?>(nil)
        do {
            return try await state.wait { state, continuation -> WaitStart<Value> in
                let isRunning = self.begin(work, key, &state)
                state.inProgress[key]?.waiters[waiter] = continuation
                return isRunning ? .waits(then: join) : .waits()
            } leave: { _ in
                self.leave(waiter, key, abandoned)
            }
        } catch {
            await abandoned.withLock { $0 }?.value
            throw error
        }
    }

    /// Starts the work for the key, unless it is in progress. Nobody waits for it.
    func start(for key: Key, of work: @escaping @Sendable () async throws -> Value) {
        _ = state.withLock { begin(work, key, &$0) }
    }

    /// Starts the work for the key, unless it is in progress.
    /// - Returns: Whether it was in progress.
    private func begin(
        _ work: @escaping @Sendable () async throws -> Value,
        _ key: Key,
        _ state: inout State
    ) -> Bool {
        if state.inProgress[key] != nil { return true }
        let id = state.makeID()
        state.inProgress[key] = Running(id: id, task: Task { await self.run(work, id, key) })
        return false
    }

    /// Ends the waits for some keys. Their work goes on.
    /// - Parameters:
    ///   - value: The result that the callers get.
    ///   - isOutdated: Returns whether the waits for a key end. Runs under the lock.
    func endWaits(with value: Value, where isOutdated: (Key) -> Bool) {
        let waiters = state.withLock { state in
            state.inProgress.keys.filter(isOutdated).flatMap { state.takeWaiters(of: $0) }
        }
        for continuation in waiters { continuation.resume(returning: value) }
    }

    private func leave(
        _ waiter: Int,
        _ key: Key,
        _ abandoned: Locked<Task<Void, Never>?>
    ) -> CheckedContinuation<Value, any Error>? {
        let (continuation, task) = state.withLock { $0.leave(waiter, key, runsWithoutCallers: runsWithoutCallers) }
        task?.cancel()
        abandoned.withLock { $0 = task }
        return continuation
    }

    private func run(_ work: @Sendable () async throws -> Value, _ id: Int, _ key: Key) async {
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error is CancellationError ? SharedWorkCancelled() : error)
        }
        let waiters = state.withLock { state in
            state.inProgress[key]?.id == id ? state.inProgress.removeValue(forKey: key)?.waiters : nil
        }
        for continuation in (waiters ?? [:]).values { continuation.resume(with: result) }
    }
}

/// The error of work that cancelled itself while callers waited. The callers are not cancelled, so they get no
/// `CancellationError`.
struct SharedWorkCancelled: Error {}
