extension JsonPath {
    /// Parses a path in text form: `$.items[1]["unit price"]`, `checks[0].name`. Returns `nil` if the text is not a
    /// path.
    ///
    /// ```swift
    /// let path = JsonPath(#"items[1]["unit price"]"#)     // [.key("items"), .index(1), .key("unit price")]
    /// ```
    /// The text can be the ``description`` of any path without negative indices; `.*` is then the key `*`. Between
    /// quotes, `\"`, `\\` and `\u{a}` are a quote, a backslash and the scalar with that hexadecimal number.
    /// - Parameter text: The path. A leading `$` is the root if `.` or `[` follows it, or if it is the whole text. It
    ///   can be omitted. `$ref` is a key.
    public init?(_ text: String) {
        // The text is read by scalars. A combining mark at the start of a key would join the preceding dot or quote to
        // one `Character`.
        var rest = text.unicodeScalars[...]
        var components: [Component] = []
        if rest.first == "$", rest.dropFirst().first.map({ $0 == "." || $0 == "[" }) ?? true {
            rest.removeFirst()
        } else if let first = rest.first, first != ".", first != "[" {
            guard let key = rest.removePlainKey() else { return nil }
            components.append(key)
        }
        while !rest.isEmpty {
            guard let component = rest.removeComponent() else { return nil }
            components.append(component)
        }
        self.init(components)
    }
}

extension Substring.UnicodeScalarView {
    fileprivate mutating func removeComponent() -> JsonPath.Component? {
        if first == "." {
            removeFirst()
            return removePlainKey()
        }
        guard first == "[" else { return nil }
        removeFirst()
        let component = first == "\"" ? removeQuotedKey() : removeIndex()
        guard component != nil, first == "]" else { return nil }
        removeFirst()
        return component
    }

    fileprivate mutating func removePlainKey() -> JsonPath.Component? {
        let key = prefix { $0 != "." && $0 != "[" && $0 != "]" }
        self = self[key.endIndex...]
        return key.isEmpty ? nil : .key(String(key))
    }

    private mutating func removeIndex() -> JsonPath.Component? {
        let digits = prefix { ("0"..."9").contains($0) }
        self = self[digits.endIndex...]
        return Int(String(digits)).map(JsonPath.Component.index)
    }

    private mutating func removeQuotedKey() -> JsonPath.Component? {
        removeFirst()
        var key = String.UnicodeScalarView()
        while let scalar = popFirst() {
            switch scalar {
            case "\"": return .key(String(key))
            case "\\":
                guard let escaped = removeEscaped() else { return nil }
                key.append(escaped)
            default: key.append(scalar)
            }
        }
        return nil
    }

    /// Reads the text after a backslash: a quote, a backslash, or a scalar by its hexadecimal number, `u{a}`.
    private mutating func removeEscaped() -> Unicode.Scalar? {
        guard let first = popFirst() else { return nil }
        if first == "\"" || first == "\\" { return first }
        guard first == "u", popFirst() == "{" else { return nil }
        let digits = prefix { $0.properties.isASCIIHexDigit }
        self = self[digits.endIndex...]
        guard popFirst() == "}" else { return nil }
        return UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
    }
}
