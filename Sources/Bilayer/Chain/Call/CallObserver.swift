/// Observes calls: connects an app's logs, metrics and traces.
///
/// ```swift
/// struct SlowCalls: CallObserver {
///     let report: @Sendable (String) -> Void
///
///     func observe(_ event: CallEvent, in call: CallContext) {
///         guard case .ended(let metrics, _) = event.kind, metrics.duration > .seconds(2) else { return }
///         report("\(call.endpoint?.name ?? "call") took \(metrics)")
///     }
/// }
/// client.observer = SlowCalls { print($0) }
/// ```
///
/// Without an observer, a call makes no events except notes. The events of one attempt come in order. Attempts that run
/// at the same time may call the observer at the same time, so it must be thread-safe. The work of the call waits until
/// the observer returns, so it must return soon. ``CallContext/events`` has the events of the call so far.
public protocol CallObserver: Sendable {
    /// Receives an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - call: The context of the call: its id, endpoint, options and events so far.
    func observe(_ event: CallEvent, in call: CallContext)
}
