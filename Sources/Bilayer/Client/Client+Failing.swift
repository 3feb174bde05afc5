extension Client {
    /// Returns a copy of the client that decodes the bodies of failed responses as an entry, for a server with one type
    /// of error body.
    ///
    /// The ``CallError`` of a status other than 2xx then has the decoded value. A route that declares a type of its own
    /// (``Route/failing(with:)->Route<Response>``) uses that type. A body of another kind, such as a page of a proxy,
    /// changes nothing but the error's text.
    ///
    /// ```swift
    /// let client = client.failing(with: ProblemEntry.self)
    /// // later: error.failure(as: ProblemEntry.self)?.title
    /// ```
    @_disfavoredOverload
    public func failing<Failure>(with type: Failure.Type) -> Client
    where Failure: RawDecodable & Sendable, Failure.Raw: RawBody {
        failing(DescribeFailure.asEntry(type))
    }

    /// Returns a copy of the client that decodes the bodies of failed responses as a model.
    public func failing<Failure>(with type: Failure.Type) -> Client
    where Failure: DTODecodable & Sendable, Failure.DTO: RawDecodable & Sendable, Failure.DTO.Raw: RawBody {
        failing(DescribeFailure.asModel(type))
    }

    private func failing(_ node: AnyNode<HTTPResponse, any Sendable>) -> Client {
        var client = self
        client.failure = node
        return client
    }
}
