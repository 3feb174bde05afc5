/// The circuits of the hosts that have failed. A circuit in its first state is not kept.
struct CircuitsOfHosts: Sendable {
    /// The number of hosts at which those are forgotten that need no circuit now. Only hosts that refuse requests can
    /// be more.
    static let limit = 1_000

    private(set) var byHost: [String: Circuit] = [:]
    private var new: Circuit

    init(_ new: Circuit) { self.new = new }

    mutating func permission(for host: String, at time: Duration) -> Circuit.Permission {
        byHost[host]?.permission(at: time) ?? new.firstPermission
    }

    /// Returns the permission of a request after a wait.
    mutating func renewed(_ permission: Circuit.Permission, for host: String, at time: Duration) -> Circuit.Permission {
        byHost[host]?.renewed(permission, at: time) ?? new.firstPermission
    }

    /// Records the outcome of a request.
    mutating func record(_ isSuccess: Bool?, for host: String, of permission: Circuit.Permission, at time: Duration) {
        var circuit = byHost[host] ?? new
        circuit.record(isSuccess, of: permission, at: time)
        guard circuit != new else { return byHost[host] = nil }
        if byHost[host] == nil, byHost.count >= Self.limit {
            byHost = byHost.filter { $0.value.isNeeded(at: time) }
            // The outcomes of requests in flight count for no circuit that is made from now on.
            new = new.ofNextGeneration()
        }
        byHost[host] = circuit
    }
}
