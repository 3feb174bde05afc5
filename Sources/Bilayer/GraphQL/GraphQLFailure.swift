/// The errors of a GraphQL response that ended a call. The ``CallError`` has this failure as its
/// ``CallError/underlyingError``, or as its ``CallError/failure(as:)`` if the underlying error is a ``StatusError``.
///
/// ```swift
/// do {
///     _ = try await client.fetch(.trip("7"))
/// } catch let error as CallError {
///     print(error.graphQLErrors.map { $0.code ?? $0.message })
/// }
/// ```
public struct GraphQLFailure: Error, Sendable, Hashable {
    /// The errors in the server's order. Empty only if the server ended a subscription with a `null` payload and sent
    /// no errors.
    public let errors: [GraphQLError]
    /// The `data` that the server sent with the errors; `nil` if it was missing or `null`.
    public let data: Json?
    /// The response's `extensions`; an empty object if there are none.
    public let extensions: Json

    private let operation: String

    /// Makes a failure.
    /// - Parameters:
    ///   - errors: The errors.
    ///   - response: The whole response.
    ///   - operation: The name of the operation, which issues show.
    init(_ errors: [GraphQLError], in response: Json, of operation: String = "GraphQL") {
        self.errors = errors
        self.operation = operation
        // `Json?.none`, because the literal `nil` would be the JSON value `null`.
        data = response["data"].flatMap { $0.isNull ? Json?.none : $0 }
        extensions = response["extensions"] ?? [:]
    }
}

extension GraphQLFailure: RawDecodable {
    /// Reads the errors of a whole response.
    /// - Throws: ``MappingError`` if the value is not an object or has no errors.
    public static func from(raw: Json) throws -> GraphQLFailure {
        try raw.requireObject()
        let errors = GraphQLError.list(in: raw)
        if errors.isEmpty {
            throw MappingError(MappingIssue(.missing, path: [.key("errors")], expected: "a list of errors"))
        }
        return GraphQLFailure(errors, in: raw)
    }
}

extension GraphQLFailure: IssueSource {
    /// The failure as one issue for each error, with its path in the response.
    var mappingError: MappingError {
        let issues = errors.map { $0.issue(.error, owner: operation) }
        let first = issues.first ?? MappingIssue(.serverError, path: [.key("errors")], owner: operation)
        return MappingError(first, Array(issues.dropFirst()))
    }
}

extension GraphQLFailure: Redacted {
    /// The number of errors, and paths and codes of the first three:
    /// `the server reported 2 errors: $.data.trip.hotel (NOT_FOUND), $.data.user`.
    public var description: String {
        let shown = errors.prefix(3).map(\.description).joined(separator: ", ")
        let more = errors.count > 3 ? " and \(errors.count - 3) more" : ""
        return "the server reported \(errors.count) error\(errors.count == 1 ? "" : "s"): \(shown)\(more)"
    }
}

extension CallError {
    /// The errors that the server reported in its GraphQL response; empty if it reported none. The errors are also
    /// available if the call kept or ignored them and then failed to map the data.
    public var graphQLErrors: [GraphQLError] {
        let failure = underlyingError as? GraphQLFailure ?? failure(as: GraphQLFailure.self)
        return (failure ?? reported as? GraphQLFailure)?.errors ?? []
    }
}
