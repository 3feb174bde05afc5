import Bilayer

/// A value behind a lock that tasks can wait for.
///
/// It stores the requests of a server and the time of a test clock. There is no polling: a change of the value wakes
/// the tasks whose condition then holds.
final class Watched<Value: Sendable>: Sendable {
    /// A waiting task: checks the current value, and returns a closure that resumes the task if the wait has ended.
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

        /// Removes the waiters whose condition holds.
        /// - Returns: What resumes them, in the order of arrival.
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

    /// Reads or changes the value, and wakes the tasks whose condition then holds, in the order of arrival.
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
    /// If the condition holds already, its result is returned also in a cancelled task.
    /// - Parameter condition: Called under the lock, so it must be short and must not use this object.
    /// - Returns: The result of the condition.
    /// - Throws: `CancellationError` when the task is cancelled first.
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

    /// Waits as ``Locked/wait(_:leave:)`` does, with a continuation that the value stores.
    func wait(
        storing enter: (inout Value, CheckedContinuation<Void, any Error>) -> WaitStart<Void>,
        leave: @escaping @Sendable (inout Value) -> CheckedContinuation<Void, any Error>?
    ) async throws {
        try await state.wait { state, continuation -> WaitStart<Void> in
            let start = enter(&state.value, continuation)
            // Not before: who is taken out of the list is resumed below.
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
