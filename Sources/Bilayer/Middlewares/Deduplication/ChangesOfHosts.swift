/// The numbers of the ended requests that may have changed something at their hosts.
///
/// The numbers go up over all hosts. So old hosts can be forgotten: the calls to them are then separated from the older
/// requests in flight once more, and nothing else happens.
struct ChangesOfHosts: Sendable {
    /// The most hosts that are known. A process that sends requests to any number of hosts keeps no more.
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
