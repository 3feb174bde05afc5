extension Json {
    /// Reads parts of a nested object by hand. The paths of errors and issues begin at this value.
    ///
    /// Choose it for levels of the JSON that need no type of their own:
    ///
    /// ```swift
    /// struct ArticleEntry: RawDecodable {
    ///     let id: String
    ///     let title: String
    ///     let words: Int?
    ///
    ///     static func from(raw: Json) throws -> ArticleEntry {
    ///         let id: String = try raw.decode("id")
    ///         return try raw.at("attributes") { attributes in
    ///             try ArticleEntry(
    ///                 id: id,
    ///                 title: attributes.decode("title"),
    ///                 words: attributes.decodeIfPresent("words"))
    ///         }
    ///     }
    /// }
    /// ```
    /// Read members of this value before or after the closure. Inside the closure, their errors would get the nested
    /// path.
    /// - Parameters:
    ///   - key: The key of the nested value.
    ///   - read: Reads the nested value.
    /// - Returns: The result of the closure.
    /// - Throws: ``MappingError`` of kind `missing` if there is no such member. If this value is no object, the kind is
    ///   `null` for a `null`, or else `wrong type`. An error of the closure has the key in front of its path.
    public func at<Value>(_ key: String, _ read: (Json) throws -> Value) throws -> Value {
        try self.read(JsonPath([.key(key)]), expecting: "an object", read)
    }

    /// Reads parts of a value deeper in the JSON by hand: see ``at(_:_:)``.
    /// - Parameters:
    ///   - path: Keys and indices in the syntax of ``path(_:)``.
    ///   - read: Reads the value.
    /// - Returns: The result of the closure.
    /// - Throws: As ``decode(path:)``.
    public func at<Value>(path: String, _ read: (Json) throws -> Value) throws -> Value {
        try self.read(JsonPath(checking: path), expecting: "an object", read)
    }
}
