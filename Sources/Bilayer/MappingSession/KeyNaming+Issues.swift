// The decoder reports the names of properties. Here they are replaced by the keys of the JSON, and clashing keys are
// refused.

extension MappingSession {
    /// Puts the JSON's keys into the issues reported while an entry was read or written.
    /// - Parameters:
    ///   - mark: The mark before that.
    ///   - raw: The entry's JSON.
    /// - Throws: ``MappingError`` if two keys clash under a policy that treats warnings as errors. The coders
    ///   themselves have no error for that.
    func nameKeys(since mark: IssueLog.Mark, in raw: Json) throws {
        guard let naming = conventions.keys, hasIssues(since: mark) else { return }
        rewrite(since: mark) { $0.nameKeys(by: naming, in: raw) }
        rewriteLosses(since: mark) { path in
            var issue = MappingIssue(.dropped, path: path)
            issue.nameKeys(by: naming, in: raw)
            path = issue.localPath
        }
        removeRepeatedClashes(since: mark)
        guard policy.treatsWarningsAsErrors else { return }
        var clashes = remove(since: mark) { $0.kind == .keyClash && !$0.isDiscarded }
        if let omitted = takeOmittedClash(since: mark) { clashes.append(omitted) }
        for position in clashes.indices { clashes[position].severity = .error }
        if let first = clashes.first { throw MappingError(first, Array(clashes.dropFirst())) }
    }

    /// Removes the clashes that a further container of an object has found again.
    private func removeRepeatedClashes(since mark: IssueLog.Mark) {
        var found: [JsonPath: Set<String>] = [:]
        remove(since: mark) { issue in
            issue.kind == .keyClash && !found[issue.localPath, default: []].insert(issue.detail ?? "").inserted
        }
    }

    /// The error of an entry that could not be written, with the keys to write in its paths.
    /// - Parameters:
    ///   - error: The error.
    ///   - mark: The mark before the entry, whose issues get the keys, too.
    /// - Returns: The error to throw.
    func named(writing error: any Error, since mark: IssueLog.Mark) -> any Error {
        guard let naming = conventions.keys, !(error is CancellationError) else { return error }
        rewrite(since: mark) { $0.nameKeysToWrite(by: naming) }
        return MappingError(wrapping: error).updatingIssues { $0.nameKeysToWrite(by: naming) }
    }
}

// The upper layer names the fields of its entries, and counts in arrays from which elements may be missing. Their names
// are replaced by the keys of the response's JSON, and the indices by those of its arrays.
extension MappingSession {
    /// An error of either layer with paths in the document, of which a part is mapped.
    func locatedInDocument(_ error: any Error, as part: MappedPart) -> any Error {
        part.locatedInDocument(error, naming: name)
    }

    /// An error of either layer, of a mapping outside a call.
    func named(_ error: any Error) -> any Error {
        (error as? MappingError)?.updatingIssues(name) ?? error
    }

    private func name(_ issue: inout MappingIssue) {
        if conventions.keys == nil, numbering.isEmpty { return }
        issue.nameKeys(by: conventions.keys, in: document, numbering)
    }

    /// Locates the reported issues in the document.
    func locateInDocument(as part: MappedPart) {
        if let path = part.base { rewriteLosses(since: .start) { $0 = $0.prefixed(by: path) } }
        if mark == .start { return }
        rewrite(since: .start) { issue in
            part.locateInDocument(&issue) { issue in
                if !numbering.isEmpty { issue.nameKeys(by: conventions.keys, in: document, numbering) }
            }
        }
    }

    /// Puts the JSON's keys into all reported issues.
    func nameKeysInDocument() {
        guard let naming = conventions.keys, let document else { return }
        rewrite(since: .start) { $0.nameKeys(by: naming, in: document) }
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
        for position in localPath.components.indices {
            switch localPath.components[position] {
            case .key(let name):
                if isName(at: position), let naming, let value, value.kind == .object {
                    nameKey(at: position, by: naming.key(for: name, in: value))
                }
            case .index(let index):
                if numbering.isEmpty { break }
                let array = JsonPath(Array(localPath.components[..<position]))
                localPath.components[position] = .index(numbering.originalIndex(index, in: array))
            case .entry: break
            }
            value = value?.value(at: JsonPath([localPath.components[position]]))
        }
        if naming != nil, raw != nil { namedComponents = localPath.components.count }
    }

    /// Replaces the properties' names in the paths by the keys to write, where there is no JSON yet.
    mutating func nameKeysToWrite(by naming: KeyNaming) {
        for position in causes.indices { causes[position].nameKeysToWrite(by: naming) }
        for position in localPath.components.indices where isName(at: position) {
            if case .key(let name) = localPath.components[position] { nameKey(at: position, by: naming.key(for: name)) }
        }
        namedComponents = localPath.components.count
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
    /// The key under which an object has a property, as a decoder reads it: the property's own name, or another
    /// spelling of the key, only if the object lacks the key.
    fileprivate func key(for name: String, in object: Json) -> String {
        let key = key(for: name)
        if object[key] != nil { return key }
        if object[name] != nil { return name }
        guard let other = alternative(to: key), object[other] != nil else { return key }
        return other
    }
}
