extension MappingIssue {
    /// The issue at a field that code names: by its name in Swift, and by its key in the JSON where that is another.
    /// Either may be a path from the value at hand, `address.city`.
    func placed(atField name: String?, key: String? = nil) -> MappingIssue {
        guard let text = key ?? name else { return self }
        var issue = self
        issue.path = JsonPath(text) ?? [.key(text)]
        issue.jsonKey = key
        if key != nil {
            issue.propertyName = name
        } else if case .key(let last) = issue.path.components.last {
            issue.propertyName = last
        }
        return issue
    }
}

extension MappingIssue {
    /// The issue of a text from the source code that should be a path.
    static func noPath(_ text: String) -> MappingIssue {
        MappingIssue(.brokenRule, detail: "\"\(text)\" in the code is no path")
    }
}
