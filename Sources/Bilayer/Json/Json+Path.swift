extension Json {
    /// The value at a path from here; nil if a step leads nowhere.
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

    /// The value at a path as people write it: `checks[0].name`, `$.items[1]["unit price"]`.
    ///
    /// A leading `$` stands for this value and may be left out. Keys that hold dots, brackets or quotes stand in
    /// brackets and quotes, with `\"` and `\\` for a quote and a backslash. For paths that are not written in the
    /// source, see ``value(at:)``.
    /// - Parameter text: The path.
    /// - Returns: The value; nil if a step leads nowhere or the text is no path.
    public func path(_ text: String) -> Json? {
        JsonPath(text).flatMap(value(at:))
    }
}
