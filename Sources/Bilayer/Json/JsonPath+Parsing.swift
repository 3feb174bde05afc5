extension JsonPath {
    /// Reads a path as people write it: `$.items[1]["unit price"]`, `checks[0].name`. Nil if the text is no path.
    ///
    /// ```swift
    /// let path = JsonPath(#"items[1]["unit price"]"#)     // [.key("items"), .index(1), .key("unit price")]
    /// ```
    /// - Parameter text: The path. A leading `$` stands for the root and may be left out.
    public init?(_ text: String) {
        var rest = Substring(text)
        var components: [Component] = []
        if rest.first == "$" {
            rest.removeFirst()
        } else if rest.first != "." && rest.first != "[" && !rest.isEmpty {
            rest = "." + rest
        }
        while !rest.isEmpty {
            guard let component = rest.removeComponent() else { return nil }
            components.append(component)
        }
        self.init(components)
    }
}

extension Substring {
    fileprivate mutating func removeComponent() -> JsonPath.Component? {
        if first == "." {
            removeFirst()
            let key = prefix { $0 != "." && $0 != "[" && $0 != "]" }
            removeFirst(key.count)
            return key.isEmpty ? nil : .key(String(key))
        }
        guard first == "[" else { return nil }
        removeFirst()
        let component = first == "\"" ? removeQuotedKey() : removeIndex()
        guard component != nil, first == "]" else { return nil }
        removeFirst()
        return component
    }

    private mutating func removeIndex() -> JsonPath.Component? {
        let digits = prefix { $0.isASCII && $0.isNumber }
        removeFirst(digits.count)
        return Int(digits).map(JsonPath.Component.index)
    }

    private mutating func removeQuotedKey() -> JsonPath.Component? {
        removeFirst()
        var key = ""
        while let character = popFirst() {
            switch character {
            case "\"": return .key(key)
            case "\\":
                guard let escaped = popFirst(), escaped == "\"" || escaped == "\\" else { return nil }
                key.append(escaped)
            default: key.append(character)
            }
        }
        return nil
    }
}
