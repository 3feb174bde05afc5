/// A raw mapping that reads a GraphQL answer.
protocol ReadsGraphQLAnswer<Entry>: ResponseReading {
    /// Reads an entry with the errors beside it.
    func readAnswer(
        _ response: HTTPResponse,
        through nodes: RawNodes,
        in context: CallContext
    ) async throws -> GraphQLAnswer<Entry>
}

/// The raw mapping of a GraphQL route: parses the body, runs the app's nodes, looks at the errors, and maps `data`.
struct ReadGraphQL<Entry: RawDecodable & Sendable>: ReadsGraphQLAnswer where Entry.Raw == Json {
    /// The name of the operation, for issues.
    let operation: String

    /// Both media types of GraphQL over HTTP; the older one is what most servers send.
    var mediaType: String? { "\(GraphQLMediaType.response), application/json;q=0.9" }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry {
        try await readAnswer(response, through: nodes, in: context).value
    }

    func readAnswer(
        _ response: HTTPResponse,
        through nodes: RawNodes,
        in context: CallContext
    ) async throws -> GraphQLAnswer<Entry> {
        try await ParseAndMap<WholeJson>().read(response, through: nodes, in: context)
            .mapping(in: context) { answer in try read(answer, in: context) }
            .get()
    }

    /// - Returns: The failure is no error of the mapping: it keeps its type wherever the answer is a part of something.
    private func read(
        _ answer: Json,
        in context: CallContext
    ) throws -> Result<GraphQLAnswer<Entry>, GraphQLFailure> {
        try answer.requireObject()
        let policy = context.options[GraphQLErrorPolicy.self] ?? .fail
        let errors = GraphQLError.list(in: answer)
        let hasData = answer["data"]?.isNull == false
        if !errors.isEmpty, policy == .fail || !hasData {
            return .failure(GraphQLFailure(errors, in: answer, of: operation))
        }
        if policy == .keep { for error in errors { error.issue(.warning, owner: operation).report() } }
        if !errors.isEmpty { context.explainMissing { errors.reason(at: $0) } }
        let entry: Entry = try locating(at: nil, owner: typeName(Entry.self)) { try answer.decode("data") }
        return .success(GraphQLAnswer(entry, errors: errors, extensions: answer["extensions"] ?? [:]))
    }

    func stageNames(with nodes: RawNodes) -> [String] {
        ParseAndMap<WholeJson>().stageNames(with: nodes).dropLast() + ["MapGraphQL<\(typeName(Entry.self))>"]
    }
}

extension ReadGraphQL {
    var path: JsonPath? { GraphQLMember.data }

    /// Always throws: the type of an operation's data describes the whole response, not the value at one path.
    func reading(at path: JsonPath) throws(PathRefusal) -> any JsonReading<Entry> {
        throw PathRefusal("found a GraphQL operation, expected JSON for at(_:); name the field in graphQL(_:at:)")
    }
}

private enum GraphQLMember {
    static let data: JsonPath = [.key("data")]
}

extension [GraphQLError] {
    /// The error that the server reported for a value of the answer that is not there.
    fileprivate func reason(at path: JsonPath) -> String? {
        let place = JsonPath([JsonPath.Component](path.components.dropFirst()))
        return first { $0.explains(place) }.map { "the server reported an error: \($0)" }
    }
}

/// The media types of GraphQL over HTTP.
enum GraphQLMediaType {
    /// Of an answer that is one whatever its status is.
    static let response = "application/graphql-response+json"

    /// Whether the body of a response is an answer in spite of a status other than 2xx: servers and proxies send
    /// `application/json` for other reasons, too.
    @Sendable
    static func isAnswer(_ response: HTTPResponse) -> Bool {
        response.mediaType?.essence == GraphQLMediaType.response && !response.body.isEmpty
    }
}
