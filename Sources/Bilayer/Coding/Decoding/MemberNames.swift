/// The members of an object by the names that types request. These are the JSON keys, converted by the key strategy.
/// With a naming (``KeyNaming``), they are the JSON keys themselves, and each look-up converts the requested name. Each
/// name has one member.
final class MemberNames {
    /// The index positions of the values.
    let positions: [JsonKey: Int]
    /// The names in the order of the document.
    private let names: [String]
    /// With a naming, the positions of the values by the names that ``listAll(as:)`` has returned.
    private var listed: [JsonKey: Int] = [:]
    private let strategy: JsonDecoder.KeyStrategy
    private let named: NamedMembers?

    init(
        of nodes: JsonNodes,
        at object: Int,
        by strategy: JsonDecoder.KeyStrategy,
        _ converted: NameCache?,
        firstWins: Bool,
        path: [any CodingKey],
        declaredBy keys: CodingKeySource?
    ) {
        let count = nodes.words.memberCount(at: object)
        var positions: [JsonKey: Int] = [:]
        var names: [String] = []
        positions.reserveCapacity(count)
        names.reserveCapacity(count)
        var codingPath = path + [PathKey("")]
        var key = nodes.firstChild(of: object)
        for _ in 0..<count {
            let name = strategy.name(for: nodes.string(at: key), path: &codingPath, converted)
            if positions[JsonKey(text: name)] == nil {
                positions[JsonKey(text: name)] = key &+ 1
                names.append(name)
            } else if !firstWins {
                positions[JsonKey(text: name)] = key &+ 1
            }
            key = nodes.words.next(after: key &+ 1)
        }
        self.positions = positions
        self.names = names
        self.strategy = strategy
        named = if case .naming(let naming) = strategy { NamedMembers(naming, path, converted, keys) } else { nil }
    }

    /// Returns the index position of the value with a name, or -1.
    func position(of name: String) -> Int {
        let name = JsonKey(text: name)
        return named?.position(of: name, among: positions) ?? positions[name] ?? listed[name] ?? -1
    }

    /// Returns the keys in the order of the document, each once: the result of `allKeys`.
    ///
    /// A naming converts a property's name to its key, and not back. So for an enum whose cases can be listed, each
    /// case is looked up. For any other key type, each JSON key is converted to camel case. The converted names are
    /// stored with their positions, because the naming may convert such a name to a key that differs from the JSON key.
    func listAll<Key: CodingKey>(as type: Key.Type) -> [Key] {
        guard named != nil else { return names.compactMap(Key.init(stringValue:)) }
        if let cases = CaseCount.cases(of: type) { return found(among: cases) }
        var told: Set<JsonKey> = []
        return names.compactMap { name in
            guard let key = Self.key(of: type, for: name) else { return nil }
            let listedName = JsonKey(text: key.stringValue)
            if listed[listedName] == nil { listed[listedName] = positions[JsonKey(text: name)] }
            return told.insert(listedName).inserted ? key : nil
        }
    }

    /// Returns the keys that have a member. If several keys have the same member, returns only the first of these keys.
    private func found<Key: CodingKey>(among keys: [Key]) -> [Key] {
        var found: [Int: Key] = [:]
        for key in keys {
            let position = position(of: key.stringValue)
            if position >= 0, found[position] == nil { found[position] = key }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the key of a type for a member; `nil` if the type has no such key. For example, an enum with one case
    /// has a key for only one name.
    private static func key<Key: CodingKey>(of type: Key.Type, for name: String) -> Key? {
        Key(stringValue: SnakeCase.toCamelCase(name))
            ?? Key(stringValue: SnakeCase.toCamelCase(String(name.map { $0 == "-" ? "_" : $0 })))
            ?? Key(stringValue: name)
    }
}

extension JsonDecoder.KeyStrategy {
    /// Whether the names that types request may differ from the keys in the document.
    var isConverting: Bool {
        if case .useDefaultKeys = self { return false }
        return true
    }

    /// Whether ``SnakeCase`` makes the names. Its conversion depends on the key alone.
    var isSnakeCase: Bool {
        if case .convertFromSnakeCase = self { return true }
        return false
    }

    /// Returns the name that types request for a JSON key; with a naming, the JSON key itself. A custom strategy
    /// replaces the last key of `path`.
    fileprivate func name(for name: String, path: inout [any CodingKey], _ known: NameCache?) -> String {
        switch self {
        case .useDefaultKeys, .naming: return name
        case .convertFromSnakeCase: return known?.name(for: name, SnakeCase.toCamelCase) ?? SnakeCase.toCamelCase(name)
        // The result is not cached, because the closure's result may depend on the path.
        case .custom(let convert):
            path[path.count - 1] = PathKey(name)
            return convert(path).stringValue
        }
    }
}

/// Finds members by a naming. Reports two JSON keys that lead to the same name, and two names that lead to the same
/// JSON key.
private final class NamedMembers {
    private let naming: KeyNaming
    private let path: [any CodingKey]
    private let converted: NameCache?
    /// The keys of the type, if they can be listed.
    private let keys: CodingKeySource?
    /// For each JSON key that was read, the name that was requested first.
    private var claims: [JsonKey: JsonKey] = [:]
    /// The clashes that have been reported: JSON keys that are not read, and names that share a JSON key. A name is
    /// requested several times for one value, but each clash is reported once.
    private var unread: Set<JsonKey> = []
    private var sharing: Set<JsonKey> = []

    init(_ naming: KeyNaming, _ path: [any CodingKey], _ converted: NameCache?, _ keys: CodingKeySource?) {
        self.naming = naming
        self.path = path
        self.converted = converted
        self.keys = keys
    }

    /// Returns the position of a property's value: under its JSON key, else under its own name, else under the
    /// alternative spelling of the key.
    func position(of name: JsonKey, among positions: [JsonKey: Int]) -> Int? {
        let key = JsonKey(text: converted?.name(for: name.text, naming.key) ?? naming.key(for: name.text))
        let other = naming.alternative(to: key.text).map(JsonKey.init(text:))
        var read = positions[key] == nil ? nil : key
        if key != name, positions[name] != nil { read = choose(read, name, for: name) }
        if let other, other != name, positions[other] != nil { read = choose(read, other, for: name) }
        guard let read, let position = positions[read] else { return nil }
        if let first = claims[read] {
            if first != name, sharing.insert(name).inserted {
                report("read for both \"\(first.text)\" and \"\(name.text)\"", at: read)
            }
        } else {
            claims[read] = name
        }
        return position
    }

    /// Chooses between two JSON keys that lead to the same property. Returns `better`, or `key` if `better` is `nil`.
    /// If `better` is chosen, reports that `key` is not read, unless `key` belongs to another property.
    private func choose(_ better: JsonKey?, _ key: JsonKey, for name: JsonKey) -> JsonKey {
        guard let better else { return key }
        if !unread.contains(key), !isKeyOfAnother(key, than: name) {
            unread.insert(key)
            report("\"\(key.text)\" is there as well, and was not read", at: better)
        }
        return better
    }

    private func isKeyOfAnother(_ key: JsonKey, than name: JsonKey) -> Bool {
        keys?.names.contains { $0 != name.text && naming.key(for: $0).hasSameBytes(as: key.text) } ?? false
    }

    private func report(_ detail: String, at key: JsonKey) {
        let path = JsonPath(path).appending(.key(key.text))
        var issue = MappingIssue(.keyClash, severity: .warning, path: path, detail: detail)
        issue.namedComponents = 1
        issue.report()
    }
}
