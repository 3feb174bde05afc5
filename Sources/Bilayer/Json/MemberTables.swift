import Foundation

/// Tables of members' positions, for large objects of a parsed text in which keys are looked up again and again. Comparing a hundred
/// keys takes about as long as asking a table, which has to be built first.
///
/// The lock is held to find or to store a table, never while one is built or searched: other threads compare keys meanwhile.
// Sendable: `tables` is only touched with the lock held.
final class MemberTables: @unchecked Sendable {
    private var tables: [Int: State] = [:]

    private enum State {
        /// How many look-ups there were.
        case awaited(Int)
        case inProgress
        case built(MemberTable)
    }

    /// Members from which on a table may be worth it.
    static let smallestObject = 128
    /// The look-up that builds it.
    private static let patience = 8
    /// One for all documents: a lock in each would cost small texts more than they take to parse.
    private static let lock = NSLock()

    /// The table of the object at a position; nil if there is none yet. The look-up that is one too many without a table makes it.
    func table(of object: Int, build: () -> MemberTable) -> MemberTable? {
        let (known, isDue) = Self.lock.withLock { note(object) }
        guard isDue else { return known }
        let table = build()
        Self.lock.withLock { tables[object] = .built(table) }
        return table
    }

    /// Counts a look-up.
    private func note(_ object: Int) -> (known: MemberTable?, isDue: Bool) {
        switch tables[object] {
        case .built(let table): return (table, false)
        case .inProgress: return (nil, false)
        case .awaited(let count) where count >= Self.patience:
            tables[object] = .inProgress
            return (nil, true)
        case .awaited(let count): tables[object] = .awaited(count + 1)
        case nil: tables[object] = .awaited(1)
        }
        return (nil, false)
    }
}
