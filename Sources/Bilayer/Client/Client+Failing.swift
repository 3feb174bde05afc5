extension Client {
    /// Returns a copy of the client that decodes the bodies of failed responses as an entry, for a server with one type
    /// of error body.
    ///
    /// The ``CallError`` of a status other than 2xx then has the decoded value. A route that declares a type of its own
    /// (`Route.failing(with:)`) uses that type, as all GraphQL and JSON-RPC routes do. If the body cannot be decoded as
    /// that type, there is no value. ``StatusError/unreadable`` then has the reason, and ``CallError/issues`` has the
    /// issues of JSON of another shape.
    ///
    /// ```swift
    /// let client = client.failing(with: ProblemEntry.self)
    /// // later: error.failure(as: ProblemEntry.self)?.title
    /// ```
    @_disfavoredOverload
    public func failing<Failure>(with type: Failure.Type) -> Client
    where Failure: RawDecodable & Sendable, Failure.Raw: RawBody {
        failing(FailureNodes.asEntry(type))
    }

    /// Returns a copy of the client that decodes the bodies of failed responses as a model.
    public func failing<Failure>(with type: Failure.Type) -> Client
    where Failure: DTODecodable & Sendable, Failure.DTO: RawDecodable & Sendable, Failure.DTO.Raw: RawBody {
        failing(FailureNodes.asModel(type))
    }

    private func failing(_ node: AnyNode<HTTPResponse, any Sendable>) -> Client {
        var client = self
        client.failure = node
        return client
    }
}
