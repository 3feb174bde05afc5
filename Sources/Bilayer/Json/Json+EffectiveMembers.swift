extension Json {
    /// The members of an object, one for each key. If a key is repeated, the parsing options decide whether its first
    /// or its last member is included. For example, the mapping layer makes dictionaries from these members.
    var effectiveMembers: EffectiveMembers { EffectiveMembers(self) }
}

/// The members of an object, one for each key. If a key is repeated, only the member that look-up finds is included.
struct EffectiveMembers: Sequence {
    private let members: Json.Members
    /// The indices of the members that are not included.
    private let repeated: Set<Int>
    private let lastWins: Bool

    /// The number of included members.
    var count: Int { members.count - repeated.count }

    init(_ object: Json) {
        members = object.members
        repeated = object.repeatedMembers
        lastWins = object.lastOfEqualKeysCounts
    }

    /// Makes a dictionary of pairs that were made from the members. Keys with different bytes can be equal in Swift,
    /// for example `"\u{E9}"` and `"e\u{301}"`. Of their pairs, the first or the last is used, as for repeated keys.
    func dictionary<Key: Hashable, Value>(of pairs: some Sequence<(Key, Value)>) -> [Key: Value] {
        Dictionary(pairs) { lastWins ? $1 : $0 }
    }

    func makeIterator() -> Iterator { Iterator(members: members.makeIterator(), repeated: repeated) }

    struct Iterator: IteratorProtocol {
        fileprivate var members: Json.Members.Iterator
        fileprivate let repeated: Set<Int>
        private var index = 0

        fileprivate init(members: Json.Members.Iterator, repeated: Set<Int>) {
            self.members = members
            self.repeated = repeated
        }

        mutating func next() -> (key: String, value: Json)? {
            while let member = members.next() {
                defer { index += 1 }
                if !repeated.contains(index) { return member }
            }
            return nil
        }
    }
}

extension Json {
    /// The indices of the members that look-up does not find, because it finds another member with an equal key.
    @usableFromInline
    var repeatedMembers: Set<Int> {
        guard case .view(let document, let object) = resolved, !document.keysAreDistinct(in: object) else { return [] }
        var firstIndices: [JsonKey: Int] = [:]
        var repeated = Set<Int>()
        for (index, key) in keys.lazy.map(JsonKey.init(text:)).enumerated() {
            guard let first = firstIndices[key] else {
                firstIndices[key] = index
                continue
            }
            if document.repeatedKeys == .lastWins {
                repeated.insert(first)
                firstIndices[key] = index
            } else {
                repeated.insert(index)
            }
        }
        return repeated
    }
}

extension JsonDocument {
    /// True only if a quick test proves that the object at a position has no repeated key; false means unknown.
    fileprivate func keysAreDistinct(in object: Int) -> Bool {
        withNodes { $0.tag(at: object) != .object || $0.keysAreDistinct(in: object) }
    }
}
