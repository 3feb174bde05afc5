extension Json {
    /// Throws if the value is not an object.
    func requireObject() throws {
        guard kind == .object else {
            throw MappingError(MappingIssue(.wrongType, expected: "an object", found: found))
        }
    }

    /// Throws if the value is not an array.
    func requireArray() throws {
        guard kind == .array else {
            throw MappingError(MappingIssue(.wrongType, expected: "an array", found: found))
        }
    }

    /// The text of a string or a number, for values that some servers send as a string and others as a number.
    var textOrNumber: String? { string ?? numberText }
}
