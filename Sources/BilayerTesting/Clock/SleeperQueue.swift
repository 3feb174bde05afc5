/// The tasks that sleep on a ``TestClock``, ordered by deadline. To insert or remove a task takes log n steps on
/// average.
struct SleeperQueue<Deadline: Comparable & Sendable, Sleeper: Sendable>: Sendable {
    private struct Entry: Comparable {
        let deadline: Deadline
        let id: Int

        static func < (left: Entry, right: Entry) -> Bool {
            left.deadline == right.deadline ? left.id < right.id : left.deadline < right.deadline
        }
    }

    /// The entries of all sleepers, and of some cancelled sleepers. A cancelled sleeper's entry is removed when it
    /// becomes the smallest, or when there are too many such entries. So the smallest entry always belongs to a task
    /// that still sleeps.
    private var entries = Heap<Entry>()
    private var sleepers: [Int: Sleeper] = [:]

    var count: Int { sleepers.count }

    mutating func insert(_ sleeper: Sleeper, id: Int, until deadline: Deadline) {
        sleepers[id] = sleeper
        entries.insert(Entry(deadline: deadline, id: id))
    }

    mutating func remove(_ id: Int) -> Sleeper? {
        guard let sleeper = sleepers.removeValue(forKey: id) else { return nil }
        if entries.count > 2 * sleepers.count + 16 {
            let remaining = sleepers
            entries.keep { remaining[$0.id] != nil }
        }
        removeCancelled()
        return sleeper
    }

    /// The earliest deadline of the tasks that still sleep.
    var earliest: Deadline? { entries.smallest?.deadline }

    /// Removes the sleepers whose deadline has been reached, in the order of their deadlines.
    mutating func removeDue(at now: Deadline) -> [Sleeper] {
        var due: [Sleeper] = []
        while let entry = entries.smallest, entry.deadline <= now {
            entries.removeSmallest()
            if let sleeper = sleepers.removeValue(forKey: entry.id) { due.append(sleeper) }
        }
        removeCancelled()
        return due
    }

    private mutating func removeCancelled() {
        while let entry = entries.smallest, sleepers[entry.id] == nil { entries.removeSmallest() }
    }
}
