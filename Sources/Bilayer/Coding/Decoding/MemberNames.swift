/// The members of an object by the names that types request: after the key strategy, with one member per name.
final class MemberNames {
    /// Index positions of values.
    let positions: [JsonKey: Int]
    /// The names in the order of the document.
    private let names: [String]
    /// With a naming, the positions of the values by the names that a type has got from ``listAll()``.
    private var listed: [JsonKey: Int] = [:]
    private let strategy: JsonDecoder.KeyStrategy
    private let named: NamedMembers?

    init(
        of nodes: JsonNodes,
        at object: Int,
        by strategy: JsonDecoder.KeyStrategy,
        _ converted: NameCache?,
        firstWins: Bool,
        path: [any CodingKey]
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
        named = if case .naming(let naming) = strategy { NamedMembers(naming, path, converted) } else { nil }
    }

    /// The position of the value with a name, or -1.
    func position(of name: String) -> Int {
        let name = JsonKey(text: name)
        return named?.position(of: name, among: positions) ?? positions[name] ?? listed[name] ?? -1
    }

    /// The names in the order of the document, for key types that list all of them. Each of them is found from then on:
    /// under a naming, several keys may have one such name, and the naming may not lead back from it to the key.
    func listAll() -> [String] {
        guard named != nil else { return names }
        return names.map { key in
            let name = SnakeCase.toCamelCase(key)
            let position = positions[JsonKey(text: key)]
            if listed[JsonKey(text: name)] == nil { listed[JsonKey(text: name)] = position }
            return name
        }
    }
}

extension JsonDecoder.KeyStrategy {
    /// Whether types see other names than the document has.
    var isConverting: Bool {
        if case .useDefaultKeys = self { return false }
        return true
    }

    /// Whether names are made by ``SnakeCase``, which depends on the key alone.
    var isSnakeCase: Bool {
        if case .convertFromSnakeCase = self { return true }
        return false
    }

    /// The name that types see. The last key of the path is replaced.
    fileprivate func name(for name: String, path: inout [any CodingKey], _ known: NameCache?) -> String {
        switch self {
        case .useDefaultKeys, .naming: return name
        case .convertFromSnakeCase: return known?.name(for: name, SnakeCase.toCamelCase) ?? SnakeCase.toCamelCase(name)
        // Such a closure may go by the path.
        case .custom(let convert):
            path[path.count - 1] = PathKey(name)
            return convert(path).stringValue
        }
    }
}

/// Finds members by a naming. Reports two keys with one name, and two names with one key.
private final class NamedMembers {
    private let naming: KeyNaming
    private let path: [any CodingKey]
    private let converted: NameCache?
    /// For each JSON key that was read, the name that was requested.
    private var claims: [JsonKey: JsonKey] = [:]
    /// The names whose clash with their key was reported. A name is requested several times for one value.
    private var reported: Set<JsonKey> = []

    init(_ naming: KeyNaming, _ path: [any CodingKey], _ converted: NameCache?) {
        self.naming = naming
        self.path = path
        self.converted = converted
    }

    func position(of name: JsonKey, among positions: [JsonKey: Int]) -> Int? {
        let key = JsonKey(text: converted?.name(for: name.text, naming.key) ?? naming.key(for: name.text))
        guard let position = positions[key] else {
            return positions[name] ?? naming.alternative(to: key.text).flatMap { positions[JsonKey(text: $0)] }
        }
        if key != name, positions[name] != nil, reported.insert(name).inserted {
            report("\"\(name.text)\" is there as well, and was not read", at: key)
        }
        if let other = claims.updateValue(name, forKey: key), other != name {
            report("read for both \"\(other.text)\" and \"\(name.text)\"", at: key)
        }
        return position
    }

    private func report(_ detail: String, at key: JsonKey) {
        let path = JsonPath(path).appending(.key(key.text))
        var issue = MappingIssue(.keyClash, severity: .warning, path: path, detail: detail)
        issue.namedComponents = 1
        issue.report()
    }
}
