extension JsonPath {
    /// Makes the path of a coding path in a text whose keys a naming has made. The keys of dictionaries are data and
    /// are not converted.
    init(_ codingPath: [any CodingKey], convertedBy naming: KeyNaming) {
        self.init(codingPath, undeclaredKeysBy: naming)
        for position in components.indices {
            if case .key(let name) = components[position] { components[position] = .key(naming.key(for: name)) }
        }
    }

    /// Makes the path of a coding path, in which a naming has converted the keys that code makes at run time. Declared
    /// keys are unchanged: ``MappingIssue/nameKeysToWrite(by:)`` converts them, and cannot tell a key that code makes
    /// from a key of a dictionary.
    init(_ codingPath: [any CodingKey], undeclaredKeysBy naming: KeyNaming?) {
        self.init(codingPath)
        guard let naming, components.contains(where: \.isEntry) else { return }
        self.init(
            codingPath.flatMap { key in
                JsonPath([key]).components
                    .map { component -> Component in
                        guard case .entry(let name) = component, !DictionaryKeys.contain(key) else { return component }
                        return .entry(naming.key(for: name))
                    }
            }
        )
    }
}

extension JsonPath.Component {
    fileprivate var isEntry: Bool { if case .entry = self { true } else { false } }
}
