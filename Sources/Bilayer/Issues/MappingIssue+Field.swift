extension MappingIssue {
    /// Returns this issue at a field, with the field's name in Swift, and its key in the JSON if that differs. Either
    /// may be a path from the current value, such as `address.city`.
    func located(atField name: String?, key: String? = nil) -> MappingIssue {
        guard let text = key ?? name else { return self }
        var issue = self
        issue.path = JsonPath(text) ?? [.key(text)]
        issue.jsonKey = key
        if key != nil {
            issue.propertyName = name
        } else if case .key(let last) = issue.localPath.components.last {
            issue.propertyName = last
        }
        return issue
    }
}

extension MappingIssue {
    /// Sets the property's name, and the JSON's key if that differs, unless the issue has a name already.
    mutating func nameProperty(_ property: String) {
        guard propertyName == nil else { return }
        propertyName = property
        if case .key(let key)? = path.components.last, key != property { jsonKey = key }
    }

    /// Sets the property's name if the issue is at the property's value, and not inside it.
    mutating func nameProperty(_ property: String, at path: JsonPath) {
        if localPath == path { nameProperty(property) }
    }
}

extension MappingIssue {
    /// Makes the issue of a text in the source code that is no valid path.
    static func noPath(_ text: String) -> MappingIssue {
        MappingIssue(.brokenRule, detail: "\"\(text)\" in the code is no path")
    }
}
