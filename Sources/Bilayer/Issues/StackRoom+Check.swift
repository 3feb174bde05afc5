extension StackRoom {
    /// - Throws: ``MappingError`` where the stack has no room for more.
    static func check() throws {
        if isLow { throw MappingError(MappingIssue(.invalidValue, detail: tooDeep)) }
    }

    private static let tooDeep = "The thread's stack is too small for more values inside each other."
}
