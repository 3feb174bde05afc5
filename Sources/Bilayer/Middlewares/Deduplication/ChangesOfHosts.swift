/// For each host, the number of the last ended request that may have changed something there.
///
/// All hosts share one count, so known hosts can be forgotten. A call to a host that is not known then gets a new
/// number, and therefore joins no older request in flight. Nothing else changes.
struct ChangesOfHosts: Sendable {
    /// The maximum number of hosts to keep, however many hosts a process sends requests to.
    static let limit = 1_000

    private var latest = 0
    private(set) var byHost: [String: Int] = [:]
    /// The number of the change at which the known hosts were forgotten. This number is used for every unknown host.
    private var forgottenAt = 0

    /// Records the end of a request that may have changed something at the host.
    mutating func add(at host: String) {
        latest += 1
        if byHost.count >= Self.limit, byHost[host] == nil {
            byHost.removeAll()
            forgottenAt = latest
        }
        byHost[host] = latest
    }

    /// Returns the number of the last change at the host.
    func last(at host: String) -> Int { byHost[host] ?? forgottenAt }
}
