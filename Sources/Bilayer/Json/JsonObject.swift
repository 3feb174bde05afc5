/// The members of an object made or changed in code, in order. Keys are compared by their bytes, and no two are equal.
///
/// A member stays in its slot while other members are removed. So the table of keys stays valid, and removing takes
/// constant time. When more slots are empty than used, all empty slots are removed at once.
@usableFromInline
struct JsonObject: Sendable {
    private var contents: Contents

    struct Member: Sendable {
        let key: String
        var value: Json
    }

    /// Shared until it is changed.
    // Sendable: its parts are Sendable. It is changed only by a mutating method of the one `JsonObject` that refers to
    // it (``JsonObject/makeUnique()``). No other thread has access during that.
    private final class Contents: @unchecked Sendable {
        /// Nil for a removed member. Without a table no slot is empty.
        var slots: [Member?]
        var count: Int
        /// The first slot that is not empty; 0 for an object without members.
        var first: Int
        /// The slot of each key, for objects too large for a linear search.
        var slotsByKey: [JsonKey: Int]?
        /// The nesting of containers held in code, this one included; never too small.
        var depth: Int

        init(slots: [Member?] = [], count: Int = 0, first: Int = 0, slotsByKey: [JsonKey: Int]? = nil, depth: Int = 1) {
            self.slots = slots
            self.count = count
            self.first = first
            self.slotsByKey = slotsByKey
            self.depth = depth
        }
    }

    /// Members from which on keys are looked up in a table.
    private static let smallestTable = 16

    /// An object without members.
    init() { contents = Contents() }

    /// Makes an object without members, with capacity for some.
    init(minimumCapacity count: Int) {
        self.init()
        contents.slots.reserveCapacity(count)
        if count >= Self.smallestTable { contents.slotsByKey = Dictionary(minimumCapacity: count) }
    }

    var count: Int { contents.count }
    var depth: Int { contents.depth }

    /// The members by their slots; nil for a removed one.
    var slots: [Member?] { contents.slots }

    /// The members in order.
    var members: some Sequence<Member> { contents.slots.lazy.compactMap(\.self) }

    /// The slot of the first member.
    var firstSlot: Int { contents.first }

    /// The slot of the next member; the number of slots after the last one.
    func slot(after slot: Int) -> Int {
        var next = slot + 1
        while next < contents.slots.count, contents.slots[next] == nil { next += 1 }
        return next
    }

    /// The member in a slot, nil if there is none.
    func member(in slot: Int) -> Member? {
        contents.slots.indices.contains(slot) ? contents.slots[slot] : nil
    }

    /// The slot of a key.
    func slot(of key: String) -> Int? {
        if let slotsByKey = contents.slotsByKey { return slotsByKey[JsonKey(text: key)] }
        return contents.slots.firstIndex { $0?.key.hasSameBytes(as: key) == true }
    }

    /// The value of a key.
    func value(of key: String) -> Json? { slot(of: key).flatMap { contents.slots[$0]?.value } }

    /// Sets the value of a key; a new key is appended.
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    ///   - isReplacing: Whether an existing member gets the value; if not, it is not changed.
    @inline(__always)
    mutating func set(_ value: ContainedJson, for key: String, replacing isReplacing: Bool = true) {
        makeUnique()
        if let slot = slot(of: key) {
            guard isReplacing else { return }
            contents.slots[slot]?.value = value.json
        } else {
            append(value.json, for: key)
        }
        if value.depth >= contents.depth { contents.depth = value.depth + 1 }
    }

    /// Removes the member with a key, if there is one.
    mutating func removeValue(of key: String) {
        guard let slot = slot(of: key) else { return }
        makeUnique()
        remove(in: slot)
    }

    /// Removes the value of a key and leaves `null`, so that the value can be changed without a copy. Returns nil if
    /// there is no such member.
    mutating func takeValue(of key: String) -> Json? {
        guard let slot = slot(of: key) else { return nil }
        makeUnique()
        defer { contents.slots[slot]?.value = .null }
        return contents.slots[slot]?.value
    }

    private mutating func append(_ value: Json, for key: String) {
        contents.slotsByKey?[JsonKey(text: key)] = contents.slots.count
        contents.slots.append(Member(key: key, value: value))
        contents.count += 1
        if contents.slotsByKey == nil && contents.slots.count >= Self.smallestTable { indexKeys() }
    }

    private mutating func remove(in slot: Int) {
        contents.count -= 1
        guard contents.slotsByKey != nil, let key = contents.slots[slot]?.key else {
            contents.slots.remove(at: slot)
            return
        }
        contents.slotsByKey?[JsonKey(text: key)] = nil
        contents.slots[slot] = nil
        if contents.count < contents.slots.count / 2 {
            removeEmptySlots()
        } else if slot == contents.first {
            contents.first = self.slot(after: slot)
        }
    }

    private mutating func removeEmptySlots() {
        contents.slots.removeAll { $0 == nil }
        contents.first = 0
        contents.slotsByKey = nil
        if contents.slots.count >= Self.smallestTable { indexKeys() }
    }

    private mutating func indexKeys() {
        contents.slotsByKey = Dictionary(
            contents.slots.enumerated().compactMap { slot, member in member.map { (JsonKey(text: $0.key), slot) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private mutating func makeUnique() {
        if isKnownUniquelyReferenced(&contents) { return }
        contents = Contents(
            slots: contents.slots,
            count: contents.count,
            first: contents.first,
            slotsByKey: contents.slotsByKey,
            depth: contents.depth
        )
    }
}
