/// A call that goes on after the head of its response: a stream, a download or a WebSocket, including its
/// reconnections.
///
/// Its observer receives `began` once, and `ended` once, as the last event and with the outcome of the whole call. If a
/// reader leaves before the end, the call ends as cancelled.
final class LongCall: Sendable {
    private enum State { case idle, running, ended }

    private let context: CallContext
    private let state = Locked(State.idle)

    init(_ context: CallContext) { self.context = context }

    deinit { end(CancellationError()) }

    /// Begins the call, unless it has begun.
    func begin() {
        let isFirst = state.withLock { state in
            defer { if state == .idle { state = .running } }
            return state == .idle
        }
        guard isFirst else { return }
        context.observe(.began)
        // From now on the runs inside the call report neither `began` nor `ended`.
        context.markOutlivingHead()
    }

    /// Ends the call, unless it has ended.
    /// - Parameter failure: The error that the reader gets.
    func end(_ failure: (any Error)? = nil) {
        let isLast = state.withLock { state in
            defer { state = .ended }
            return state == .running
        }
        if isLast { context.observe(.ended(context.metrics, failure: failure)) }
    }
}
