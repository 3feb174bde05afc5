import Foundation

/// A value behind a lock that tasks can wait for.
///
/// It stores the requests of a server and the time of a test clock. There is no polling: a change of the value wakes
/// the tasks whose condition then holds.
// Sendable: every access to the variables happens between `lock()` and `unlock()`.
final class Watched<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value
    private var waiters: [Waiter] = []
    private var nextID = 0

    /// A waiting task: checks the current value, and returns a closure that resumes the task if the wait has ended.
    private struct Waiter {
        let id: Int
        let attempt: (Value) -> (() -> Void)?
        let cancel: () -> Void
    }

    init(_ value: Value) { self.value = value }

    /// Reads or changes the value, and wakes the tasks whose condition then holds, in the order of arrival.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        var awakened: [() -> Void] = []
        defer {
            lock.unlock()
            for resume in awakened { resume() }
        }
        let result = try body(&value)
        waiters.removeAll { waiter in
            guard let resume = waiter.attempt(value) else { return false }
            awakened.append(resume)
            return true
        }
        return result
    }

    /// Waits until `condition` returns a result for the value.
    ///
    /// If the condition holds already, its result is returned also in a cancelled task.
    /// - Parameter condition: Called under the lock, so it must be short and must not use this object.
    /// - Returns: The result of the condition.
    /// - Throws: `CancellationError` when the task is cancelled first.
    func wait<Outcome: Sendable>(for condition: @escaping @Sendable (Value) -> Outcome?) async throws -> Outcome {
        let id = makeID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(id, continuation, condition)
            }
        } onCancel: {
            leave(id)
        }
    }

    private func makeID() -> Int {
        lock.lock()
        defer { lock.unlock() }
        nextID += 1
        return nextID
    }

    private func enter<Outcome: Sendable>(
        _ id: Int,
        _ continuation: CheckedContinuation<Outcome, any Error>,
        _ condition: @escaping @Sendable (Value) -> Outcome?
    ) {
        let waiter = Waiter(
            id: id,
            attempt: { value in condition(value).map { outcome in { continuation.resume(returning: outcome) } } },
            cancel: { continuation.resume(throwing: CancellationError()) }
        )
        lock.lock()
        let resume: (() -> Void)?
        if let finished = waiter.attempt(value) {
            resume = finished
        } else if Task.isCancelled {
            // The cancellation handler has run, or finds no waiting task: it takes this lock.
            resume = waiter.cancel
        } else {
            waiters.append(waiter)
            resume = nil
        }
        lock.unlock()
        resume?()
    }

    private func leave(_ id: Int) {
        lock.lock()
        let waiter = waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0) }
        lock.unlock()
        waiter?.cancel()
    }
}
