/// A raw mapping that reads a GraphQL response.
protocol ReadsGraphQLResponse<Entry>: ResponseReading {
    /// Reads an entry together with the errors of its response.
    func readResponse(
        _ response: HTTPResponse,
        through nodes: RawNodes,
        in context: CallContext
    ) async throws -> GraphQLResponse<Entry>
}

/// The raw mapping of a GraphQL route: parses the body, runs the app's nodes, checks the errors, and maps `data`.
struct ReadGraphQL<Entry: RawDecodable & Sendable>: ReadsGraphQLResponse where Entry.Raw == Json {
    /// The name of the operation, which issues show.
    let operation: String

    /// Both media types of GraphQL over HTTP. Most servers send the older media type, `application/json`.
    var mediaType: String? { "\(GraphQLMediaType.response), application/json;q=0.9" }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry {
        try await readResponse(response, through: nodes, in: context).value
    }

    func readResponse(
        _ response: HTTPResponse,
        through nodes: RawNodes,
        in context: CallContext
    ) async throws -> GraphQLResponse<Entry> {
        try await ParseAndMap<WholeJson>().read(response, through: nodes, in: context)
            .mapping(in: context) { response in try read(response, in: context) }
            .get()
    }

    /// Reads a parsed response.
    /// - Returns: The entry, or the server's failure. The failure is returned and not thrown: if the response is
    ///   a part of the received text, a thrown error would become a mapping error.
    private func read(
        _ response: Json,
        in context: CallContext
    ) throws -> Result<GraphQLResponse<Entry>, GraphQLFailure> {
        try locating(at: nil, owner: typeName(Entry.self)) { try response.requireObject() }
        let policy = context.options[GraphQLErrorPolicy.self] ?? .fail
        let errors = GraphQLError.list(in: response)
        let hasData = response["data"]?.isNull == false
        if !errors.isEmpty, policy == .fail || !hasData {
            return .failure(GraphQLFailure(errors, in: response, of: operation))
        }
        if policy == .keep { for error in errors { error.issue(.warning, owner: operation).report() } }
        if !errors.isEmpty {
            let failure = GraphQLFailure(errors, in: response, of: operation)
            context.explainMissing(by: failure) { errors.reason(at: $0) }
        }
        let entry: Entry = try locating(at: nil, owner: typeName(Entry.self)) { try response.decode("data") }
        return .success(GraphQLResponse(entry, errors: errors, extensions: response["extensions"] ?? [:]))
    }

    func stageNames(with nodes: RawNodes) -> [String] {
        ParseAndMap<WholeJson>().stageNames(with: nodes).dropLast() + ["MapGraphQL<\(typeName(Entry.self))>"]
    }
}

extension ReadGraphQL {
    var path: JsonPath? { GraphQLMember.data }

    /// Always throws: the type of an operation's data describes the whole `data`, not a value at a path.
    func reading(at path: JsonPath) throws(PathRefusal) -> any JsonReading<Entry> {
        throw PathRefusal("found a GraphQL operation, expected JSON for at(_:); name the field in graphQL(_:at:)")
    }
}

private enum GraphQLMember {
    static let data: JsonPath = [.key("data")]
}

extension [GraphQLError] {
    /// Returns a text with the server's error for the missing value at a path; `nil` if there is no such error.
    fileprivate func reason(at path: JsonPath) -> String? {
        let fieldPath = JsonPath([JsonPath.Component](path.components.dropFirst()))
        return first { $0.explains(fieldPath) }.map { "the server reported an error: \($0)" }
    }
}

/// The media types of GraphQL over HTTP.
enum GraphQLMediaType {
    /// The media type that marks a GraphQL response with any status.
    static let response = "application/graphql-response+json"

    /// Whether the body is a GraphQL response even if the status is not 2xx. `application/json` does not prove that:
    /// proxies and servers use it for other errors, too.
    @Sendable
    static func isResponse(_ response: HTTPResponse) -> Bool {
        response.mediaType?.essence == GraphQLMediaType.response && !response.body.isEmpty
    }
}
