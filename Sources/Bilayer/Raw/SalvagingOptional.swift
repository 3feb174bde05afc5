/// Makes the value of an optional. Under a policy that salvages, a value that fails becomes `nil`. One issue then
/// replaces those that the value has reported.
@usableFromInline
func salvagingOptional<Value>(_ body: () throws -> Value) throws -> Value? {
    let session = IssueLog.current
    let mark = session?.mark ?? 0
    do {
        return try body()
    } catch let error as CancellationError {
        throw error
    } catch {
        guard let session, session.policy.leavesOut else { throw error }
        session.forget(since: mark)
        session.add(MappingIssue(.dropped, severity: .warning, causes: MappingError(wrapping: error).issues))
        return nil
    }
}
