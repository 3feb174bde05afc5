#if os(Linux)
/// Who may use a connection now, and who waits for one: a lane for each origin, in the order of arrival.
///
/// Exchanges wait here and not in libcurl, so thousands that wait cost nothing, and their time limits have not begun.
struct CurlLanes {
    private struct Lane {
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

    /// How many origins are remembered for their multiplexing alone.
    private static let mostIdle = 1_000

    private let limit: Int
    private var lanes: [String: Lane] = [:]

    /// - Parameter limit: The most connections to one origin.
    init(limit: Int) { self.limit = max(limit, 1) }

    /// Adds an exchange.
    /// - Returns: Whether it may begin at once; if not, it waits.
    mutating func enter(_ exchange: CurlExchange) -> Bool {
        var lane = lanes.removeValue(forKey: exchange.origin) ?? Lane()
        let isFree = lane.active < room(of: lane)
        if isFree { lane.active += 1 } else { lane.waiting.append(exchange) }
        lanes[exchange.origin] = lane
        return isFree
    }

    /// Removes an exchange that had begun.
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isMultiplexed: Whether its connection carries several exchanges at a time; `nil` means unknown.
    /// - Returns: The exchanges that begin now.
    mutating func leave(_ exchange: CurlExchange, isMultiplexed: Bool?) -> [CurlExchange] {
        guard var lane = lanes.removeValue(forKey: exchange.origin) else { return [] }
        lane.active -= 1
        if let isMultiplexed { lane.isMultiplexed = isMultiplexed }
        var begun: [CurlExchange] = []
        while lane.active < room(of: lane), let next = lane.next() {
            lane.active += 1
            begun.append(next)
        }
        if lane.active > 0 || lane.isMultiplexed && lanes.count < Self.mostIdle { lanes[exchange.origin] = lane }
        return begun
    }

    /// Forgets the cancelled ones among those that wait, once they are many.
    mutating func forgetCancelled(of origin: String) {
        guard var lane = lanes[origin], lane.waiting.count - lane.first > 256 else { return }
        let open = lane.waiting[lane.first...].filter(\.isWaitedFor)
        guard open.count * 2 < lane.waiting.count - lane.first else { return }
        lane.waiting = open
        lane.first = 0
        lanes[origin] = lane
    }

    private func room(of lane: Lane) -> Int { lane.isMultiplexed ? limit * Self.streams : limit }
}
#endif
