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
        rewriteLosses(since: mark) { path in
            var issue = MappingIssue(.dropped, path: path)
            issue.nameKeys(by: naming, in: raw)
            path = issue.path
        }
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

// The upper layer names the fields of its entries, and counts in arrays from which elements may be missing. Their names
// are replaced by the keys of the response's JSON, and the indices by those of its arrays.
extension MappingSession {
    /// An error of either layer with paths in the document, of which a part is mapped.
    func located(_ error: any Error, at base: JsonPath? = nil) -> any Error {
        let error = base.map { MappingError.located(error, at: $0) } ?? error
        guard let error = error as? MappingError, conventions.keys != nil || !numbering.isEmpty else { return error }
        return error.updatingIssues { $0.nameKeys(by: conventions.keys, in: document, numbering) }
    }

    /// Locates the reported issues in the document.
    func locateInDocument(at base: JsonPath?) {
        if let base {
            rewrite(since: 0) { $0.prefix(by: base) }
            rewriteLosses(since: 0) { $0 = $0.prefixed(by: base) }
        }
        if numbering.isEmpty { return }
        rewrite(since: 0) { $0.nameKeys(by: conventions.keys, in: document, numbering) }
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
    /// key. Replaces the indices in shortened arrays by those of the JSON.
    mutating func nameKeys(
        by naming: KeyNaming?,
        in raw: Json?,
        _ numbering: ElementNumbering = ElementNumbering()
    ) {
        for position in causes.indices { causes[position].nameKeys(by: naming, in: raw, numbering) }
        var value = raw
        for position in path.components.indices {
            switch path.components[position] {
            case .key(let name):
                if value?.kind == .object, value?[name] == nil { nameKey(name, at: position, by: naming) }
            case .index(let index):
                if numbering.isEmpty { break }
                let array = JsonPath(Array(path.components[..<position]))
                path.components[position] = .index(numbering.originalIndex(index, in: array))
            case .entry: break
            }
            value = value?.value(at: JsonPath([path.components[position]]))
        }
    }

    private mutating func nameKey(_ name: String, at position: Int, by naming: KeyNaming?) {
        guard let key = naming?.key(for: name) else { return }
        path.components[position] = .key(key)
        if position == path.components.count - 1, key != name {
            jsonKey = key
            propertyName = propertyName ?? name
        }
    }
}
