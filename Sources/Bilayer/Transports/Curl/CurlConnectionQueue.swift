#if os(Linux)
/// The exchanges that use a connection, and the exchanges that wait for a connection. Each origin has a queue in the
/// order of arrival.
///
/// Exchanges wait for a connection to their origin in this queue and not in libcurl. So an exchange that waits here
/// needs no handle of libcurl, and its ``HTTPRequest/timeout`` does not run yet.
struct CurlConnectionQueue {
    private typealias OriginQueue = PermitQueue<CurlExchange, EqualPriority>

    /// The maximum number of HTTP/2 streams that libcurl opens on one connection.
    private static let streams = 100

    /// An origin without exchanges is kept only while there are fewer origins than this number. It is kept to record
    /// that its connections multiplex.
    private static let maximumIdle = 1_000

    private let limit: Int
    private var origins: [String: OriginQueue] = [:]
    private var lastID = 0

    /// Makes an empty queue.
    /// - Parameter limit: The largest number of connections to one origin.
    init(limit: Int) { self.limit = max(limit, 1) }

    /// Adds an exchange.
    /// - Returns: Whether the exchange may begin at once. If not, it waits.
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
        if !queue.isIdle || queue.permits > limit && origins.count < Self.maximumIdle {
            origins[exchange.origin] = queue
        }
        return begun
    }

    /// Removes an exchange that waits.
    mutating func remove(_ exchange: CurlExchange) {
        if let id = exchange.queueID { _ = origins[exchange.origin]?.leave(id) }
    }
}
#endif
