// GraphQL needs only its own request encoding and raw mapping. All other stages and the middlewares are the usual ones.

extension Route {
    /// Returns a route that runs an operation. The response is the entry that `data` is read as.
    ///
    /// ```swift
    /// struct VersionQuery: GraphQLOperation {
    ///     static let document = "{ version }"
    ///     struct Data: Codable, RawMappable { let version: String }
    /// }
    /// let data = try await client.fetch(Route<VersionQuery.Data>.graphQL(VersionQuery()))
    /// ```
    /// A `POST` sends the operation in its body. A `GET` sends it in the query of its URL, which HTTP caches support. A
    /// mutation or a file by `GET` fails. Mapping errors have paths from the root of the response: `$.data.trip.name`.
    /// If the server reports errors, the call fails, and ``CallError/graphQLErrors`` has them. A ``GraphQLErrorPolicy``
    /// can change that for a response with data.
    ///
    /// A response with a body of the media type `application/graphql-response+json` is read as a GraphQL response with
    /// any status. Any other response is read as a GraphQL response only if its status is 2xx (GraphQL over HTTP §6.4).
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - method: `.post` or `.get`.
    ///   - headers: The headers of this route only.
    /// - Returns: The route.
    @_disfavoredOverload
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route where Operation.Data == Response {
        calling(operation, method, headers, Identity<Response>())
    }

    /// Returns a route that runs an operation. The response is a model made from `data`.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - method: `.post` or `.get`.
    ///   - headers: The headers of this route only.
    /// - Returns: The route.
    public static func graphQL<Operation: GraphQLOperation>(
        _ operation: Operation,
        by method: HTTPMethod = .post,
        headers: HTTPHeaders = [:]
    ) -> Route where Response: DTODecodable, Operation.Data == Response.DTO {
        calling(operation, method, headers, ConvertDTO<Response>())
    }

    /// Returns a route that runs an operation. The response is one field of `data`.
    ///
    /// There is no DTO conversion: the type of the field is the type that the app uses.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - field: The key path of the field.
    ///   - method: `.post` or `.get`.
    ///   - headers: The headers of this route only.
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

    /// Returns a route that runs an operation. The response is a model made from one field of `data`.
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
    ///   - key: The field's key or path in `data`, if it differs from the Swift names in the key path.
    ///   - method: `.post` or `.get`.
    ///   - headers: The headers of this route only.
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

    /// Returns a route that runs an operation. The response is one field of `data`, which must not be null.
    ///
    /// There is no DTO conversion: the type of the field, without its optional, is the type that the app uses.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - field: The key path of the field.
    ///   - key: The field's key or path in `data`, if it differs from the Swift names in the key path.
    ///   - method: `.post` or `.get`.
    ///   - headers: The headers of this route only.
    ///   - fileID: The file that an error names as the place of the requirement.
    ///   - line: The line that an error names as the place of the requirement.
    ///   - function: The function that an error names as the place of the requirement.
    /// - Returns: The route. If the field is null, the call fails. The underlying error is a ``MappingError`` of the
    ///   kind ``MappingIssue/Kind/missing``. If the server reported an error, it is a ``GraphQLFailure`` under the
    ///   default ``GraphQLErrorPolicy``.
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

    /// Returns a route that runs an operation. The response is a model made from one field of `data`. The field must
    /// not be null.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - field: The key path of the field.
    ///   - key: The field's key or path in `data`, if it differs from the Swift names in the key path.
    ///   - method: `.post` or `.get`.
    ///   - headers: The headers of this route only.
    ///   - fileID: The file that an error names as the place of the requirement.
    ///   - line: The line that an error names as the place of the requirement.
    ///   - function: The function that an error names as the place of the requirement.
    /// - Returns: The route. If the field is null, the call fails. The underlying error is a ``MappingError`` of the
    ///   kind ``MappingIssue/Kind/missing``. If the server reported an error, it is a ``GraphQLFailure`` under the
    ///   default ``GraphQLErrorPolicy``.
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

    /// Returns a route that runs an operation. A closure makes the response from `data`.
    ///
    /// ```swift
    /// let route = Route<String>.graphQL(TripOperation(variables: .init(id: "7"))) { data in
    ///     try data.trip.require("trip").name
    /// }
    /// ```
    /// The closure is the DTO conversion. Its errors have paths from the root of the response: `$.data.trip`.
    /// - Parameters:
    ///   - operation: The operation with its variables.
    ///   - method: `.post` or `.get`.
    ///   - headers: The headers of this route only.
    ///   - conversion: Converts the entry to the response.
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
