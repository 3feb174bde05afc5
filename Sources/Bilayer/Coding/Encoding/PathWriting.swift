/// Writes the members of an object and of its nested objects, for keys with paths (``PathCodingKey``).
struct PathWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private var base: KeyedEncodingContainer<PathStep>
    private let memberPaths: MemberPaths
    /// The objects on the paths of members, by their own paths.
    private var opened: [JsonPath: KeyedEncodingContainer<PathStep>] = [:]
    private var written: Set<JsonPath> = []

    init(_ base: KeyedEncodingContainer<PathStep>, _ memberPaths: MemberPaths) {
        self.base = base
        self.memberPaths = memberPaths
    }

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        var (container, step) = try destination(of: key)
        try container.encodeNil(forKey: step)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        var (container, step) = try destination(of: key)
        try container.encode(value, forKey: step)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keys: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        var (container, step) = open(key)
        return container.nestedContainer(keyedBy: keys, forKey: step)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        var (container, step) = open(key)
        return container.nestedUnkeyedContainer(forKey: step)
    }

    mutating func superEncoder() -> any Encoder { base.superEncoder() }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        var (container, step) = open(key)
        return container.superEncoder(forKey: step)
    }
}

extension PathWriting {
    /// Returns the container and the key for the value of a key with a path.
    /// - Throws: `EncodingError` if the path passes through another key's value, or leads to an object on another key's
    ///   path.
    private mutating func destination(of key: Key) throws -> (KeyedEncodingContainer<PathStep>, PathStep) {
        let path = path(of: key)
        let prefixes = path.components.indices.dropFirst().map { JsonPath(Array(path.components.prefix($0))) }
        if opened[path] != nil || prefixes.contains(where: written.contains) {
            let description = "The path \(path) goes through the value of another key."
            throw EncodingError.invalidValue(
                key.stringValue,
                .init(codingPath: codingPath, debugDescription: description)
            )
        }
        return open(key)
    }

    private mutating func open(_ key: Key) -> (KeyedEncodingContainer<PathStep>, PathStep) {
        let path = path(of: key)
        written.insert(path)
        var container = base
        var prefix = JsonPath.root
        for component in path.components.dropLast() {
            prefix = prefix.appending(component)
            let next =
                opened[prefix] ?? container.nestedContainer(keyedBy: PathStep.self, forKey: step(component, for: key))
            opened[prefix] = next
            container = next
        }
        return (container, step(path.components.last ?? .key(key.stringValue), for: key))
    }

    private func step(_ component: JsonPath.Component, for key: Key) -> PathStep {
        PathStep(component, property: key.stringValue)
    }

    private func path(of key: Key) -> JsonPath { memberPaths.paths(of: key).first ?? [.key(key.stringValue)] }
}
