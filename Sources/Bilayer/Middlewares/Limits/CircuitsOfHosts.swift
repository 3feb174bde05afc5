/// The circuits of the hosts that have failed. A circuit that was never open is not kept after a success. So the memory
/// does not grow with the number of hosts that work.
struct CircuitsOfHosts: Sendable {
    private(set) var byHost: [String: Circuit] = [:]
    private let new: Circuit

    init(_ new: Circuit) { self.new = new }

    mutating func permission(for host: String, at time: Duration) -> Circuit.Permission {
        byHost[host]?.permission(at: time) ?? new.permissionWithoutFailures
    }

    /// Returns the permission of a request after a wait.
    mutating func renewed(_ permission: Circuit.Permission, for host: String, at time: Duration) -> Circuit.Permission {
        byHost[host]?.renewed(permission, at: time) ?? new.permissionWithoutFailures
    }

    /// Records the outcome of a request.
    mutating func record(_ isSuccess: Bool?, for host: String, of permission: Circuit.Permission, at time: Duration) {
        var circuit = byHost[host] ?? new
        circuit.record(isSuccess, of: permission, at: time)
        byHost[host] = circuit == new ? nil : circuit
    }
}
