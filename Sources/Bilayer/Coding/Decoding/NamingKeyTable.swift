/// The JSON keys that a ``KeyNaming`` makes for one key type. The type's values take one byte each, or no bytes if
/// there is only one.
///
/// A naming converts from the property to the key, so each property has one JSON key, which look-up uses directly. Two
/// cases need more. First, an object may have a member under a property's own name or an alternative name. Such an
/// object is read by name (``MemberNames``). Second, two properties of a type may have the same JSON key. Once both are
/// requested, all objects of such a type are read by name. ``MemberNames`` reports the key clashes of both cases.
@safe
struct NamingKeyTable {
    /// The JSON key of each requested key.
    var table: KeyTable
    /// Whether two of the keys have the same JSON key.
    private(set) var hasClash = false
    /// The names that are read in addition to the JSON keys: the properties' own names, and the naming's alternatives.
    private var otherNames: [EncodedKey] = []
    /// The filter bits of ``otherNames``.
    private var otherNameBits: UInt64 = 0
    /// The names of the properties, indexed by the keys' numbers; `nil` until the key is requested.
    private var names = [String?](repeating: nil, count: 16)
    private var jsonKeys: Set<JsonKey> = []
    /// Identifies the naming that made the keys: its number in the session (``DecodingContext/Storage/namingNumber``).
    private var naming = 0
    private let hasBytes: Bool

    init(hasBytes: Bool) {
        self.hasBytes = hasBytes
        table = KeyTable(hasBytes: hasBytes)
    }

    /// Clears the keys if another naming made them.
    mutating func use(_ naming: Int) {
        if naming == self.naming { return }
        deallocate()
        self = NamingKeyTable(hasBytes: hasBytes)
        self.naming = naming
    }

    /// Whether the JSON key of a key has been added.
    func isKnown(_ number: Int) -> Bool { number < names.count && names[number] != nil }

    /// Adds the JSON key of a key, made by the naming from the property's name.
    mutating func add(_ number: Int, name: String, by naming: KeyNaming) {
        let jsonKey = naming.key(for: name)
        if number >= names.count { names += [String?](repeating: nil, count: 256 &- names.count) }
        names[number] = name
        if !jsonKeys.insert(JsonKey(text: jsonKey)).inserted { hasClash = true }
        for other in [name, naming.alternative(to: jsonKey)].compactMap(\.self) where !other.hasSameBytes(as: jsonKey) {
            let entry = EncodedKey(other)
            otherNames.append(entry)
            otherNameBits |= entry.filterBit
        }
        table.fill(number, jsonKey)
    }

    /// Returns the property names of the keys whose bits are in a set.
    func names(in requested: UInt64) -> [String] {
        names.enumerated().compactMap { number, name in requested & 1 &<< UInt64(number & 63) == 0 ? nil : name }
    }

    /// Whether an object has a member under one of ``otherNames``.
    func isNamed(in nodes: JsonNodes, from first: Int, to end: Int) -> Bool {
        if otherNameBits == 0 { return false }
        var position = first
        while position < end {
            if nodes.filterBits(ofKeyAt: position) & otherNameBits != 0, isOtherName(in: nodes, at: position) {
                return true
            }
            position = nodes.words.next(after: position &+ 1)
        }
        return false
    }

    private func isOtherName(in nodes: JsonNodes, at position: Int) -> Bool {
        otherNames.contains { name in
            unsafe withUnsafePointer(to: name) { name in unsafe name.isKey(in: nodes, at: position) }
        }
    }

    /// Frees all memory.
    func deallocate() {
        table.deallocate()
        for name in otherNames { name.deallocate() }
    }
}
