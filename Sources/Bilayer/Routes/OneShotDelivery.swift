import Foundation

/// A call that starts when it is asked for, delivers its outcome at most once, and never after a cancel: the rules of a
/// Combine subscription, kept apart from Combine so that every platform tests them.
// Sendable: `state` is only touched under `lock`, and `deliver` is called once, by whoever took it out of the state.
final class OneShotDelivery<Value: Sendable>: @unchecked Sendable {
    private enum State {
        case waiting(deliver: (Result<Value, any Error>) -> Void)
        case running(deliver: (Result<Value, any Error>) -> Void, task: Task<Void, Never>)
        case ended
    }

    private let lock = NSLock()
    private var state: State
    private let call: @Sendable () async throws -> Value

    init(
        call: @escaping @Sendable () async throws -> Value,
        deliver: @escaping (Result<Value, any Error>) -> Void
    ) {
        self.call = call
        state = .waiting(deliver: deliver)
    }

    /// Starts the call; without effect the second time and after a cancel.
    func start() {
        lock.withLock {
            guard case .waiting(let deliver) = state else { return }
            // The task waits for this lock before it can deliver, so it finds the state that names it.
            state = .running(deliver: deliver, task: Task { await self.run() })
        }
    }

    /// Ends the call; nothing is delivered from now on.
    func cancel() {
        let ended = lock.withLock {
            defer { state = .ended }
            return state
        }
        if case .running(_, let task) = ended { task.cancel() }
    }

    private func run() async {
        let result: Result<Value, any Error>
        do {
            result = .success(try await call())
        } catch {
            result = .failure(error)
        }
        let ended = lock.withLock {
            defer { state = .ended }
            return state
        }
        if case .running(let deliver, _) = ended { deliver(result) }
    }
}
