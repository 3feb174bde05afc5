/// A call that goes on after the head of its response: a stream, a download or a WebSocket, including its
/// reconnections.
///
/// Its observer receives `began` once, and `ended` once, as the last event and with the outcome of the whole call. Its
/// reporter receives the error that ends the call, but no error after which the call goes on. If a reader leaves before
/// the end, the call ends as cancelled.
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
    /// - Parameters:
    ///   - failure: The error that the reader gets.
    ///   - isReported: Whether the error goes to the reporter. Not an error of an element, which has its own report, and
    ///     not an error of the device, such as a full disk.
    func end(_ failure: (any Error)? = nil, isReported: Bool = true) {
        let isLast = state.withLock { state in
            defer { state = .ended }
            return state == .running
        }
        guard isLast else { return }
        if let failure, isReported { report(failure) }
        context.observe(.ended(context.metrics, failure: failure))
    }

    /// Reports the error that ends the call. An error of another call, and any other error of the app's check of a file,
    /// is one of the response.
    private func report(_ failure: any Error) {
        guard let error = failure as? CallError, error.callID == context.id else {
            return context.deliverLastReport(of: .response, failure: failure, about: context.reported)
        }
        var call = context.reported
        // A connection that was opened again has another request and response than the first.
        (call.request, call.response) = (error.request, error.response)
        context.deliverLastReport(of: MappingReport.Side(error.stage), failure: failure, about: call)
    }
}
