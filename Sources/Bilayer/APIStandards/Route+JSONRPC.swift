extension Route
where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw == Json {
    /// Returns a route that makes a call of JSON-RPC 2.0 over HTTP. Its response is the model of the call's `result`.
    ///
    /// Mapping errors have paths from the root of the response: `$.result.name`. An error that the server returns is a
    /// ``JSONRPCError``. If the response has a 2xx status, the error is the ``CallError/underlyingError``. If it has
    /// another status, read the error with ``CallError/failure(as:)``.
    /// - Parameters:
    ///   - path: The path below the client's base address.
    ///   - call: The call.
    ///   - headers: The headers of this route only.
    /// - Returns: The route.
    public static func jsonRPC(_ path: String, _ call: JSONRPCCall, headers: HTTPHeaders = [:]) -> Route {
        Route.post(path, headers: headers, body: call.json)
            .adding(raw: AnyNode { json, _ in try call.result(in: json) })
            .failing(with: JSONRPCError.self)
    }
}

extension Route where Response: RawDecodable, Response.Raw == Json {
    /// Returns a route that makes a call of JSON-RPC 2.0 over HTTP. Its response is the entry in the call's `result`.
    /// - Parameters:
    ///   - path: The path below the client's base address.
    ///   - call: The call.
    ///   - headers: The headers of this route only.
    /// - Returns: The route.
    @_disfavoredOverload
    public static func jsonRPC(_ path: String, _ call: JSONRPCCall, headers: HTTPHeaders = [:]) -> Route {
        Route.post(path, headers: headers, body: call.json)
            .adding(raw: AnyNode { json, _ in try call.result(in: json) })
            .failing(with: JSONRPCError.self)
    }
}

extension Route where Response == [Result<Json, any Error>] {
    /// Returns a route that makes several calls of JSON-RPC 2.0 in one request.
    /// - Parameters:
    ///   - path: The path below the client's base address.
    ///   - batch: The calls.
    ///   - headers: The headers of this route only.
    /// - Returns: The route. Its response has the result or the error of each call, in the order of the calls.
    public static func jsonRPC(_ path: String, _ batch: JSONRPCBatch, headers: HTTPHeaders = [:]) -> Route {
        Route<Json>.post(path, headers: headers, body: batch.json)
            .adding(
                request: AnyNode { request, context in
                    try context.mapping { try batch.check() }
                    return request
                }
            )
            .adding(raw: AnyNode { json, _ in try JSONRPCBatch.checked(json) })
            .converting { try batch.results(in: $0) }
            .failing(with: JSONRPCError.self)
    }
}
