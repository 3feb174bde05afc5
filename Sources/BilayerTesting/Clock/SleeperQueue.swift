/// The tasks that sleep on a ``TestClock``, earliest first. Each operation takes log n steps.
struct SleeperQueue: Sendable {
    typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct Entry: Comparable {
        let deadline: TestClock.Instant
        let id: Int

        static func < (left: Entry, right: Entry) -> Bool {
            left.deadline == right.deadline ? left.id < right.id : left.deadline < right.deadline
        }
    }

    /// Entries of cancelled sleepers stay until they are due or too many.
    private var entries = Heap<Entry>()
    private var sleepers: [Int: Sleeper] = [:]

    var count: Int { sleepers.count }

    mutating func insert(_ sleeper: Sleeper, id: Int, until deadline: TestClock.Instant) {
        sleepers[id] = sleeper
        entries.insert(Entry(deadline: deadline, id: id))
    }

    mutating func remove(_ id: Int) -> Sleeper? {
        guard let sleeper = sleepers.removeValue(forKey: id) else { return nil }
        if entries.count > 2 * sleepers.count + 16 {
            let remaining = sleepers
            entries.keep { remaining[$0.id] != nil }
        }
        return sleeper
    }

    /// The earliest deadline of the tasks that still sleep.
    mutating func earliest() -> TestClock.Instant? {
        while let entry = entries.smallest {
            if sleepers[entry.id] != nil { return entry.deadline }
            entries.removeSmallest()
        }
        return nil
    }

    /// Removes those whose deadline has come, in the order of their deadlines.
    mutating func removeDue(at now: TestClock.Instant) -> [Sleeper] {
        var due: [Sleeper] = []
        while let entry = entries.smallest, entry.deadline <= now {
            entries.removeSmallest()
            if let sleeper = sleepers.removeValue(forKey: entry.id) { due.append(sleeper) }
        }
        return due
    }
}
