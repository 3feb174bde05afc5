extension MappingError {
    /// The issues of a `DecodingError`, with the types found at their paths.
    /// - Parameters:
    ///   - error: The error.
    ///   - raw: The JSON that was read.
    ///   - base: The path of that value from the root of the error's path.
    ///   - owner: The type that was read; nil if the caller adds it.
    init(_ error: DecodingError, in raw: Json, at base: JsonPath = .root, owner: Any.Type?) {
        let naming = MappingSession.inProgress?.conventions.keys
        self = MappingError(wrapping: error).ownedByDeclaringType
            .updatingIssues { issue in
                issue.owner = issue.owner ?? owner.map { typeName($0) }
                guard issue.localPath.components.starts(with: base.components) else { return }
                issue.localPath = JsonPath(Array(issue.localPath.components.dropFirst(base.components.count)))
                if let naming { issue.nameKeys(by: naming, in: raw) }
                issue.look(into: raw)
                issue.localPath = issue.localPath.prefixed(by: base)
            }
    }
}

extension MappingError {
    /// What a decoder throws for a value, with paths from the decoder's root.
    /// - Parameters:
    ///   - error: The error.
    ///   - type: The type that was read. It declares its own fields. The field that it is the value of belongs to the
    ///     enclosing type.
    ///   - path: The path of the value.
    ///   - json: The JSON that was read.
    ///   - base: The path of that JSON.
    init(decoding error: any Error, of type: Any.Type, at path: JsonPath, in json: Json, from base: JsonPath = .root) {
        switch error {
        case let error as MappingError: self = error.ownedByDeclaringType
        case let error as DecodingError:
            self = MappingError(error, in: json, at: base, owner: nil)
                .updatingIssues { issue in
                    // By their lengths: the keys of one of the paths may be those of the JSON already.
                    if issue.localPath.components.count > path.components.count {
                        issue.owner = issue.owner ?? ownerName(of: type)
                    }
                }
        default: self = MappingError(wrapping: error).prefixed(by: path)
        }
    }

    /// The error of a value that has just failed, owned by the type that declares the field, at any depth.
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
    /// Sets the found type, if there is a value at the issue's path.
    fileprivate mutating func look(into raw: Json) {
        guard kind != .missing, !isAboutKey, let value = raw.value(at: localPath) else { return }
        found = value.found
        if value.isNull, kind == .wrongType { kind = .null }
    }
}
