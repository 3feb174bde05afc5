/// The time limit of a whole call.
final class CallDeadline: Sendable {
    private struct State {
        var isOver = false
        var isCancelled = false
        /// Cancels the work that runs after the time limit.
        var stop: (@Sendable () -> Void)?
    }

    let limit: Duration
    private let state = Locked(State())

    init(_ limit: Duration) { self.limit = limit }

    /// Whether the limit, and not the caller, has ended the call.
    var hasEndedCall: Bool { state.withLock { $0.isOver && !$0.isCancelled } }

    /// Records that the time is up.
    func pass() { state.withLock { $0.isOver = true } }

    /// Records that the caller has cancelled the call. The call's task does not show that: after the time limit it is
    /// cancelled in any case.
    func cancel() {
        let stop = state.withLock { state in
            state.isCancelled = true
            return state.stop
        }
        stop?()
    }

    /// Runs work after the time limit, in a separate task, because the call's task is cancelled. If the caller cancels
    /// the call, the work is cancelled.
    func runAfterwards<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await work() }
        let isCancelled = state.withLock { state in
            state.stop = { task.cancel() }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        defer { state.withLock { $0.stop = nil } }
        return await task.value
    }
}
