#if os(Linux)
/// The exchanges that use a connection, and those that wait for one: a queue for each origin, in the order of arrival.
///
/// Exchanges wait here and not in libcurl, so thousands that wait cost nothing, and their time limits have not begun.
struct CurlConnectionQueue {
    private struct OriginQueue {
        var active = 0
        var isMultiplexed = false
        var waiting: [CurlExchange] = []
        var first = 0

        mutating func next() -> CurlExchange? {
            while first < waiting.count {
                let exchange = waiting[first]
                first += 1
                if first > 64, first * 2 > waiting.count {
                    waiting.removeFirst(first)
                    first = 0
                }
                if exchange.isWaitedFor { return exchange }
            }
            waiting = []
            first = 0
            return nil
        }
    }

    /// The streams of HTTP/2 that libcurl opens on one connection.
    private static let streams = 100

    /// The number of idle origins to keep for their multiplexing alone.
    private static let mostIdle = 1_000

    private let limit: Int
    private var origins: [String: OriginQueue] = [:]

    /// - Parameter limit: The most connections to one origin.
    init(limit: Int) { self.limit = max(limit, 1) }

    /// Adds an exchange.
    /// - Returns: Whether it may begin at once; if not, it waits.
    mutating func enter(_ exchange: CurlExchange) -> Bool {
        var queue = origins.removeValue(forKey: exchange.origin) ?? OriginQueue()
        let isFree = queue.active < room(of: queue)
        if isFree { queue.active += 1 } else { queue.waiting.append(exchange) }
        origins[exchange.origin] = queue
        return isFree
    }

    /// Removes an exchange that had begun.
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isMultiplexed: Whether its connection carries several exchanges at a time; `nil` means unknown.
    /// - Returns: The exchanges that begin now.
    mutating func leave(_ exchange: CurlExchange, isMultiplexed: Bool?) -> [CurlExchange] {
        guard var queue = origins.removeValue(forKey: exchange.origin) else { return [] }
        queue.active -= 1
        if let isMultiplexed { queue.isMultiplexed = isMultiplexed }
        var begun: [CurlExchange] = []
        while queue.active < room(of: queue), let next = queue.next() {
            queue.active += 1
            begun.append(next)
        }
        if queue.active > 0 || queue.isMultiplexed && origins.count < Self.mostIdle { origins[exchange.origin] = queue }
        return begun
    }

    /// Removes the cancelled ones among those that wait, once they are many.
    mutating func removeCancelled(of origin: String) {
        guard var queue = origins[origin], queue.waiting.count - queue.first > 256 else { return }
        let open = queue.waiting[queue.first...].filter(\.isWaitedFor)
        guard open.count * 2 < queue.waiting.count - queue.first else { return }
        queue.waiting = open
        queue.first = 0
        origins[origin] = queue
    }

    private func room(of queue: OriginQueue) -> Int { queue.isMultiplexed ? limit * Self.streams : limit }
}
#endif
