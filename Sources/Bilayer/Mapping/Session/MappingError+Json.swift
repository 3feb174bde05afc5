extension MappingError {
    /// Makes the mapping error of a `DecodingError`, with the JSON types that were found at the paths of its issues.
    /// - Parameters:
    ///   - error: The error.
    ///   - raw: The JSON that was read.
    ///   - base: The path of `raw`, from the root of the error's path.
    ///   - owner: The type that was read, for ``MappingIssue/owner``; `nil` if the caller sets the owner.
    init(_ error: DecodingError, in raw: Json, at base: JsonPath = .root, owner: Any.Type?) {
        let naming = MappingSession.inProgress?.conventions.keys
        self = MappingError(wrapping: error).ownedByDeclaringType
            .updatingIssues { issue in
                issue.owner = issue.owner ?? owner.map { typeName($0) }
                guard issue.localPath.components.starts(with: base.components) else { return }
                issue.localPath = issue.localPath.dropFirst(base.components.count)
                if let naming { issue.nameKeys(by: naming, in: raw) }
                issue.look(into: raw)
                issue.localPath = issue.localPath.prefixed(by: base)
            }
    }
}

extension MappingError {
    /// Makes the mapping error of any error that a decoder throws for a value, with paths from the decoder's root.
    /// - Parameters:
    ///   - error: The error.
    ///   - type: The type that was read. It becomes the ``MappingIssue/owner`` of issues inside the value. An issue of
    ///     the value itself belongs to the enclosing type.
    ///   - path: The path of the value.
    ///   - json: The JSON that was read.
    ///   - base: The path of `json`.
    init(decoding error: any Error, of type: Any.Type, at path: JsonPath, in json: Json, from base: JsonPath = .root) {
        switch error {
        case let error as MappingError: self = error.ownedByDeclaringType
        case let error as DecodingError:
            self = MappingError(error, in: json, at: base, owner: nil)
                .updatingIssues { issue in
                    // The lengths are compared, and not the keys: one of the paths may already have the keys of the
                    // JSON.
                    if issue.localPath.components.count > path.components.count {
                        issue.owner = issue.owner ?? ownerName(of: type)
                    }
                }
        default: self = MappingError(wrapping: error).prefixed(by: path)
        }
    }

    /// This error, with the type that declares the failed field as the ``MappingIssue/owner``. The field may be at any
    /// depth. Must be called directly after the reading that failed, because the log keeps only the last failed field.
    var ownedByDeclaringType: MappingError {
        guard let first = issues.first, first.owner == nil,
            let owner = IssueLog.current?.takeOwner(ofFieldAt: first.localPath)
        else { return self }
        return updatingIssues { issue in
            if issue.localPath == first.localPath { issue.owner = issue.owner ?? owner }
        }
    }
}

extension MappingIssue {
    /// Sets the found type, if it is not set and there is a value at the issue's path.
    fileprivate mutating func look(into raw: Json) {
        guard found == nil, kind != .missing, !isAboutKey, let value = raw.value(at: localPath) else { return }
        found = value.found
        if value.isNull, kind == .wrongType { kind = .null }
    }
}
