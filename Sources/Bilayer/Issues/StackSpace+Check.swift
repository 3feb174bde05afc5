extension StackSpace {
    /// - Throws: ``MappingError`` if the thread's stack is too small for another nested value.
    static func check() throws {
        if isLow { throw MappingError(MappingIssue(.invalidValue, detail: tooDeep)) }
    }

    private static let tooDeep = "Expected fewer nested values on this thread's stack."
}

/// Checks the stack before the conversion of a value with inner values, such as a collection or an optional. App code
/// may nest such conversions as deeply as its values are nested.
/// - Throws: ``MappingError`` if the thread's stack is too small for another nested value.
@usableFromInline
func checkStackSpace() throws { try StackSpace.check() }
