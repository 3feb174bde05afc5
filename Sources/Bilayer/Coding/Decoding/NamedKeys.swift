/// The keys of one type whose values are told apart by one byte, as a ``KeyNaming`` spells them in texts.
///
/// A naming goes from the property to the key, so each key has one spelling, and is looked up by it as if the type had
/// it. What is left to notice: a member named as the property itself, which is read too, and two properties with one
/// key. Objects with the first and types with the second are read by name (``MemberNames``), which finds and reports
/// both.
@safe
struct NamedKeys {
    /// The spelling of each key that was asked for.
    var table: KeyTable
    /// Whether two of the keys have one spelling.
    private(set) var hasClash = false
    /// The properties' names that are no keys themselves: those that a member may be named as, too.
    private var otherNames: [EncodedKey] = []
    /// The hash bits of ``otherNames``.
    private var otherNameBits: UInt64 = 0
    /// The names of the properties by the keys' numbers; nil before the first one is requested.
    private var names = [String?](repeating: nil, count: 16)
    private var spellings: Set<JsonKey> = []
    /// Which of the session's namings made them.
    private var naming = 0
    private let hasBytes: Bool

    init(hasBytes: Bool) {
        self.hasBytes = hasBytes
        table = KeyTable(hasBytes: hasBytes)
    }

    /// Begins anew if the keys were made by another naming.
    mutating func use(_ naming: Int) {
        if naming == self.naming { return }
        deallocate()
        self = NamedKeys(hasBytes: hasBytes)
        self.naming = naming
    }

    /// Whether a key has its spelling.
    func isKnown(_ number: Int) -> Bool { number < names.count && names[number] != nil }

    /// Gives a key its spelling.
    mutating func add(_ number: Int, name: String, spelledAs spelling: String) {
        if number >= names.count { names += [String?](repeating: nil, count: 256 &- names.count) }
        names[number] = name
        if !spellings.insert(JsonKey(text: spelling)).inserted { hasClash = true }
        if !name.hasSameBytes(as: spelling) {
            let entry = EncodedKey(name)
            otherNames.append(entry)
            otherNameBits |= entry.hash
        }
        table.fill(number, spelling)
    }

    /// The properties' names of the keys whose bits are in a set.
    func names(in asked: UInt64) -> [String] {
        names.enumerated().compactMap { number, name in asked & 1 &<< UInt64(number & 63) == 0 ? nil : name }
    }

    /// Whether an object has a member that is named as a property instead of its key.
    func isNamed(in nodes: JsonNodes, from first: Int, to end: Int) -> Bool {
        if otherNameBits == 0 { return false }
        var position = first
        while position < end {
            if EncodedKey.hash(of: nodes, at: position) & otherNameBits != 0, isOtherName(in: nodes, at: position) {
                return true
            }
            position = nodes.words.next(after: position &+ 1)
        }
        return false
    }

    private func isOtherName(in nodes: JsonNodes, at position: Int) -> Bool {
        otherNames.contains { name in
            unsafe withUnsafePointer(to: name) { name in unsafe name.matchesUnescaped(nodes, at: position) }
        }
    }

    /// Frees everything.
    func deallocate() {
        table.deallocate()
        for name in otherNames { name.deallocate() }
    }
}
