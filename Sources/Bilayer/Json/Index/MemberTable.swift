import Foundation

/// A hash table of the positions of an object's members by their keys. It has no copies of the keys, and is constant
/// after `init`.
///
/// Hashes are seeded (``KeySeed``), so an attacker cannot choose keys that collide.
final class MemberTable: Sendable {
    /// The positions of the keys. An empty slot has 0, which is the position of the root.
    private let slots: [UInt32]
    private let mask: Int

    /// Makes the table of an object, which must have a member. If a key is repeated, the table has the last of its
    /// members if `lastWins` is true, otherwise the first.
    init(_ nodes: JsonNodes, of object: Int, lastWins: Bool) {
        let count = nodes.words.memberCount(at: object)
        // At most half of the slots are used, so a search ends at an empty slot.
        let capacity = 1 << (Int.bitWidth - (count &* 2 &+ 1).leadingZeroBitCount)
        let mask = capacity &- 1
        var slots = [UInt32](repeating: 0, count: capacity)
        let seed = KeySeed.process
        var key = nodes.firstChild(of: object)
        for _ in 0..<count {
            var slot = Int(truncatingIfNeeded: nodes.seededHash(ofKeyAt: key, seed)) & mask
            while slots[slot] != 0, !nodes.hasSameText(at: key, as: nodes, at: Int(slots[slot])) {
                slot = (slot &+ 1) & mask
            }
            if slots[slot] == 0 || lastWins { slots[slot] = UInt32(truncatingIfNeeded: key) }
            key = nodes.words.next(after: key &+ 1)
        }
        self.slots = slots
        self.mask = mask
    }

    /// Returns the position of a member's value; 0 if there is no such member.
    func member(_ key: KeyPattern, in nodes: JsonNodes) -> Int {
        var slot = Int(truncatingIfNeeded: KeySeed.process.hash(key.key, from: 0, count: key.key.count)) & mask
        while slots[slot] != 0 {
            let position = Int(slots[slot])
            if key.isKey(in: nodes, at: position) { return position &+ 1 }
            slot = (slot &+ 1) & mask
        }
        return 0
    }
}

/// The member tables of a parsed text: one for each large object that has many look-ups. A smaller object has no table,
/// because comparing a hundred keys takes about as long as a look-up in a table.
struct MemberTables {
    private var tables: [Int: State] = [:]

    private enum State {
        /// The number of look-ups so far.
        case awaited(Int)
        case inProgress
        case built(MemberTable)
    }

    /// An object of this many members or more gets a table.
    static let smallestObject = 128
    /// The number of look-ups before the one that builds the table.
    private static let lookUpsBeforeTable = 8

    /// Counts a look-up in the object at a position. Returns the object's table, nil if it is not built yet, and
    /// whether the caller must build it now.
    mutating func countLookUp(in object: Int) -> (known: MemberTable?, isDue: Bool) {
        switch tables[object] {
        case .built(let table): return (table, false)
        case .inProgress: return (nil, false)
        case .awaited(let count) where count >= Self.lookUpsBeforeTable:
            tables[object] = .inProgress
            return (nil, true)
        case .awaited(let count): tables[object] = .awaited(count + 1)
        case nil: tables[object] = .awaited(1)
        }
        return (nil, false)
    }

    mutating func insert(_ table: MemberTable, of object: Int) {
        tables[object] = .built(table)
    }
}
