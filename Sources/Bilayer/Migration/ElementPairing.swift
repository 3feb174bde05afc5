/// Pairs the elements of two unordered lists: a maximum matching.
///
/// Under a tolerance of 0.1, 1.0 and 1.2 both agree with 1.1, but not with each other. So the first new element that
/// agrees may be the only partner of another old one. Kuhn's algorithm changes such pairs along augmenting paths.
struct ElementPairing {
    /// Indices in the new list by indices in the old one.
    private(set) var partners: [Int: Int]
    /// Indices in the old list by indices in the new one.
    private var owners: [Int: Int]
    /// The new elements that agree with an old one, for the old ones that were looked at.
    private var rows: [Int: [Int]] = [:]
    private let oldCount: Int
    private let newCount: Int
    /// Whether two elements agree; `nil` if there is no more time to compare.
    private let agree: (_ old: Int, _ new: Int) -> Bool?

    /// - Parameters:
    ///   - known: Pairs that are already found: indices in the new list by indices in the old one.
    ///   - oldCount: The number of old elements.
    ///   - newCount: The number of new elements.
    ///   - agree: Whether two elements agree; `nil` if there is no more time to compare.
    init(_ known: [Int: Int], _ oldCount: Int, _ newCount: Int, agree: @escaping (Int, Int) -> Bool?) {
        partners = known
        owners = Dictionary(uniqueKeysWithValues: known.map { ($1, $0) })
        self.oldCount = oldCount
        self.newCount = newCount
        self.agree = agree
    }

    /// Pairs each element with the first one that agrees and has no partner.
    /// - Returns: False if there was no time for all comparisons.
    mutating func pairInOrder() -> Bool {
        var free = (0..<newCount).filter { owners[$0] == nil }
        for old in 0..<oldCount where partners[old] == nil {
            for (position, new) in free.enumerated() {
                guard let isPair = agree(old, new) else { return false }
                guard isPair else { continue }
                pair(old, new)
                free.remove(at: position)
                break
            }
        }
        return true
    }

    /// Changes pairs so that the elements without a partner get one, where that is possible.
    /// - Returns: False if there was no time for all comparisons.
    mutating func pairAll() -> Bool {
        for old in 0..<oldCount where partners[old] == nil {
            if owners.count == newCount { return true }
            guard augment(from: old) else { return false }
        }
        return true
    }

    private mutating func pair(_ old: Int, _ new: Int) {
        partners[old] = new
        owners[new] = old
    }

    /// Searches breadth first, because a path is as long as the list, and the stack of a task is small.
    private mutating func augment(from start: Int) -> Bool {
        var queue = [start]
        var position = 0
        /// The old element from which a new one was reached.
        var origins: [Int: Int] = [:]
        while position < queue.count {
            let old = queue[position]
            position += 1
            guard let row = row(of: old) else { return false }
            for new in row where origins[new] == nil {
                origins[new] = old
                guard let owner = owners[new] else {
                    change(along: origins, to: new)
                    return true
                }
                queue.append(owner)
            }
        }
        return true
    }

    /// Gives each old element of a path the new one that was reached from it.
    private mutating func change(along origins: [Int: Int], to end: Int) {
        var new: Int? = end
        while let reached = new, let old = origins[reached] {
            new = partners[old]
            pair(old, reached)
        }
    }

    private mutating func row(of old: Int) -> [Int]? {
        if let row = rows[old] { return row }
        var row: [Int] = []
        for new in 0..<newCount {
            guard let isPair = agree(old, new) else { return nil }
            if isPair { row.append(new) }
        }
        rows[old] = row
        return row
    }
}
