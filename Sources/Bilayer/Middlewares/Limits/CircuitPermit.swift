/// The permission of one request by the circuit of its host. The permission is checked again after each wait of the
/// request, because other requests may fail meanwhile.
final class CircuitPermit: SendCondition {
    private let circuits: Locked<CircuitsOfHosts>
    private let host: String
    private let watch: Stopwatch
    /// `nil` after the end of the call that has asked for it. A request that other calls share can go on after that.
    private let permission: Locked<Circuit.Permission?>

    /// Asks for a permission.
    /// - Throws: ``CircuitOpenError``.
    init(of circuits: Locked<CircuitsOfHosts>, for host: String, _ watch: Stopwatch) throws {
        (self.circuits, self.host, self.watch) = (circuits, host, watch)
        permission = Locked(circuits.withLock { $0.permission(for: host, at: watch.elapsed) })
        if case .refused(let remaining)? = permission.withLock({ $0 }) { throw openError(remaining) }
    }

    /// Whether the request finds out whether the host is back.
    var isProbe: Bool { permission.withLock { $0?.isProbe == true } }

    /// If this request is the probe, gives up that role: another request may be sent earlier.
    func beginWait() {
        permission.withLock { permission in
            guard let probe = permission, probe.isProbe else { return }
            circuits.withLock { $0.record(nil, for: host, of: probe, at: watch.elapsed) }
        }
    }

    /// Asks again if the circuit has changed its state since the last permission.
    /// - Throws: ``CircuitOpenError``.
    func endWait() throws {
        let renewed = permission.withLock { permission in
            permission = permission.map { old in circuits.withLock { $0.renewed(old, for: host, at: watch.elapsed) } }
            return permission
        }
        if case .refused(let remaining)? = renewed { throw openError(remaining) }
        // The call has ended, so nobody would record the outcome of a probe. The request goes on only if the circuit is
        // closed.
        if renewed == nil, let remaining = circuits.withLock({ $0.byHost[host]?.refusal(at: watch.elapsed) }) {
            throw openError(remaining)
        }
    }

    /// Records the outcome of the request, and ends the permission.
    /// - Parameter isSuccess: Whether the host served the request; `nil` if that is unknown.
    func end(_ isSuccess: Bool?) {
        let last = permission.withLock { permission in
            defer { permission = nil }
            return permission
        }
        guard let last else { return }
        circuits.withLock { $0.record(isSuccess, for: host, of: last, at: watch.elapsed) }
    }

    private func openError(_ remaining: Duration) -> CircuitOpenError {
        CircuitOpenError(host: host, remaining: remaining)
    }
}
