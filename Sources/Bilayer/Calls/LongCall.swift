/// A call that goes on after the head of its response: a stream, a download or a WebSocket, with all its connections.
///
/// Its observer receives `began` once, and `ended` once, as the last event and with the outcome of the whole call. A
/// reader that leaves before the end has cancelled it.
final class LongCall: Sendable {
    private enum State { case idle, running, ended }

    private let context: CallContext
    private let state = Locked(State.idle)

    init(_ context: CallContext) { self.context = context }

    deinit { end(CancellationError()) }

    /// The call begins, if it has not.
    func begin() {
        let isFirst = state.withLock { state in
            defer { if state == .idle { state = .running } }
            return state == .idle
        }
        guard isFirst else { return }
        context.observe(.began)
        // The runs inside report neither event.
        context.becomeLong()
    }

    /// The call ends, if it has not.
    /// - Parameter failure: The error that its reader gets.
    func end(_ failure: (any Error)? = nil) {
        let isLast = state.withLock { state in
            defer { state = .ended }
            return state == .running
        }
        if isLast { context.observe(.ended(context.metrics, failure: failure)) }
    }
}
