/// The members of an object made or changed in code, in order. Keys are compared by their bytes. No two keys are equal.
///
/// In an object with a table of keys, a member stays in its slot when another member is removed. So the table stays
/// valid, and a removal takes constant time on average. When more than about half of the slots are empty, all empty
/// slots are removed together. In an object without a table, a removal also removes the slot.
@usableFromInline
struct JsonObject: Sendable {
    private var contents: Contents

    struct Member: Sendable {
        let key: String
        var value: Json
    }

    /// The contents of a `JsonObject`. Copies of the object share the contents. A change to one of them copies shared
    /// contents first.
    // Sendable: the parts are Sendable. Only a mutating method of the one `JsonObject` that refers to the contents
    // changes them (``JsonObject/makeUnique()``). No other thread has access to the contents during the change.
    private final class Contents: @unchecked Sendable {
        /// The members; nil in the slot of a removed member. An object without a table has no empty slots.
        var slots: [Member?]
        var count: Int
        /// The first slot that is not empty. If the object has no members, 0 or the number of slots.
        var first: Int
        /// The slot of each key; nil if keys are searched linearly, in a small object.
        var slotsByKey: [JsonKey: Int]?
        /// The nesting depth of containers made in code, this object included. After a value is removed or replaced,
        /// the depth may be too large; it is never too small.
        var depth: Int

        init(slots: [Member?] = [], count: Int = 0, first: Int = 0, slotsByKey: [JsonKey: Int]? = nil, depth: Int = 1) {
            self.slots = slots
            self.count = count
            self.first = first
            self.slotsByKey = slotsByKey
            self.depth = depth
        }
    }

    /// In an object of this many members or more, keys are looked up in a table.
    private static let smallestTable = 16

    /// An object without members.
    init() { contents = Contents() }

    /// Makes an object without members that has capacity for `count` members.
    init(minimumCapacity count: Int) {
        self.init()
        contents.slots.reserveCapacity(count)
        if count >= Self.smallestTable { contents.slotsByKey = Dictionary(minimumCapacity: count) }
    }

    var count: Int { contents.count }
    var depth: Int { contents.depth }

    /// The members by their slots; nil in the slot of a removed member.
    var slots: [Member?] { contents.slots }

    /// The members in order.
    var members: some Sequence<Member> { contents.slots.lazy.compactMap(\.self) }

    /// The slot of the first member. If there are no members, 0 or the number of slots.
    var firstSlot: Int { contents.first }

    /// Returns the slot of the next member; after the last member, the number of slots.
    func slot(after slot: Int) -> Int {
        var next = slot + 1
        while next < contents.slots.count, contents.slots[next] == nil { next += 1 }
        return next
    }

    /// Returns the member in a slot; nil if the slot is empty or does not exist.
    func member(in slot: Int) -> Member? {
        contents.slots.indices.contains(slot) ? contents.slots[slot] : nil
    }

    /// Returns the slot of a key; nil if there is no such member.
    func slot(of key: String) -> Int? {
        if let slotsByKey = contents.slotsByKey { return slotsByKey[JsonKey(text: key)] }
        return contents.slots.firstIndex { $0?.key.hasSameBytes(as: key) == true }
    }

    /// Returns the value of a key; nil if there is no such member.
    func value(of key: String) -> Json? { slot(of: key).flatMap { contents.slots[$0]?.value } }

    /// Sets the value of a key. A new key is appended.
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    ///   - isReplacing: Whether the value of an existing member is replaced. If false, an existing member is not
    ///     changed.
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

    /// Removes and returns the value of a key, and leaves `null` in its place. The caller can then change the value
    /// without a copy. Returns nil if there is no such member.
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
