// The decoder reports the names of properties. Here they are replaced by the keys of the JSON, and clashing keys are
// refused.

extension MappingSession {
    /// Puts the JSON's keys into the issues reported while an entry was read or written.
    /// - Parameters:
    ///   - mark: The mark before that.
    ///   - raw: The entry's JSON.
    /// - Throws: ``MappingError`` if two keys clash under a policy that treats warnings as errors. The coders
    ///   themselves have no error for that.
    func settleNames(since mark: Int, in raw: Json) throws {
        guard let naming = conventions.keys, self.mark > mark else { return }
        rewrite(since: mark) { $0.nameKeys(by: naming, in: raw) }
        guard policy.treatsWarningsAsErrors else { return }
        let clashes = remove(since: mark) { $0.kind == .keyClash }
            .map { issue in
                var issue = issue
                issue.severity = .error
                return issue
            }
        if let first = clashes.first { throw MappingError(first, Array(clashes.dropFirst())) }
    }
}

// The upper layer names the fields of its entries. Their names are replaced by the keys of the response's JSON
// likewise.
extension MappingSession {
    /// An error of either layer with the JSON's keys in its paths.
    func named(_ error: any Error) -> any Error {
        guard let error = error as? MappingError, let document else { return error }
        return conventions.named(error, in: document)
    }

    /// Puts the JSON's keys into all reported issues.
    func nameKeysInDocument() {
        guard let naming = conventions.keys, let document else { return }
        rewrite(since: 0) { $0.nameKeys(by: naming, in: document) }
    }
}

extension CodingConventions {
    /// An error with the JSON's keys in its paths.
    func named(_ error: MappingError, in raw: Json) -> MappingError {
        guard let keys else { return error }
        return error.updatingIssues { $0.nameKeys(by: keys, in: raw) }
    }
}

extension MappingIssue {
    /// Replaces the properties' names in the paths by the JSON's keys, and stores the last property's name with its
    /// key.
    mutating func nameKeys(by naming: KeyNaming, in raw: Json) {
        for position in causes.indices { causes[position].nameKeys(by: naming, in: raw) }
        var value: Json? = raw
        for position in path.components.indices {
            if case .key(let name) = path.components[position], value?.kind == .object, value?[name] == nil {
                let key = naming.key(for: name)
                path.components[position] = .key(key)
                if position == path.components.count - 1, key != name {
                    jsonKey = key
                    propertyName = propertyName ?? name
                }
            }
            value = value?.value(at: JsonPath([path.components[position]]))
        }
    }
}
