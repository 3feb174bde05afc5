/// Several observers as one: a log, metrics and traces of the same calls.
///
/// ```swift
/// struct FailedCalls: CallObserver {
///     let report: @Sendable (String) -> Void
///
///     func observe(_ event: CallEvent, in call: CallContext) {
///         if case .ended(_, _?) = event.kind { report(call.endpoint?.name ?? "call") }
///     }
/// }
/// client.observer = CallObservers([.log, FailedCalls { print($0) }])
/// ```
/// Each event is passed to all observers, in their order.
public struct CallObservers: CallObserver {
    private let observers: [any CallObserver]

    /// Makes one observer from several.
    /// - Parameter observers: Receive each event, in this order.
    public init(_ observers: [any CallObserver]) { self.observers = observers }

    /// Passes the event to each observer.
    public func observe(_ event: CallEvent, in call: CallContext) {
        for observer in observers { observer.observe(event, in: call) }
    }
}

extension CallObservers: Redacted {
    /// The number of the observers.
    public var description: String { "CallObservers(\(observers.count))" }
}
