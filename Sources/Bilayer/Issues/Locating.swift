/// Runs a conversion of a part of something larger: its step and the types at work are put to whatever comes out of it, errors
/// and forgiven issues alike.
@inlinable
func locating<Value>(
    at step: @autoclosure () -> JsonPath.Component?,
    owner: @autoclosure () -> String? = nil,
    _ body: () throws -> Value
) throws -> Value {
    let session = IssueLog.current
    let mark = session?.mark ?? 0
    do {
        let value = try body()
        if let session, session.mark > mark { session.relocate(since: mark, to: step(), owner: owner()) }
        return value
    } catch {
        if let session { session.relocate(since: mark, to: step(), owner: owner()) }
        let owned = MappingError.owned(error, by: owner())
        throw step().map { MappingError.located(owned, at: $0) } ?? owned
    }
}
