/// Work that any number of callers wait for together, by key: the first caller starts it, the others join.
///
/// A caller can leave at any time: its cancellation ends its wait at once. The work goes on for the others. When the
/// last one leaves, the work is cancelled, and that caller waits for its end, so that nothing is left behind. Work that
/// must come to its end goes on without callers instead (`runsWithoutCallers`), and the next caller joins it.
///
/// The work runs in a task of its own, because it outlives the caller that started it. It inherits the task-local
/// values of that caller.
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
        /// - Returns: Its continuation, and the task of the work if no caller waits for it any more.
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

    /// How many callers wait, for all keys together.
    var waiting: Int { state.withLock { $0.inProgress.values.reduce(0) { $0 + $1.waiters.count } } }

    /// For how many keys work is in progress, with callers or without.
    var running: Int { state.withLock { $0.inProgress.count } }

    /// The result of the work for the key, started or joined.
    /// - Parameters:
    ///   - key: What the work is for.
    ///   - work: Run if no work for the key is in progress.
    ///   - join: Run if work for the key is in progress, before the wait for it.
    /// - Returns: The result.
    /// - Throws: The work's error, or `CancellationError` when the calling task was cancelled. An error that only says
    ///   that the work itself was cancelled is not thrown: see ``SharedWorkCancelled``.
    func value(
        for key: Key,
        of work: @escaping @Sendable () async throws -> Value,
        onJoin join: @escaping @Sendable () -> Void = {}
    ) async throws -> Value {
        let waiter = state.withLock { $0.makeID() }
        let abandoned = Locked<Task<Void, Never>?>(nil)
        do {
            return try await state.wait { state, continuation -> WaitStart<Value> in
                let isRunning = state.inProgress[key] != nil
                if !isRunning {
                    let id = state.makeID()
                    state.inProgress[key] = Running(id: id, task: Task { await self.run(work, id, key) })
                }
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

    /// Ends the waits for some keys, whose work goes on.
    /// - Parameters:
    ///   - value: What the callers get.
    ///   - isOutdated: Whether those of a key wait no longer. Runs under the lock.
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

/// The work cancelled itself, though its callers wait for it: they are not cancelled, so they get no
/// `CancellationError`.
struct SharedWorkCancelled: Error {}
