extension Route {
    /// Returns a route whose response is the value with the errors of its GraphQL answer.
    ///
    /// ```swift
    /// let answer = try await client.fetch(Route.trip("7").keepingErrors())
    /// print(answer.value as Any, answer.errors.count)
    /// ```
    /// The policy of the errors is ``GraphQLErrorPolicy/keep``. The answer of a route that is not GraphQL's has no
    /// errors.
    /// - Returns: The new route.
    public func keepingErrors() -> Route<GraphQLAnswer<Response>> {
        keeping(stages).with(option: GraphQLErrorPolicy.keep)
    }

    private func keeping<Stages: ResponseStages>(_ stages: Stages) -> Route<GraphQLAnswer<Response>>
    where Stages.Response == Response {
        let inner = ConvertAnswer(conversion: stages.dtoConversion, client: PassthroughList(), route: stages.model)
        return Route<GraphQLAnswer<Response>>(
            self,
            stages: TypedStages(
                reading: ReadKeepingErrors(reading: stages.rawMapping, entry: stages.entry),
                ConvertKeepingErrors(conversion: inner)
            )
        )
    }
}

/// Reads an entry with the errors beside it.
private struct ReadKeepingErrors<Entry: Sendable>: ResponseReading {
    let reading: any ResponseReading<Entry>
    let entry: NodeList<Entry>

    var mediaType: String? { reading.mediaType }

    func read(
        _ response: HTTPResponse,
        through nodes: RawNodes,
        in context: CallContext
    ) async throws -> GraphQLAnswer<Entry> {
        var answer =
            if let graphQL = reading as? any ReadsGraphQLAnswer<Entry> {
                try await graphQL.readAnswer(response, through: nodes, in: context)
            } else {
                GraphQLAnswer(try await reading.read(response, through: nodes, in: context))
            }
        if let node = entry.node { answer.value = try await node.process(answer.value, in: context) }
        return answer
    }

    func stageNames(with nodes: RawNodes) -> [String] { reading.stageNames(with: nodes) + entry.stageNames }
}

/// Converts the value of an answer.
private struct ConvertKeepingErrors<Entry: Sendable, Response: Sendable>: Node, NodeDescribing {
    let conversion: ConvertAnswer<Entry, Response>

    func process(_ answer: GraphQLAnswer<Entry>, in context: CallContext) async throws -> GraphQLAnswer<Response> {
        GraphQLAnswer(
            try await conversion.process(answer.value, in: context),
            errors: answer.errors,
            extensions: answer.extensions
        )
    }

    var stageNames: [String] { conversion.stageNames }
}
