extension Json {
    /// Throws if the value is no object.
    func requireObject() throws {
        guard kind == .object else {
            throw MappingError(MappingIssue(.wrongType, expected: "an object", found: found))
        }
    }

    /// Throws if the value is no array.
    func requireArray() throws {
        guard kind == .array else {
            throw MappingError(MappingIssue(.wrongType, expected: "an array", found: found))
        }
    }

    /// A value that servers send as a text or as a number.
    var textOrNumber: String? { string ?? numberText }
}
