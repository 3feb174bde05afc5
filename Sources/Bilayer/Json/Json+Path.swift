extension Json {
    /// Returns the value at a path that starts at this value.
    /// - Parameter path: Keys and indices, outermost first.
    /// - Returns: The value; `nil` if a key or an index on the path has no value.
    public func value(at path: JsonPath) -> Json? {
        path.components.reduce(self) { json, component in
            switch component {
            case .key(let key), .entry(let key): json?[key]
            case .index(let index): json?[index]
            }
        }
    }

    /// Returns the value at a path in text form: `checks[0].name`, `$.items[1]["unit price"]`.
    ///
    /// A leading `$` is this value and may be omitted; `$ref` is a key. A key that is empty or `$`, or contains a dot,
    /// a bracket or a quote, is written in brackets and quotes. Inside the quotes, `\"` and `\\` are a quote and a
    /// backslash. If a key comes from input, use ``value(at:)``, because the key can contain such characters.
    /// - Parameter text: The path.
    /// - Returns: The value; `nil` if a key or an index on the path has no value, or if the text is not a path.
    public func path(_ text: String) -> Json? {
        JsonPath(text).flatMap(value(at:))
    }
}
