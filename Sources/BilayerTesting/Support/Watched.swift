import Foundation

/// A value behind a lock that tasks can wait for.
///
/// One mechanism for everything here that is shared and awaited: the requests a server has seen, the time of a test
/// clock. There is no polling: a change of the value wakes the tasks whose condition now holds.
// Sendable: every access to the variables happens between `lock()` and `unlock()`.
final class Watched<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value
    private var waiters: [Waiter] = []
    private var nextID = 0

    /// Somebody who waits: tries to end with the value as it is now, and says how to go on.
    private struct Waiter {
        let id: Int
        let attempt: (Value) -> (() -> Void)?
        let cancel: () -> Void
    }

    init(_ value: Value) { self.value = value }

    /// Reads or changes the value, and wakes everybody whose condition holds afterwards, in the order of arrival.
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

    /// Waits until `condition` gives something for the value.
    ///
    /// A condition that already holds wins over a cancelled task: finished work is never turned into a cancellation.
    /// - Parameter condition: Called under the lock, so it must be short and must not use this object.
    /// - Returns: What the condition gave.
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
            // The handler has run, or will find nobody: it takes the same lock.
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
