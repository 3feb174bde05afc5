import Foundation

/// Tables of members' positions, for large objects of a parsed text in which keys are looked up again and again.
/// Comparing a hundred keys takes about as long as asking a table, which has to be built first.
struct MemberTables {
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

    /// Counts a look-up in the object at a position: its table if there is one, and whether this look-up is the one to
    /// build it.
    mutating func note(_ object: Int) -> (known: MemberTable?, isDue: Bool) {
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

    mutating func keep(_ table: MemberTable, of object: Int) {
        tables[object] = .built(table)
    }
}
