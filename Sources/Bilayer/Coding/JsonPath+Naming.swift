extension JsonPath {
    /// Makes the path of a coding path in a text whose keys a naming has made. The keys of dictionaries are data and
    /// are not converted.
    init(_ codingPath: [any CodingKey], convertedBy naming: KeyNaming) {
        self.init(
            codingPath.flatMap { key in
                JsonPath([key]).components
                    .map { component -> Component in
                        switch component {
                        case .key(let name): .key(naming.key(for: name))
                        case .entry(let name): .entry(DictionaryKeys.contain(key) ? name : naming.key(for: name))
                        case .index: component
                        }
                    }
            }
        )
    }
}
