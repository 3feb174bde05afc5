#if os(Linux)
/// The exchanges that use a connection, and those that wait for one: a queue for each origin, in the order of arrival.
///
/// Exchanges wait here and not in libcurl, so thousands that wait cost nothing, and their time limits have not begun.
struct CurlConnectionQueue {
    private typealias OriginQueue = PermitQueue<CurlExchange, EqualPriority>

    /// The streams of HTTP/2 that libcurl opens on one connection.
    private static let streams = 100

    /// The number of idle origins to keep for their multiplexing alone.
    private static let mostIdle = 1_000

    private let limit: Int
    private var origins: [String: OriginQueue] = [:]
    private var lastID = 0

    /// - Parameter limit: The most connections to one origin.
    init(limit: Int) { self.limit = max(limit, 1) }

    /// Adds an exchange.
    /// - Returns: Whether it may begin at once; if not, it waits.
    mutating func enter(_ exchange: CurlExchange) -> Bool {
        if origins[exchange.origin, default: OriginQueue(permits: limit)].take() { return true }
        lastID += 1
        exchange.queueID = lastID
        origins[exchange.origin]?.wait(exchange, id: lastID, priority: .only)
        return false
    }

    /// Removes an exchange that had begun.
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isMultiplexed: Whether its connection carries several exchanges at a time; `nil` means unknown.
    /// - Returns: The exchanges that begin now.
    mutating func leave(_ exchange: CurlExchange, isMultiplexed: Bool?) -> [CurlExchange] {
        guard var queue = origins.removeValue(forKey: exchange.origin) else { return [] }
        if let isMultiplexed { queue.permits = isMultiplexed ? limit * Self.streams : limit }
        queue.giveBack()
        var begun: [CurlExchange] = []
        while let next = queue.next() {
            if next.isWaitedFor { begun.append(next) } else { queue.giveBack() }
        }
        if !queue.isIdle || queue.permits > limit && origins.count < Self.mostIdle { origins[exchange.origin] = queue }
        return begun
    }

    /// Removes an exchange that waits.
    mutating func remove(_ exchange: CurlExchange) {
        if let id = exchange.queueID { _ = origins[exchange.origin]?.leave(id) }
    }
}
#endif
