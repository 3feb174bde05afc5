/// The kinds of operations (GraphQL §2.3).
public enum GraphQLOperationKind: String, Sendable, Hashable {
    /// Reads, and changes nothing.
    case query
    /// Changes something, and reads its result.
    case mutation
    /// A stream of responses: see ``StreamFormat/graphQL(reconnecting:maximumElementBytes:)``.
    case subscription
}
