// Without these overloads, the compiler error for a type mismatch would be about any of the valid overloads, seldom
// about the one that the caller meant.

extension Route {
    /// Unavailable: the response type is neither the operation's `Data` nor a model made from it.
    @available(
        *,
        unavailable,
        message:
            "the response is not the operation's Data, nor a model of it; name the field, graphQL(_, at: \\.field), or convert: graphQL(_) { data in … }"
    )
    @_disfavoredOverload
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route {
        graphQL(operation, by: method, headers: headers) { (_: Operation.Data) -> Response in
            throw MappingError(MappingIssue(.wrongType))
        }
    }

    /// Unavailable: the response type is neither the type of the field nor a model made from it.
    @available(
        *,
        unavailable,
        message:
            "the response is not of the field's type, nor a model of it; of an optional field it is optional, or is made by graphQL(_, requiring:)"
    )
    @_disfavoredOverload
    public static func graphQL<Operation: GraphQLOperation, Value>(
        _ operation: Operation,
        at field: any KeyPath<Operation.Data, Value> & Sendable,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route {
        graphQL(operation, by: method, headers: headers) { (_: Operation.Data) -> Response in
            throw MappingError(MappingIssue(.wrongType))
        }
    }
}
