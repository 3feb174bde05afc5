// The coders report paths with property names. The functions of this file replace the names by the keys of the JSON.

extension MappingIssue {
    /// Replaces the property names in the paths by the JSON's keys, and stores the last property's name with its key.
    /// Replaces indices in arrays with missing elements by the indices in the JSON.
    mutating func nameKeys(
        by naming: KeyNaming?,
        in raw: Json?,
        _ numbering: ElementNumbering = ElementNumbering()
    ) {
        for position in causes.indices { causes[position].nameKeys(by: naming, in: raw, numbering) }
        if isPathComplete { return }
        // Each level of entries prepends a few components. The components behind them already are keys of the JSON, and
        // are not looked up again. With a numbering, the whole path is visited, because all indices are replaced.
        let path = localPath
        let count = path.components.count
        var value = raw
        for position in 0..<(numbering.isEmpty ? max(0, count - namedComponents) : count) {
            switch localPath.components[position] {
            case .key(let name):
                if isName(at: position), let naming, raw != nil {
                    nameKey(at: position, by: naming.key(for: name, in: value))
                }
            case .index(let index):
                if numbering.isEmpty { break }
                let array = JsonPath(Array(localPath.components[..<position]))
                localPath.components[position] = .index(numbering.originalIndex(index, in: array))
            case .entry(let name):
                guard isName(at: position), let naming, let value, value.kind == .object else { break }
                if path.isMadeKey(at: position) || isConverted(name, by: naming, in: value) {
                    localPath.components[position] = .entry(naming.key(for: name, in: value))
                }
            }
            value = value?.value(at: JsonPath([localPath.components[position]]))
        }
        if naming != nil, raw != nil { namedComponents = localPath.components.count }
    }

    /// Replaces the property names in the paths by the keys to write. Used where the JSON does not exist yet.
    mutating func nameKeysToWrite(by naming: KeyNaming) {
        for position in causes.indices { causes[position].nameKeysToWrite(by: naming) }
        let path = localPath
        for position in path.components.indices where isName(at: position) {
            switch path.components[position] {
            case .key(let name): nameKey(at: position, by: naming.key(for: name))
            case .entry(let name) where path.isMadeKey(at: position):
                localPath.components[position] = .entry(naming.key(for: name))
            case .entry, .index: break
            }
        }
        namedComponents = localPath.components.count
    }

    /// Whether a key that no code declares is not in the JSON, and its converted name is.
    private func isConverted(_ name: String, by naming: KeyNaming, in object: Json) -> Bool {
        object[name] == nil && object[naming.key(for: name, in: object)] != nil
    }

    /// Whether a key in the path may be the name of a property.
    private func isName(at position: Int) -> Bool { position < localPath.components.count - namedComponents }

    private mutating func nameKey(at position: Int, by key: String) {
        guard case .key(let name) = localPath.components[position], key != name else { return }
        localPath.components[position] = .key(key)
        if position == localPath.components.count - 1 {
            jsonKey = key
            propertyName = propertyName ?? name
        }
    }
}

extension KeyNaming {
    /// Returns the key under which a decoder reads a property of an object. This is the naming's key, if the object has
    /// it. Otherwise it is the property's own name or the alternative spelling, if the object has it. In all other
    /// cases, also without an object, it is the naming's key.
    fileprivate func key(for name: String, in object: Json?) -> String {
        let key = key(for: name)
        guard let object, object.kind == .object, object[key] == nil else { return key }
        if object[name] != nil { return name }
        guard let other = alternative(to: key), object[other] != nil else { return key }
        return other
    }
}
