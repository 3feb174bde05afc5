extension CodingKeyRepresentable {
    /// Makes a key of a dictionary from a member's name.
    static func read(_ name: String, at path: @autoclosure () -> JsonPath) throws -> Self {
        guard let key = Self(codingKey: NamedKey(name)) else {
            throw MappingError(
                MappingIssue(.invalidValue, path: path(), expected: "a key of type \(typeName(Self.self))")
            )
        }
        if Self.self != String.self { try (key as? any CheckedKey)?.check(at: path()) }
        return key
    }
}
