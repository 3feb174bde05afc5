extension Route {
    /// Returns a route whose response has the value and the errors of the GraphQL response.
    ///
    /// ```swift
    /// let response = try await client.fetch(Route.trip("7").keepingErrors())
    /// print(response.value as Any, response.errors.count)
    /// ```
    /// The route uses the policy ``GraphQLErrorPolicy/keep``. If this route is not a GraphQL route, the list of errors
    /// is always empty.
    /// - Returns: The new route.
    public func keepingErrors() -> Route<GraphQLResponse<Response>> {
        keeping(stages).with(option: GraphQLErrorPolicy.keep)
    }

    private func keeping<Stages: ResponseStages>(_ stages: Stages) -> Route<GraphQLResponse<Response>>
    where Stages.Response == Response {
        let kept = stages.inside(ReadKeepingErrors(reading: stages.rawMapping), at: \.value) { response, value in
            GraphQLResponse(value, errors: response.errors, extensions: response.extensions)
        }
        return Route<GraphQLResponse<Response>>(self, stages: kept)
    }
}

/// Reads an entry together with the errors of its response.
private struct ReadKeepingErrors<Entry: Sendable>: ResponseReading {
    let reading: any ResponseReading<Entry>

    var mediaType: String? { reading.mediaType }
    var path: JsonPath? { reading.path }

    func read(
        _ response: HTTPResponse,
        through nodes: RawNodes,
        in context: CallContext
    ) async throws -> GraphQLResponse<Entry> {
        guard let graphQL = reading as? any ReadsGraphQLResponse<Entry> else {
            return GraphQLResponse(try await reading.read(response, through: nodes, in: context))
        }
        return try await graphQL.readResponse(response, through: nodes, in: context)
    }

    func reading(at path: JsonPath) throws(PathRefusal) -> any JsonReading<GraphQLResponse<Entry>> {
        _ = try reading.reading(at: path)
        throw PathRefusal("found keepingErrors() before at(_:), expected it after")
    }

    func stageNames(with nodes: RawNodes) -> [String] { reading.stageNames(with: nodes) }
}
