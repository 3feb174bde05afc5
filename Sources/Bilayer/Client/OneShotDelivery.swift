import Foundation

/// A call that starts on demand. It delivers one value and one completion, or one failure, and nothing after a cancel.
///
/// These are the rules of a Combine subscription, separate from Combine so that every platform can test them. The
/// receiver is called without a lock, so it may cancel or request values meanwhile.
///
/// The delivery of the value, the delivery of the completion and a cancel each begin with a change of the state. So
/// they are ordered: a cancel prevents every delivery that has not begun. A cancel during the value's delivery prevents
/// the completion. A cancel does not wait for a delivery, because waiting could deadlock. So a receiver must accept a
/// completion that began before a cancel on another thread.
// Sendable: `state` is only accessed under `lock`; only the task that took the receiver out of the state uses the
// receiver.
final class OneShotDelivery<Value: Sendable>: @unchecked Sendable {
    /// Receives the value and the completion.
    struct Receiver {
        /// Receives the value.
        let value: (Value) -> Void
        /// Receives the completion: `nil` after the value, or the error of a call that failed.
        let completion: ((any Error)?) -> Void
    }

    private enum State {
        /// Before the first demand.
        case waiting(call: @Sendable () async throws -> Value, receiver: Receiver)
        /// The call runs, and nothing was delivered.
        case running(Task<Void, Never>, receiver: Receiver)
        /// The delivery of the value has begun, and that of the completion has not.
        case delivering
        /// The delivery of the completion has begun, or a cancel came before it.
        case ended
    }

    private let lock = NSLock()
    private var state: State

    init(call: @escaping @Sendable () async throws -> Value, receiver: Receiver) {
        state = .waiting(call: call, receiver: receiver)
    }

    /// Starts the call on the first demand. Later demands, and demands after a cancel, have no effect.
    /// - Parameter count: The number of requested values. Zero does not start the call.
    func request(_ count: Int) {
        if count == 0 { return }
        lock.withLock {
            guard case .waiting(let call, let receiver) = state else { return }
            // The task takes this lock before it delivers, so it finds the state `running`.
            state = .running(Task { await self.run(call) }, receiver: receiver)
        }
    }

    /// Ends the call or its delivery. Releases the receiver.
    /// - Returns: Whether this cancel prevented the completion; `false` if the completion had begun or another cancel
    ///   came first.
    @discardableResult
    func cancel() -> Bool {
        switch end() {
        case .running(let task, _): task.cancel()
        case .waiting, .delivering: break
        case .ended: return false
        }
        return true
    }

    /// Makes the call. Delivers its value and the completion, each unless a cancel came before it.
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

    /// Returns the receiver for the delivery of the value; `nil` after a cancel.
    private func beginDelivery() -> Receiver? {
        lock.withLock {
            guard case .running(_, let receiver) = state else { return nil }
            state = .delivering
            return receiver
        }
    }

    /// Sets the state to `ended` and returns the previous state, so that the caller releases its values outside of the
    /// lock.
    private func end() -> State {
        lock.withLock {
            defer { state = .ended }
            return state
        }
    }
}
