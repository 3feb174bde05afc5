// GraphQL is an encoding of requests and a raw mapping of responses. The stages and middlewares are those of every
// call.

extension Route {
    /// A call of an operation whose response is the entry of its `data`.
    ///
    /// ```swift
    /// struct VersionQuery: GraphQLOperation {
    ///     static let document = "{ version }"
    ///     struct Data: Codable, RawMappable { let version: String }
    /// }
    /// let data = try await client.fetch(Route<VersionQuery.Data>.graphQL(VersionQuery()))
    /// ```
    /// A `POST` has the operation as its body. A `GET` has it in its query, which caches understand; a mutation is
    /// never sent so. Errors of the mapping have whole paths: `$.data.trip.name`. Errors that the server reports are
    /// the ``CallError/underlyingError``, a ``GraphQLFailure``, unless the ``GraphQLErrorPolicy`` says otherwise.
    ///
    /// A response with the media type `application/graphql-response+json` is one whatever its status is; with another
    /// type only if its status is 2xx (GraphQL over HTTP §6.4).
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - method: `.post` or `.get`.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route.
    @_disfavoredOverload
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route where Operation.Data == Response {
        calling(operation, method, headers, Identity<Response>())
    }

    /// A call of an operation whose response is the model of its `data`.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - method: `.post` or `.get`.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route.
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route where Response: DTODecodable, Operation.Data == Response.DTO {
        calling(operation, method, headers, ConvertDTO<Response>())
    }

    /// A call of an operation whose response is a field of its `data`.
    ///
    /// One layer: the field's type is the app's type.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - field: The key path of the field.
    ///   - method: `.post` or `.get`.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route.
    @_disfavoredOverload
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        at field: any KeyPath<Operation.Data, Response> & Sendable,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route {
        let take = AnyNode<Operation.Data, Response>(named: "Take") { data, _ in data[keyPath: field] }
        return calling(operation, method, headers, take)
    }

    /// A call of an operation whose response is the model of a field of its `data`.
    ///
    /// ```swift
    /// struct Trip: DTODecodable {
    ///     let name: String
    ///     static func from(dto: TripFields) throws -> Trip { Trip(name: dto.name) }
    /// }
    /// extension Route where Response == Trip? {
    ///     static func trip(_ id: String) -> Route { .graphQL(TripOperation(variables: .init(id: id)), at: \.trip) }
    /// }
    /// ```
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - field: The key path of the field.
    ///   - key: The field's key or path in `data`, if it differs from the names in Swift.
    ///   - method: `.post` or `.get`.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route.
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        at field: any KeyPath<Operation.Data, Response.DTO> & Sendable,
        key: String? = nil,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route where Response: DTODecodable {
        converting(operation, method, headers) { try Response.from(field, of: $0, key: key) }
    }

    /// A call of an operation whose response is a field of its `data` that may not be null.
    ///
    /// One layer: the field's type, without its optional, is the app's type.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - field: The key path of the field.
    ///   - key: The field's key or path in `data`, if it differs from the names in Swift.
    ///   - method: `.post` or `.get`.
    ///   - headers: Headers of this route alone.
    ///   - fileID: The file of the rule.
    ///   - line: The line of the rule.
    ///   - function: The function of the rule.
    /// - Returns: The route; a call without a value fails with a ``MappingError`` of the kind
    ///   ``MappingIssue/Kind/missing``.
    @_disfavoredOverload
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        requiring field: any KeyPath<Operation.Data, Response?> & Sendable,
        key: String? = nil,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:],
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) -> Route {
        converting(operation, method, headers) { data in
            try require(field, of: data, key: key, fileID: fileID, line: line, function: function)
        }
    }

    /// A call of an operation whose response is the model of a field of its `data` that may not be null.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - field: The key path of the field.
    ///   - key: The field's key or path in `data`, if it differs from the names in Swift.
    ///   - method: `.post` or `.get`.
    ///   - headers: Headers of this route alone.
    ///   - fileID: The file of the rule.
    ///   - line: The line of the rule.
    ///   - function: The function of the rule.
    /// - Returns: The route; a call without a value fails with a ``MappingError`` of the kind
    ///   ``MappingIssue/Kind/missing``.
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        requiring field: any KeyPath<Operation.Data, Response.DTO?> & Sendable,
        key: String? = nil,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:],
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) -> Route where Response: DTODecodable {
        converting(operation, method, headers) { data in
            let dto = try require(field, of: data, key: key, fileID: fileID, line: line, function: function)
            return try locating(at: field.path(in: Operation.Data.self, key: key)) { try Response.converted(from: dto) }
        }
    }

    /// A call of an operation whose response a closure makes of its `data`.
    ///
    /// ```swift
    /// let route = Route<String>.graphQL(TripOperation(variables: .init(id: "7"))) { data in
    ///     try data.trip.require("trip").name
    /// }
    /// ```
    /// The closure is the DTO conversion: errors have paths in the response, `$.data.trip`.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - method: `.post` or `.get`.
    ///   - headers: Headers of this route alone.
    ///   - conversion: From the entry to the response.
    /// - Returns: The route.
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:],
        _ conversion: @escaping @Sendable (Operation.Data) throws -> Response
    ) -> Route {
        converting(operation, method, headers, conversion)
    }

    private static func converting<Operation: GraphQLOperation>(
        _ operation: Operation,
        _ method: HTTPMethod,
        _ headers: HTTPHeaders,
        _ conversion: @escaping @Sendable (Operation.Data) throws -> Response
    ) -> Route {
        Route<Operation.Data>.calling(operation, method, headers, Identity<Operation.Data>()).converting(conversion)
    }

    private static func calling<Operation: GraphQLOperation>(
        _ operation: Operation,
        _ method: HTTPMethod,
        _ headers: HTTPHeaders,
        _ conversion: some Node<Operation.Data, Response>
    ) -> Route {
        let call = GraphQLCall(of: operation)
        var endpoint = Endpoint(method, Operation.path)
        endpoint.operation = call.name
        let name = call.name ?? call.kind.rawValue
        var route = Route(
            endpoint,
            headers: headers,
            body: .operation(operation, call),
            stages: TypedStages(reading: ReadGraphQL<Operation.Data>(operation: name), conversion)
        )
        route.options.set(call)
        route.options.set(CallRepetition(isAllowed: call.kind != .mutation))
        route.check.isAccepted = GraphQLMediaType.isResponse
        if method == .get { route.request.append(OperationInQuery()) }
        return route.failing(with: GraphQLFailure.self)
    }
}
