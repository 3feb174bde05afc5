/// Compares two parsed values. Two strings are converted only if one of them has escapes, two numbers only if their
/// texts differ. The time is proportional to their sizes, whatever keys they have. Nesting costs memory, not stack.
struct NodesEquality {
    private let left: JsonNodes
    private let right: JsonNodes
    private let leftLastWins: Bool
    private let rightLastWins: Bool
    /// The pairs of containers whose contents are not compared yet.
    private var pending: [(left: Int, right: Int)] = []
    private var pairs = MemberPairs()

    /// Compares values of two documents, which must outlive the comparison. If a key is repeated, the last of its
    /// members is compared if the document's flag is true, otherwise the first.
    init(_ left: JsonNodes, lastWins leftLastWins: Bool, _ right: JsonNodes, lastWins rightLastWins: Bool) {
        self.left = left
        self.right = right
        self.leftLastWins = leftLastWins
        self.rightLastWins = rightLastWins
    }

    /// Returns whether the values at two positions are equal.
    mutating func areEqual(_ first: Int, _ second: Int) -> Bool {
        guard mayBeEqual(first, second) else { return false }
        while let (first, second) = pending.popLast() {
            let areEqual = left.tag(at: first) == .object ? pairMembers(first, second) : pairElements(first, second)
            if !areEqual { return false }
        }
        return true
    }

    /// Compares scalars. Appends two containers of the same type to ``pending``, and returns true for them.
    private mutating func mayBeEqual(_ first: Int, _ second: Int) -> Bool {
        let tag = left.tag(at: first)
        let otherTag = right.tag(at: second)
        if tag.isString { return otherTag.isString && left.hasSameText(at: first, as: right, at: second) }
        if tag.isNumber { return otherTag.isNumber && left.hasSameNumber(at: first, as: right, at: second) }
        guard tag == otherTag else { return false }
        if tag.isContainer { pending.append((first, second)) }
        return true
    }

    /// Compares the elements of two arrays, in order. Containers in them are compared later (``pending``).
    /// - Returns: False if the arrays are surely not equal.
    private mutating func pairElements(_ first: Int, _ second: Int) -> Bool {
        let count = left.words.memberCount(at: first)
        guard count == right.words.memberCount(at: second) else { return false }
        var child = left.firstChild(of: first)
        var otherChild = right.firstChild(of: second)
        for _ in 0..<count {
            guard mayBeEqual(child, otherChild) else { return false }
            child = left.words.next(after: child)
            otherChild = right.words.next(after: otherChild)
        }
        return true
    }

    /// Compares the members of two objects, in any order. Containers in them are compared later (``pending``).
    /// - Returns: False if the objects are surely not equal.
    private mutating func pairMembers(_ first: Int, _ second: Int) -> Bool {
        pairs.reset(for: left.words.memberCount(at: first))
        var key = left.firstChild(of: first)
        for _ in 0..<left.words.memberCount(at: first) {
            pairs.add(left, key, replaces: leftLastWins)
            key = left.words.next(after: key &+ 1)
        }
        key = right.firstChild(of: second)
        for _ in 0..<right.words.memberCount(at: second) {
            guard pairs.match(left, with: right, key, replaces: rightLastWins) else { return false }
            key = right.words.next(after: key &+ 1)
        }
        guard pairs.areComplete else { return false }
        for pair in pairs.entries {
            guard mayBeEqual(pair.left &+ 1, pair.right &+ 1) else { return false }
        }
        return true
    }
}

/// A hash table that pairs each member of one object with the other object's member that has an equal key. Its memory
/// is reused for the next two objects. Hashes are seeded (``KeySeed``), so an attacker cannot choose keys that collide.
private struct MemberPairs {
    /// The position of each key of the left object, and of the equal key in the right object; -1 until that is found.
    private(set) var entries: [(left: Int, right: Int)] = []
    /// The slots of the hash table; 0 is an empty slot. The lower 32 bits are the number of an entry, counted from 1.
    /// The upper 32 bits are the upper 32 bits of the key's hash.
    private var slots: [UInt64] = []
    private var mask = 0
    private var matches = 0
    private let seed = KeySeed.process

    /// Whether each key of the left object has an equal key in the right object.
    var areComplete: Bool { matches == entries.count }

    /// Removes all entries and makes the table large enough for `count` keys.
    mutating func reset(for count: Int) {
        entries.removeAll(keepingCapacity: true)
        matches = 0
        let capacity = 1 << (Int.bitWidth - (count &* 2 &+ 1).leadingZeroBitCount)
        mask = capacity &- 1
        for slot in 0..<min(capacity, slots.count) { slots[slot] = 0 }
        if slots.count < capacity { slots.append(contentsOf: repeatElement(0, count: capacity &- slots.count)) }
    }

    /// Adds a key of the left object. If the key is repeated, `replaces` selects the later position.
    mutating func add(_ nodes: JsonNodes, _ key: Int, replaces: Bool) {
        let hash = nodes.seededHash(ofKeyAt: key, seed)
        let (slot, entry) = find(nodes, key, hash, in: nodes)
        if let entry {
            if replaces { entries[entry].left = key }
        } else {
            entries.append((key, -1))
            slots[slot] = UInt64(truncatingIfNeeded: entries.count) | hash & ~0xFFFF_FFFF
        }
    }

    /// Assigns a key of the right object to the equal key of the left object. Returns false if there is no such key.
    mutating func match(_ left: JsonNodes, with nodes: JsonNodes, _ key: Int, replaces: Bool) -> Bool {
        guard let entry = find(nodes, key, nodes.seededHash(ofKeyAt: key, seed), in: left).entry else { return false }
        if entries[entry].right < 0 {
            matches &+= 1
            entries[entry].right = key
        } else if replaces {
            entries[entry].right = key
        }
        return true
    }

    /// Returns the slot and the entry of a key. If the key is missing, returns the slot to insert it in, and nil.
    private func find(_ nodes: JsonNodes, _ key: Int, _ hash: UInt64, in left: JsonNodes) -> (slot: Int, entry: Int?) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let entry = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) &- 1
            if (slots[slot] ^ hash) &>> 32 == 0, nodes.hasSameText(at: key, as: left, at: entries[entry].left) {
                return (slot, entry)
            }
            slot = (slot &+ 1) & mask
        }
        return (slot, nil)
    }
}

extension JsonNodes {
    /// Whether two strings, keys or values, are equal after escapes are resolved.
    func hasSameText(at position: Int, as other: JsonNodes, at otherPosition: Int) -> Bool {
        if tag(at: position) == .escapedString || other.tag(at: otherPosition) == .escapedString {
            return string(at: position).hasSameBytes(as: other.string(at: otherPosition))
        }
        return hasSameBytes(at: position, as: other, at: otherPosition)
    }

    fileprivate func hasSameNumber(at position: Int, as other: JsonNodes, at otherPosition: Int) -> Bool {
        hasSameBytes(at: position, as: other, at: otherPosition)
            || JsonNumber(self, at: position) == JsonNumber(other, at: otherPosition)
    }

    private func hasSameBytes(at position: Int, as other: JsonNodes, at otherPosition: Int) -> Bool {
        let range = range(at: position)
        let otherRange = other.range(at: otherPosition)
        guard range.count == otherRange.count else { return false }
        return unsafe bytes.buffer(from: range.lowerBound, count: range.count)
            .elementsEqual(other.bytes.buffer(from: otherRange.lowerBound, count: range.count))
    }
}
