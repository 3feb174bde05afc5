extension MappingIssue {
    /// The issue as JSON, for analytics.
    public var json: Json {
        let members: [(key: String, value: Json?)] = [
            ("severity", Json(severity.rawValue)),
            ("kind", Json(kind.rawValue)),
            ("path", Json(path.description)),
            ("group", Json(groupingKey)),
            ("key", jsonKey.map { Json($0) }),
            ("property", propertyName.map { Json($0) }),
            ("expected", expected.map { Json($0) }),
            ("found", found.map { Json($0.description) }),
            ("value", shownValue.map { Json($0) }),
            ("owner", owner.map { Json($0) }),
            ("source", source.map { Json($0.description) }),
            ("detail", detail.map { Json($0) }),
            ("causes", causes.isEmpty ? Optional.none : Json(causes.map(\.json))),
        ]
        return Json(members: members.compactMap { member in member.value.map { (key: member.key, value: $0) } })
    }
}
