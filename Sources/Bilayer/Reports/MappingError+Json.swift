extension MappingError {
    /// The issues of a `DecodingError`, with the types found at their paths.
    /// - Parameters:
    ///   - error: The error.
    ///   - raw: The JSON that was read.
    ///   - place: The path of that value from the root of the error's path.
    ///   - owner: The type that was read; nil if the caller adds it.
    init(_ error: DecodingError, in raw: Json, at place: JsonPath = .root, owner: Any.Type?) {
        let naming = MappingSession.inProgress?.conventions.keys
        self = MappingError(wrapping: error)
            .updatingIssues { issue in
                issue.owner = issue.owner ?? owner.map { typeName($0) }
                guard issue.localPath.components.starts(with: place.components) else { return }
                issue.localPath = JsonPath(Array(issue.localPath.components.dropFirst(place.components.count)))
                if let naming { issue.nameKeys(by: naming, in: raw) }
                issue.look(into: raw)
                issue.localPath = issue.localPath.prefixed(by: place)
            }
    }
}

extension MappingIssue {
    /// Sets the found type, if there is a value at the issue's path.
    fileprivate mutating func look(into raw: Json) {
        guard kind != .missing, !isAboutKey, let value = raw.value(at: localPath) else { return }
        found = value.found
        if value.isNull, kind == .wrongType { kind = .null }
    }
}
