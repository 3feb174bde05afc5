// The entry point of a search for all errors of an entry (``ErrorSearch``).

extension Json {
    /// Reads an entry for all of its errors, after a reading that failed. Reports the unknown keys that are warnings.
    /// - Returns: The error to throw, with all errors that were found, and with clashing keys that the policy refuses.
    func completeError<Value: Decodable>(
        of type: Value.Type,
        unknownKeys rule: MappingPolicy.UnknownKeys,
        after error: any Error,
        in mapping: MappingSession
    ) throws -> any Error {
        let mark = mapping.mark
        let isInSearch = mapping.search != nil
        let placeholders: PlaceholderValue.Choice = mapping.search?.usesSecondPlaceholders == true ? .second : .first
        if !isInSearch { try mapping.shapes.recordExamples() }
        let changeCount = mapping.shapes.changeCount
        var found = try search(type, unknownKeys: rule, placeholders, in: mapping)
        if !isInSearch, mapping.shapes.changeCount != changeCount {
            // Later values may have shown shapes that were unknown when earlier values were read. So the entry is read
            // again.
            mapping.remove(since: mark)
            found = try search(type, unknownKeys: rule, placeholders, in: mapping)
        }
        mapping.removeRepeated(since: mark)
        mapping.setOwner(since: mark, inside: .root, by: typeName(type))
        var clashes = try refusedClashes(since: mark, in: mapping)
        let isCutShort = found.isCutShort || found.issues.contains(where: \.endsSearch)
        if found.usedPlaceholders, !isInSearch {
            // An error that occurs with only one of two placeholders follows from the placeholder. So the entry is read
            // with both, and only the errors that occur with both are kept.
            let end = mapping.mark
            let other = try search(type, unknownKeys: rule, .second, in: mapping)
            let otherClashes = try refusedClashes(since: end, in: mapping)
            mapping.remove(since: end)
            let faults = Set(
                (other.issues + otherClashes).map(IssueIdentity.init) + other.unknown.map { IssueIdentity($0.issue) }
            )
            found.issues = found.issues.filter { faults.contains(IssueIdentity($0)) }
            clashes = clashes.filter { faults.contains(IssueIdentity($0)) }
            found.unknown = found.unknown.filter { faults.contains(IssueIdentity($0.issue)) }
        }
        let unknown = MappingIssue.reportReturningErrors(found.unknown)
        if found.issues.isEmpty {
            if clashes.isEmpty, !(error is MappingError) { return error }
            // The search has not met the error of the first reading again, unless it is that of the unknown keys.
            let known = Set(unknown.map(IssueIdentity.init))
            found.issues = MappingError(wrapping: error).issues.filter { !known.contains(IssueIdentity($0)) }
        }
        let issues = found.issues.onceEach + clashes + unknown
        guard var first = issues.first else { return error }
        // If the only issue is the thrown error, that error is returned, because code may catch it by its type.
        if issues.count == 1, first.underlyingError != nil, !(error is MappingError) { return error }
        first.endsSearch = isCutShort
        return MappingError(first, Array(issues.prefix(mapping.policy.issueLimit).dropFirst()))
    }

    /// Names the keys in the issues since a mark. Returns the clashes that the policy refuses.
    private func refusedClashes(since mark: IssueLog.Mark, in mapping: MappingSession) throws -> [MappingIssue] {
        do {
            try mapping.nameKeys(since: mark, in: self)
            return []
        } catch let refused as MappingError {
            return refused.issues
        }
    }

    /// Offers this entry, which was read without an error, as an example of its type. The type's shape can later be
    /// recorded from the example. Not every example is kept: see ``ReadShapes/keep(_:_:)``.
    func keep<Value: Decodable>(asExampleOf type: Value.Type, in mapping: MappingSession) {
        mapping.shapes.keep(type) { KeptExample<Value>(entry: self, decoder: mapping.decoder) }
    }

    /// Records the shapes of an entry that could be read.
    fileprivate func recordShapes<Value: Decodable>(of type: Value.Type, in mapping: MappingSession) throws {
        do {
            _ = try search(type, unknownKeys: .ignore, .first, in: mapping)
        } catch {
            // A search also works without the shape. On a small stack, for example, there may be no room for this
            // reading.
            if error is CancellationError { throw error }
        }
    }

    private func search<Value: Decodable>(
        _ type: Value.Type,
        unknownKeys rule: MappingPolicy.UnknownKeys,
        _ placeholders: PlaceholderValue.Choice,
        in mapping: MappingSession
    ) throws -> Findings {
        var decoder = mapping.decoder
        let search = ErrorSearch(self, in: mapping, placeholders)
        var outer = mapping.search
        mapping.search = MappingSession.Search(usesSecondPlaceholders: placeholders == .second)
        defer { mapping.search = outer }
        if let key = ErrorSearch.userInfoKey { decoder.userInfo[key] = search }
        let part: SearchedPart<Value>
        var unknown: [UnknownKey] = []
        if rule == .ignore {
            part = try decode(SearchedPart<Value>.self, using: decoder)
        } else {
            (part, unknown) = try decodeRecordingKeys(SearchedPart<Value>.self, rule, using: decoder)
        }
        let usedPlaceholders = search.usedPlaceholders || mapping.search?.usedPlaceholders == true
        if usedPlaceholders { outer?.usedPlaceholders = true }
        var found = Findings(unknown: unknown, usedPlaceholders: usedPlaceholders)
        guard case .failure(let failure) = part.result else { return found }
        found.isCutShort = search.isFull
        found.issues = failure.issues.map { issue in
            var issue = issue
            issue.owner = issue.owner ?? typeName(type)
            return issue
        }
        return found
    }
}

/// The result of one reading of an entry for its errors.
private struct Findings {
    var issues: [MappingIssue] = []
    var unknown: [UnknownKey]
    let usedPlaceholders: Bool
    /// Whether the reading ended because the policy's limit of issues was reached.
    var isCutShort = false
}

private struct KeptExample<Value: Decodable>: ExampleOfType {
    let entry: Json
    /// The decoder that has read the entry. The decoder of the entry that fails may have other settings.
    let decoder: JsonDecoder

    func recordShapes() throws {
        let mapping = MappingSession(decoder: decoder)
        try IssueLog.with(mapping) { try entry.recordShapes(of: Value.self, in: mapping) }
    }
}

/// The identity of an issue in two readings of one entry.
private struct IssueIdentity: Hashable {
    let kind: MappingIssue.Kind
    let path: JsonPath

    init(_ issue: MappingIssue) {
        kind = issue.kind
        path = issue.localPath
    }
}

extension [MappingIssue] {
    /// The issues without repetitions. Repetitions occur because several properties may be read from the same value.
    fileprivate var onceEach: [MappingIssue] {
        var found: Set<IssueIdentity> = []
        return filter { found.insert(IssueIdentity($0)).inserted }
    }
}
