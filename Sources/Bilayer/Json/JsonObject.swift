/// The members of an object made or changed in code, in order. Keys are told apart by their bytes; no two are the same.
@usableFromInline
struct JsonObject: Sendable {
    private var contents: Contents

    struct Member: Sendable {
        let key: String
        var value: Json
    }

    /// Shared until somebody changes it.
    // Sendable: changed only while one `JsonObject` alone refers to it (``JsonObject/makeUnique()``).
    private final class Contents: @unchecked Sendable {
        var members: [Member]
        /// Where each key stands, for objects that are too large to look through.
        var places: [JsonKey: Int]?
        /// Levels of containers held in code, this one included; never too small.
        var depth: Int

        init(_ members: [Member] = [], places: [JsonKey: Int]? = nil, depth: Int = 1) {
            self.members = members
            self.places = places
            self.depth = depth
        }
    }

    /// Members from which on keys are looked up in a table.
    private static let smallestTable = 16

    /// An object without members.
    init() { contents = Contents() }

    /// Makes an object. Of members with the same key the first keeps its place; `lastWins` says whose value it gets.
    init(_ members: some Sequence<(key: String, value: Json)>, lastWins: Bool) {
        self.init()
        let count = members.underestimatedCount
        contents.members.reserveCapacity(count)
        if count >= Self.smallestTable { contents.places = Dictionary(minimumCapacity: count) }
        for (key, value) in members {
            if let place = place(of: key) {
                if lastWins { setValue(value, at: place) }
            } else {
                append(value, for: key)
            }
        }
    }

    var members: [Member] { contents.members }
    var count: Int { contents.members.count }
    var depth: Int { contents.depth }

    /// Where a key stands.
    func place(of key: String) -> Int? {
        if let places = contents.places { return places[JsonKey(text: key)] }
        return contents.members.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    /// The value of a key; setting nil removes the member, a new key goes last.
    subscript(key: String) -> Json? {
        get { place(of: key).map { contents.members[$0].value } }
        set {
            makeUnique()
            switch (place(of: key), newValue) {
            case (let place?, let value?): setValue(value, at: place)
            case (nil, let value?): append(value, for: key)
            case (let place?, nil): remove(at: place)
            case (nil, nil): break
            }
        }
    }

    /// Removes the members whose keys are chosen, in one pass.
    mutating func removeAll(where isChosen: (String) -> Bool) {
        makeUnique()
        let before = count
        contents.members.removeAll { isChosen($0.key) }
        if count == before { return }
        contents.places = nil
        if count >= Self.smallestTable { indexKeys() }
    }

    private mutating func setValue(_ value: Json, at place: Int) {
        contents.members[place].value = adopted(value)
    }

    private mutating func append(_ value: Json, for key: String) {
        contents.places?[JsonKey(text: key)] = count
        contents.members.append(Member(key: key, value: adopted(value)))
        if contents.places == nil && count >= Self.smallestTable { indexKeys() }
    }

    private mutating func remove(at place: Int) {
        contents.members.remove(at: place)
        contents.places = nil
        if count >= Self.smallestTable { indexKeys() }
    }

    private mutating func indexKeys() {
        contents.places = Dictionary(
            contents.members.enumerated().map { (JsonKey(text: $1.key), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private mutating func makeUnique() {
        if isKnownUniquelyReferenced(&contents) { return }
        contents = Contents(contents.members, places: contents.places, depth: contents.depth)
    }

    private func adopted(_ value: Json) -> Json {
        let value = value.boundedInDepth
        contents.depth = max(contents.depth, value.depthInCode + 1)
        return value
    }
}

/// A key that is equal to another only if the bytes are: `"é"` in one scalar and in two are different.
struct JsonKey: Hashable, Sendable {
    let text: String

    static func == (left: JsonKey, right: JsonKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}
