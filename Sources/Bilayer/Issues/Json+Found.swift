extension Json {
    /// The type and length of the value for errors, never the value itself.
    var found: MappingIssue.Found {
        switch kind {
        case .string: MappingIssue.Found(type: "string", length: string?.count)
        case .array, .object: MappingIssue.Found(type: kind.rawValue, length: count)
        case .number, .bool, .null: MappingIssue.Found(type: kind.rawValue)
        }
    }
}

extension MappingIssue {
    /// Makes the issue of a value that has another JSON type than expected. For `null` the issue's kind is `null`.
    static func wrongType(in raw: Json, expected type: Any.Type) -> MappingIssue {
        var issue = MappingIssue(raw.isNull ? .null : .wrongType, expected: typeName(type), found: raw.found)
        issue.setOrigin(raw)
        return issue
    }
}

extension MappingIssue {
    /// Names an empty body as the value that was found. An empty body is read as `null`, so the issue would name `null`
    /// otherwise.
    mutating func nameEmptyBody() {
        if localPath.isRoot, found == Json.null.found { found = Found(type: "an empty body") }
    }
}
