import Foundation

/// A call that starts on demand and delivers one value and one completion, or one failure, until it is cancelled.
///
/// These are the rules of a Combine subscription, kept apart from Combine so that every platform can test them. The
/// receiver is called without a lock, so it may cancel or ask for more from within.
///
/// Value and completion begin with a change of the state, and so does a cancel, so each pair of them has an order: a
/// cancel prevents what has not begun. Inside the value's delivery, or while it runs on another thread, that is the
/// completion. A receiver must accept a completion that began before the cancel of another thread, as in every
/// implementation of Combine: to wait for it could deadlock.
// Sendable: `state` is only accessed under `lock`; the receiver is used by one task, which took it out of the state.
final class OneShotDelivery<Value: Sendable>: @unchecked Sendable {
    /// Takes what the call gives.
    struct Receiver {
        /// Takes the value.
        let value: (Value) -> Void
        /// Takes the end: `nil` after the value, or the error of a call that failed.
        let completion: ((any Error)?) -> Void
    }

    private enum State {
        case waiting(call: @Sendable () async throws -> Value, receiver: Receiver)
        case running(Task<Void, Never>, receiver: Receiver)
        /// The value is with the receiver, its completion is still to come.
        case delivering
        case ended
    }

    private let lock = NSLock()
    private var state: State

    init(call: @escaping @Sendable () async throws -> Value, receiver: Receiver) {
        state = .waiting(call: call, receiver: receiver)
    }

    /// Starts the call on the first demand; later demands and those after a cancel have no effect.
    /// - Parameter count: The number of values asked for. Zero does not start the call.
    func request(_ count: Int) {
        if count == 0 { return }
        lock.withLock {
            guard case .waiting(let call, let receiver) = state else { return }
            // The task waits for this lock before it can deliver, so it finds the state that names it.
            state = .running(Task { await self.run(call) }, receiver: receiver)
        }
    }

    /// Ends the call or its delivery. Releases the receiver.
    /// - Returns: Whether this cancel prevented the completion; `false` if that had begun or another cancel came first.
    @discardableResult
    func cancel() -> Bool {
        switch end() {
        case .running(let task, _): task.cancel()
        case .waiting, .delivering: break
        case .ended: return false
        }
        return true
    }

    private func run(_ call: @Sendable () async throws -> Value) async {
        do {
            let value = try await call()
            guard let receiver = beginDelivery() else { return }
            receiver.value(value)
            if case .delivering = end() { receiver.completion(nil) }
        } catch {
            if case .running(_, let receiver) = end() { receiver.completion(error) }
        }
    }

    private func beginDelivery() -> Receiver? {
        lock.withLock {
            guard case .running(_, let receiver) = state else { return nil }
            state = .delivering
            return receiver
        }
    }

    /// Moves to the end and returns the state before it, so that what it holds is released outside of the lock.
    private func end() -> State {
        lock.withLock {
            defer { state = .ended }
            return state
        }
    }
}
