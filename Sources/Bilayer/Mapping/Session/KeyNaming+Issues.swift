// The decoder reports paths with property names. The functions of this file replace the names by the keys of the JSON.
// Under a policy that treats warnings as errors, some of them throw for a key clash: two keys of an object for one
// property.

extension MappingSession {
    /// Replaces property names by the JSON's keys in the issues that were reported while an entry was read or written.
    /// - Parameters:
    ///   - mark: The mark from before the reading or writing.
    ///   - raw: The entry's JSON.
    /// - Throws: ``MappingError`` if two keys clash under a policy that treats warnings as errors. The mapping's
    ///   decoder itself only reports a clash.
    func nameKeys(since mark: IssueLog.Mark, in raw: Json) throws {
        guard let naming = conventions.keys, hasAdditions(since: mark) else { return }
        rewrite(since: mark) { $0.nameKeys(by: naming, in: raw) }
        rewriteLosses(since: mark) { loss in
            var issue = MappingIssue(.dropped, path: loss.localPath)
            issue.nameKeys(by: naming, in: raw)
            loss.localPath = issue.localPath
        }
        try settleClashes(since: mark)
    }

    /// Returns the error of an entry that could not be written, with JSON keys in its paths.
    /// - Parameters:
    ///   - error: The error.
    ///   - mark: The mark from before the entry. The issues since the mark get JSON keys, too.
    /// - Returns: The error to throw.
    func named(writing error: any Error, since mark: IssueLog.Mark) -> any Error {
        guard let naming = conventions.keys, !(error is CancellationError) else { return error }
        rewrite(since: mark) { $0.nameKeysToWrite(by: naming) }
        rewriteLosses(since: mark) { loss in
            var issue = MappingIssue(.dropped, path: loss.localPath)
            issue.nameKeysToWrite(by: naming)
            loss.localPath = issue.localPath
        }
        return MappingError(wrapping: error).updatingIssues { $0.nameKeysToWrite(by: naming) }
    }
}

extension MappingSession {
    /// Converts a model that is written afterwards. Errors and issues get the keys that the JSON will have.
    static func convertingToWrite<Value>(_ convert: () throws -> Value) throws -> Value {
        guard let mapping = inProgress, let naming = mapping.conventions.keys else { return try convert() }
        return try mapping.converting(toWriteBy: naming, convert)
    }

    private func converting<Value>(toWriteBy naming: KeyNaming, _ convert: () throws -> Value) throws -> Value {
        let mark = self.mark
        do {
            let value = try convert()
            if hasAdditions(since: mark) { rewrite(since: mark) { $0.nameKeysToWrite(by: naming) } }
            return value
        } catch {
            throw named(writing: error, since: mark)
        }
    }
}

// The upper layer reports the field names of its entries, and indices of arrays from which elements may have been left
// out. The functions below replace them by the keys and indices of the response's JSON.
extension MappingSession {
    /// Returns an error of either layer with the paths, keys and indices of the whole document.
    func locatedInDocument(_ error: any Error, as part: MappedPart) -> any Error {
        part.locatedInDocument(error, naming: name)
    }

    /// Returns an error of either layer with the JSON's keys and indices, for a mapping outside a call.
    func named(_ error: any Error) -> any Error {
        (error as? MappingError)?.updatingIssues(name) ?? error
    }

    /// Returns the error of a mapping that is no stage, with the JSON's keys. Such a mapping may have read other lists
    /// than the response, so its indices stay.
    func renamed(_ error: any Error) -> any Error {
        (error as? MappingError)?
            .updatingIssues { issue in
                name(&issue)
                issue.pathState = .renamed
            } ?? error
    }

    /// Changes the path of an issue to the path in the whole document, with the JSON's keys and indices.
    func locate(_ issue: inout MappingIssue, as part: MappedPart) {
        part.locateInDocument(&issue, naming: name)
    }

    private func name(_ issue: inout MappingIssue) {
        if conventions.keys == nil, numbering.isEmpty { return }
        issue.nameKeys(by: conventions.keys, in: document, numbering)
    }

    /// Changes the paths of the reported issues to paths in the whole document.
    func locateInDocument(as part: MappedPart) {
        if let path = part.base { rewriteLosses(since: .start) { $0.prefix(by: path) } }
        rewrite(since: .start) { issue in
            part.locateInDocument(&issue) { issue in
                if !numbering.isEmpty { issue.nameKeys(by: conventions.keys, in: document, numbering) }
            }
        }
    }

    /// Replaces property names by the JSON's keys in all reported issues.
    func nameKeysInDocument() {
        guard let naming = conventions.keys, let document else { return }
        rewrite(since: .start) { $0.nameKeys(by: naming, in: document) }
    }
}

extension CodingConventions {
    /// Returns an error with the JSON's keys in its paths.
    func named(_ error: MappingError, in raw: Json) -> MappingError {
        guard let keys else { return error }
        return error.updatingIssues { $0.nameKeys(by: keys, in: raw) }
    }
}
