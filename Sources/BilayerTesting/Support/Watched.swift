import Bilayer

/// A value behind a lock. Tasks can wait until the value satisfies a condition.
///
/// The value is, for example, the requests of a server or the time of a test clock. There is no polling: a change of
/// the value wakes the tasks whose conditions the new value satisfies.
final class Watched<Value: Sendable>: Sendable {
    /// A waiting task. `attempt` checks the value. If the condition of the task holds, it returns a closure that
    /// resumes the task.
    private struct Waiter: Sendable {
        let id: Int
        let attempt: @Sendable (Value) -> (@Sendable () -> Void)?
        let cancel: @Sendable () -> Void

        init<Outcome: Sendable>(
            id: Int,
            _ continuation: CheckedContinuation<Outcome, any Error>,
            _ condition: @escaping @Sendable (Value) -> Outcome?
        ) {
            self.id = id
            attempt = { value in
                guard let outcome = condition(value) else { return nil }
                return { continuation.resume(returning: outcome) }
            }
            cancel = { continuation.resume(throwing: CancellationError()) }
        }
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Waiter] = []
        var lastID = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// Removes the waiters whose conditions hold.
        /// - Returns: Closures that resume these waiters, in the order of arrival.
        mutating func awaken() -> [@Sendable () -> Void] {
            var awakened: [@Sendable () -> Void] = []
            waiters.removeAll { waiter in
                guard let resume = waiter.attempt(value) else { return false }
                awakened.append(resume)
                return true
            }
            return awakened
        }
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    /// Reads or changes the value. Wakes the tasks whose conditions then hold, in the order of arrival.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        var awakened: [@Sendable () -> Void] = []
        defer { for resume in awakened { resume() } }
        return try state.withLock { state in
            let result = try body(&state.value)
            awakened = state.awaken()
            return result
        }
    }

    /// Waits until `condition` returns a result for the value.
    ///
    /// If the condition already holds, its result is returned even in a cancelled task.
    /// - Parameter condition: Checks the value. The closure is called under the lock, so it must be short and must not
    ///   use this object.
    /// - Returns: The result of the condition.
    /// - Throws: `CancellationError` if the task is cancelled before the condition holds.
    func wait<Outcome: Sendable>(for condition: @escaping @Sendable (Value) -> Outcome?) async throws -> Outcome {
        let (found, id) = state.withLock { state in (condition(state.value), state.makeID()) }
        if let found { return found }
        return try await state.wait { state, continuation -> WaitStart<Outcome> in
            if let found = condition(state.value) { return .ends(.success(found)) }
            let waiter = Waiter(id: id, continuation, condition)
            state.waiters.append(waiter)
            return .waits()
        } leave: { _ in
            self.leave(id)
            return nil
        }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.cancel()
    }

    /// Waits like ``Locked/wait(_:leave:)``, with a continuation that is stored in the value.
    func wait(
        storing enter: (inout Value, CheckedContinuation<Void, any Error>) -> WaitStart<Void>,
        leave: @escaping @Sendable (inout Value) -> CheckedContinuation<Void, any Error>?
    ) async throws {
        try await state.wait { state, continuation -> WaitStart<Void> in
            let start = enter(&state.value, continuation)
            // Waiters are removed only in this case, because only the closure below resumes them.
            guard case .waits(let then) = start else { return start }
            let awakened = state.awaken()
            return .waits {
                then?()
                for resume in awakened { resume() }
            }
        } leave: { _ in
            self.withLock(leave)
        }
    }
}
