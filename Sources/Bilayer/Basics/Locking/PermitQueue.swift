/// A number of permits, and a queue of waiters with priorities. The waiter with the highest priority is next. Among
/// waiters of equal priority, the waiter that has waited longest is next.
///
/// After four waiters in a row have overtaken an earlier waiter, the waiter that has waited longest of all is next. So
/// no wait is endless.
struct PermitQueue<Waiter: Sendable, Priority: Comparable & Hashable & Sendable>: Sendable {
    private struct Waiting: Sendable {
        let id: Int
        /// The number of earlier arrivals.
        let arrival: Int
        let waiter: Waiter
    }

    /// The waiters of one priority in order, with nil for each waiter that has left.
    private struct List: Sendable {
        private var all: [Waiting?] = []
        private var first = 0
        /// The number of waiters that were removed from the front.
        private var removed = 0

        /// The waiter that has waited longest.
        var head: Waiting? { first < all.count ? all[first] : nil }

        /// - Returns: The position, by which the waiter can be removed.
        mutating func append(_ waiting: Waiting) -> Int {
            all.append(waiting)
            return removed + all.count - 1
        }

        mutating func remove(at position: Int) -> Waiting? {
            let index = position - removed
            defer {
                all[index] = nil
                while first < all.count, all[first] == nil { first += 1 }
                if first > all.count / 2 {
                    all.removeFirst(first)
                    removed += first
                    first = 0
                }
            }
            return all[index]
        }
    }

    /// The number of permits, at least one. If it becomes less than ``taken``, no permit is free until enough are given
    /// back.
    var permits: Int {
        didSet { permits = max(permits, 1) }
    }
    private(set) var taken = 0
    private var lists: [Priority: List] = [:]
    private var positions: [Int: (priority: Priority, position: Int)] = [:]
    private var arrivals = 0
    private var overtakings = 0

    init(permits: Int) { self.permits = max(permits, 1) }

    /// The number of waiters.
    var waiting: Int { positions.count }

    /// Whether all permits are free and nobody waits.
    var isIdle: Bool { taken == 0 && positions.isEmpty }

    /// Takes a permit. Returns false if none is free.
    mutating func take() -> Bool {
        guard taken < permits else { return false }
        taken += 1
        return true
    }

    /// Adds a waiter.
    /// - Parameters:
    ///   - waiter: The waiter.
    ///   - id: The id by which the waiter can leave.
    ///   - priority: The priority of the waiter.
    mutating func wait(_ waiter: Waiter, id: Int, priority: Priority) {
        let waiting = Waiting(id: id, arrival: arrivals, waiter: waiter)
        arrivals += 1
        positions[id] = (priority, lists[priority, default: List()].append(waiting))
    }

    /// Removes a waiter.
    /// - Returns: The waiter; `nil` if it no longer waits.
    mutating func leave(_ id: Int) -> Waiter? {
        positions.removeValue(forKey: id).flatMap { lists[$0.priority]?.remove(at: $0.position)?.waiter }
    }

    /// Gives a permit back. The next waiter takes it.
    /// - Returns: The waiter that now has the permit; `nil` if no permit is free or nobody waits.
    mutating func release() -> Waiter? {
        giveBack()
        return next()
    }

    /// Gives a permit back and leaves it free.
    mutating func giveBack() { taken -= 1 }

    /// Takes a permit for the next waiter.
    /// - Returns: The waiter; `nil` if no permit is free or nobody waits.
    mutating func next() -> Waiter? {
        guard taken < permits, let waiting = removeNext() else { return nil }
        taken += 1
        return waiting
    }

    private mutating func removeNext() -> Waiter? {
        let heads = lists.compactMap { list in list.value.head.map { (priority: list.key, waiting: $0) } }
        guard let urgent = heads.max(by: { $0.priority < $1.priority }),
            let first = heads.min(by: { $0.waiting.arrival < $1.waiting.arrival })
        else { return nil }
        let next = overtakings < 4 ? urgent : first
        overtakings = next.waiting.id == first.waiting.id ? 0 : overtakings + 1
        return leave(next.waiting.id)
    }
}

/// The only priority, for waiters that are all equally urgent.
enum EqualPriority: Comparable { case only }
