/// The kind of a GraphQL operation (GraphQL §2.3).
public enum GraphQLOperationKind: String, Sendable, Hashable {
    /// Reads data and changes nothing.
    case query
    /// Changes data and reads the result.
    case mutation
    /// Receives a stream of responses. See ``StreamFormat/graphQL(reconnecting:maximumElementBytes:)``.
    case subscription
}
