extension JsonPath {
    /// Makes the path of a coding path in a text whose keys a naming has made. The keys of dictionaries are data and
    /// are not converted.
    init(_ codingPath: [any CodingKey], convertedBy naming: KeyNaming) {
        let path = JsonPath(codingPath)
        self.init(
            path.components.indices.map { position in
                switch path.components[position] {
                case .key(let name): .key(naming.key(for: name))
                case .entry(let name) where path.isMadeKey(at: position): .entry(naming.key(for: name))
                case let component: component
                }
            }
        )
    }
}
