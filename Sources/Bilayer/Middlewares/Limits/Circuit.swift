/// The state of one host for a circuit breaker. All times are measured by one stopwatch.
struct Circuit: Sendable, Equatable {
    /// Whether a request may be sent.
    enum Permission: Sendable, Equatable {
        /// Allowed, because the circuit is closed.
        case allowed(StateNumber)
        /// Allowed, to find out whether the host is back. Other requests are refused until its outcome is known.
        case probe(StateNumber)
        /// Refused. `remaining` is the time until a request is allowed; zero while a probe is in progress.
        case refused(remaining: Duration)
    }

    /// The number of state changes so far. An outcome counts only if the state has not changed since its request was
    /// sent.
    struct StateNumber: Sendable, Equatable {
        fileprivate var number = 0
    }

    private enum State: Equatable {
        /// Requests are sent. `failures` is the number of failures in a row.
        case closed(failures: Int)
        /// Requests are refused until this time.
        case open(until: Duration)
        /// One request is sent. All others are refused until its outcome is known.
        case probing
    }

    private let failureLimit: Int
    private let pause: Duration
    private var state = State.closed(failures: 0)
    private var stateNumber = StateNumber()

    init(failureLimit: Int, pause: Duration) {
        self.failureLimit = max(failureLimit, 1)
        self.pause = pause
    }

    /// The permission of a request to a host without failures.
    var permissionWithoutFailures: Permission { .allowed(stateNumber) }

    /// Returns whether a request may be sent now. After the pause, the first caller's request is the probe: it shows
    /// whether the host has recovered.
    mutating func permission(at time: Duration) -> Permission {
        switch state {
        case .closed: return .allowed(stateNumber)
        case .probing: return .refused(remaining: .zero)
        case .open(let until):
            if time < until { return .refused(remaining: until - time) }
            begin(.probing)
            return .probe(stateNumber)
        }
    }

    /// Returns a permission again after a wait: the same permission if the state has not changed since, otherwise a new
    /// permission.
    mutating func renewed(_ permission: Permission, at time: Duration) -> Permission {
        if permission == .allowed(stateNumber) || permission == .probe(stateNumber) { return permission }
        return self.permission(at: time)
    }

    /// Returns the time until the next request is sent; `nil` if requests are sent now.
    func refusal(at time: Duration) -> Duration? {
        switch state {
        case .closed: nil
        case .open(let until): max(until - time, .zero)
        case .probing: .zero
        }
    }

    /// Records the outcome of a request.
    /// - Parameters:
    ///   - isSuccess: Whether the host served the request; `nil` if that is unknown, for example after a cancel.
    ///   - permission: The permission of the request. A permission from before the last change of the state has no
    ///     effect.
    ///   - time: When the request ended.
    mutating func record(_ isSuccess: Bool?, of permission: Permission, at time: Duration) {
        switch (permission, isSuccess) {
        case (.allowed(stateNumber), true?): state = .closed(failures: 0)
        case (.allowed(stateNumber), false?): countFailure(at: time)
        case (.probe(stateNumber), true?): begin(.closed(failures: 0))
        case (.probe(stateNumber), false?): begin(.open(until: time + pause))
        // The outcome is unknown, so the next request is the probe.
        case (.probe(stateNumber), nil): begin(.open(until: time))
        default: break
        }
    }

    /// Counts a failure of the closed circuit, and opens the circuit at the limit.
    private mutating func countFailure(at time: Duration) {
        guard case .closed(let failures) = state else { return }
        if failures + 1 < failureLimit {
            state = .closed(failures: failures + 1)
        } else {
            begin(.open(until: time + pause))
        }
    }

    /// Changes the state. From now on, outcomes of requests that were sent before have no effect.
    private mutating func begin(_ state: State) {
        self.state = state
        stateNumber.number += 1
    }
}

extension Circuit.Permission {
    var isProbe: Bool {
        if case .probe = self { true } else { false }
    }
}
