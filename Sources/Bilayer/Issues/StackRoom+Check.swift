extension StackRoom {
    /// - Throws: ``MappingError`` if the thread's stack is too small for another nested value.
    static func check() throws {
        if isLow { throw MappingError(MappingIssue(.invalidValue, detail: tooDeep)) }
    }

    private static let tooDeep = "Expected fewer nested values on this thread's stack."
}

/// For the conversions of collections, which app code may nest as deep as its values are.
/// - Throws: ``MappingError`` if the thread's stack is too small for another nested value.
@usableFromInline
func checkStackRoom() throws { try StackRoom.check() }
