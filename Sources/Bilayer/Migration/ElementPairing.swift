/// Pairs as many elements of two unordered lists as possible: a maximum matching.
///
/// An element can agree with several others. With a tolerance of 0.1, for example, the number 1.1 agrees with 1.0 and
/// with 1.2. So pairing an old element with the first new element that agrees can take the only partner of another old
/// element. Kuhn's algorithm changes such pairs along augmenting paths.
struct ElementPairing {
    /// The pairs: the index in the new list for each paired index in the old list.
    private(set) var partners: [Int: Int]
    /// The pairs in the other direction: the index in the old list for each paired index in the new list.
    private var owners: [Int: Int]
    /// For each old element that was examined, the new elements that agree with it.
    private var rows: [Int: [Int]] = [:]
    private let oldCount: Int
    private let newCount: Int
    /// Returns whether two elements agree. Returns `nil` to end the pairing: the limit of comparisons is reached, or
    /// the task is cancelled.
    private let agree: (_ old: Int, _ new: Int) -> Bool?

    /// Makes a pairing.
    /// - Parameters:
    ///   - known: Pairs that were already found: the index in the new list for each paired index in the old list.
    ///   - oldCount: The number of old elements.
    ///   - newCount: The number of new elements.
    ///   - agree: Returns whether two elements agree; `nil` to end the pairing.
    init(_ known: [Int: Int], _ oldCount: Int, _ newCount: Int, agree: @escaping (Int, Int) -> Bool?) {
        partners = known
        owners = Dictionary(uniqueKeysWithValues: known.map { ($1, $0) })
        self.oldCount = oldCount
        self.newCount = newCount
        self.agree = agree
    }

    /// Pairs each old element with the first new element that agrees and has no partner.
    /// - Returns: False if `agree` returned `nil`.
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

    /// Changes pairs so that more elements have a partner, where that is possible.
    /// - Returns: False if `agree` returned `nil`.
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

    /// Pairs an old element that has no partner, if that is possible by giving other old elements other partners.
    ///
    /// The search is breadth first. A recursive search could be as deep as the list is long, and a task's stack is
    /// small.
    /// - Returns: False if `agree` returned `nil`. True even if there is no partner.
    private mutating func augment(from start: Int) -> Bool {
        var queue = [start]
        var position = 0
        /// For each new element that was reached, the old element from which it was reached.
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

    /// Pairs each old element on a path with the new element that was reached from it.
    private mutating func change(along origins: [Int: Int], to end: Int) {
        var new: Int? = end
        while let reached = new, let old = origins[reached] {
            new = partners[old]
            pair(old, reached)
        }
    }

    /// Returns the new elements that agree with an old element; `nil` if `agree` returned `nil`.
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
