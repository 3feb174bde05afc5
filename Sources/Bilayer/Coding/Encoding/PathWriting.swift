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
        try checkPath(of: key)
        var (container, step) = open(key)
        try container.encodeNil(forKey: step)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try checkPath(of: key)
        let path = path(of: key)
        let steps = path.components.map { step($0, for: key) }
        var container = base
        var isOpen = 0
        while isOpen < steps.count - 1, let next = opened[JsonPath(Array(path.components.prefix(isOpen + 1)))] {
            container = next
            isOpen += 1
        }
        if isOpen == steps.count - 1 {
            try container.encode(value, forKey: steps[isOpen])
        } else {
            // The objects that are not open yet are written as one value, of which nothing is left if its end fails.
            let inside = PathValue(value: value, steps: steps[(isOpen + 1)...])
            try container.encode(inside, forKey: steps[isOpen])
            for (index, container) in inside.opened.containers.enumerated() {
                opened[JsonPath(Array(path.components.prefix(isOpen + 1 + index)))] = container
            }
        }
        written.insert(path)
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
    /// - Throws: `EncodingError` if the path of a key passes through another key's value, or leads to an object on
    ///   another key's path.
    private func checkPath(of key: Key) throws {
        let path = path(of: key)
        let prefixes = path.components.indices.dropFirst().map { JsonPath(Array(path.components.prefix($0))) }
        if opened[path] != nil || prefixes.contains(where: written.contains) {
            let description = "The path \(path) goes through the value of another key."
            throw EncodingError.invalidValue(
                key.stringValue,
                .init(codingPath: codingPath, debugDescription: description)
            )
        }
    }

    /// Returns the container and the key for the value of a key with a path.
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

/// A value inside of objects that are written for it.
private struct PathValue<Value: Encodable>: Encodable {
    let value: Value
    /// The keys from the outermost of the objects to the value.
    let steps: ArraySlice<PathStep>
    let opened = Opened()

    /// The containers of the objects, outermost first. Later keys write into them, too.
    final class Opened {
        var containers: [KeyedEncodingContainer<PathStep>] = []
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathStep.self)
        opened.containers = [container]
        for step in steps.dropLast() {
            container = container.nestedContainer(keyedBy: PathStep.self, forKey: step)
            opened.containers.append(container)
        }
        if let last = steps.last { try container.encode(value, forKey: last) }
    }
}
