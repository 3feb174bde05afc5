/// The state of one host for a circuit breaker. Times are those of one stopwatch.
struct Circuit: Sendable {
    /// Whether a request may be sent.
    enum Permission: Sendable, Equatable {
        case allowed
        /// Allowed, to find out whether the host is back; the others wait for the outcome.
        case probe
        case refused(remaining: Duration)
    }

    private enum State: Equatable {
        case closed(failures: Int)
        case open(until: Duration)
        case probing
    }

    private let failureLimit: Int
    private let pause: Duration
    private var state = State.closed(failures: 0)

    init(failureLimit: Int, pause: Duration) {
        self.failureLimit = max(failureLimit, 1)
        self.pause = pause
    }

    mutating func permission(at time: Duration) -> Permission {
        switch state {
        case .closed: return .allowed
        case .probing: return .refused(remaining: .zero)
        case .open(let until):
            if time < until { return .refused(remaining: until - time) }
            state = .probing
            return .probe
        }
    }

    /// Records the outcome of a request; `nil` for one that says nothing about the host, because it was cancelled.
    mutating func record(_ isSuccess: Bool?, of permission: Permission, at time: Duration) {
        switch (permission, state, isSuccess) {
        case (.probe, .probing, true?): state = .closed(failures: 0)
        case (.probe, .probing, false?): state = .open(until: time + pause)
        // The next request is the probe.
        case (.probe, .probing, nil): state = .open(until: time)
        case (.allowed, .closed, true?): state = .closed(failures: 0)
        case (.allowed, .closed(let failures), false?):
            state = failures + 1 >= failureLimit ? .open(until: time + pause) : .closed(failures: failures + 1)
        // Requests from before the circuit opened change nothing while it is open or probed.
        default: break
        }
    }
}
