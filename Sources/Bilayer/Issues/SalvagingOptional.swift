/// Makes the value of an optional. Under a policy that salvages, a value that fails becomes `nil`. One issue of kind
/// `dropped` then replaces the issues that the value has reported.
@usableFromInline
func salvagingOptional<Value>(_ body: () throws -> Value) throws -> Value? {
    try salvagingOptional(at: .root, describing: MappingError.init(wrapping:), body)
}

/// The variant of ``salvagingOptional(_:)`` for a value whose issues have paths that do not begin at the value.
/// - Parameters:
///   - path: The value's path. It begins where the paths of the value's issues begin.
///   - describe: Makes a mapping error of what `body` throws.
///   - body: Makes the value.
/// - Returns: The value; `nil` if it was left out.
/// - Throws: What `body` throws, if the policy does not salvage, or if there is no log. A `CancellationError` is thrown
///   under every policy.
func salvagingOptional<Value>(
    at path: @autoclosure () -> JsonPath,
    describing describe: (any Error) -> MappingError,
    _ body: () throws -> Value
) throws -> Value? {
    let log = IssueLog.current
    let mark = log?.mark ?? .start
    do {
        return try body()
    } catch let error as CancellationError {
        throw error
    } catch {
        guard let log, log.policy.leavesOut else {
            log?.setAside(since: mark, failedBy: error)
            throw error
        }
        log.remove(since: mark)
        log.add(MappingIssue(.dropped, severity: .warning, path: path(), causes: describe(error).issues))
        return nil
    }
}
