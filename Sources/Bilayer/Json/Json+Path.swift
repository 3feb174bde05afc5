extension Json {
    /// Returns the value at a path from this value; nil if a step has no value.
    /// - Parameter path: Keys and indices, outermost first.
    /// - Returns: The value, or nil.
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
    /// A leading `$` is this value and may be left out. Keys with dots, brackets or quotes are written in brackets and
    /// quotes, with `\"` and `\\` for a quote and a backslash. For paths that are not in the source code, see
    /// ``value(at:)``.
    /// - Parameter text: The path.
    /// - Returns: The value; nil if a step has no value or the text is no path.
    public func path(_ text: String) -> Json? {
        JsonPath(text).flatMap(value(at:))
    }
}
