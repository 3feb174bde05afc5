/// An observer that passes on the events of a look-up, unless the look-up finds nothing. So a miss is not reported as a
/// failed call.
///
/// The events are held until the call ends, or sends a request.
final class LookUpObserver: CallObserver {
    private enum State: Sendable {
        /// The events are held, each as a closure that delivers it.
        case holding([@Sendable () -> Void])
        /// Each event is delivered at once.
        case passing
    }

    private let observer: any CallObserver
    private let state = Locked(State.holding([]))

    init(_ observer: any CallObserver) { self.observer = observer }

    func observe(_ event: CallEvent, in call: CallContext) {
        if event.kind.isMiss { return state.withLock { $0 = .holding([]) } }
        let observer = observer
        let deliver = { @Sendable in observer.observe(event, in: call) }
        let ready = state.withLock { state -> [@Sendable () -> Void] in
            guard case .holding(var held) = state else { return [deliver] }
            held.append(deliver)
            state = event.kind.endsHolding ? .passing : .holding(held)
            return event.kind.endsHolding ? held : []
        }
        for deliver in ready { deliver() }
    }
}

extension CallEvent.Kind {
    /// Whether the call has ended because nothing is stored.
    fileprivate var isMiss: Bool {
        guard case .ended(_, let error as CallError) = self else { return false }
        return error.underlyingError is CacheMissError
    }

    /// Whether the event shows that the call is no miss: it has sent a request, or has ended.
    fileprivate var endsHolding: Bool {
        switch self {
        case .sent, .ended: true
        default: false
        }
    }
}
