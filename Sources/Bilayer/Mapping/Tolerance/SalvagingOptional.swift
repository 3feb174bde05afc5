/// Makes the value of an optional. Under a policy that salvages, a value that cannot be made is `nil`, with a report; the policy is
/// looked for after a failure only.
@usableFromInline
func salvagingOptional<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
        return try body()
    } catch let error as CancellationError {
        throw error
    } catch {
        guard let session = MappingSession.current, session.policy.salvages, !session.policy.refusesForgiveness else {
            throw error
        }
        session.add(MappingIssue(.dropped, severity: .warning, causes: MappingError(wrapping: error).issues))
        return nil
    }
}
