extension Route
where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw == Json {
    /// A call of JSON-RPC 2.0 over HTTP, whose response is made of the call's `result`.
    ///
    /// Errors of the mapping have whole paths: `$.result.name`. A server's error is a ``JSONRPCError``: the
    /// ``CallError/underlyingError``, or with a status other than 2xx ``CallError/failure(as:)``.
    /// - Parameters:
    ///   - path: The path below the client's base address.
    ///   - call: The call.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route.
    public static func jsonRPC(_ path: String, _ call: JSONRPCCall, headers: HTTPHeaders = [:]) -> Route {
        Route.post(path, headers: headers, body: call.json)
            .adding(raw: AnyNode { json, _ in try call.result(in: json) })
            .failing(with: JSONRPCError.self)
    }
}

extension Route where Response: RawDecodable, Response.Raw == Json {
    /// A call of JSON-RPC 2.0 over HTTP, whose response is the entry in the call's `result`.
    /// - Parameters:
    ///   - path: The path below the client's base address.
    ///   - call: The call.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route.
    @_disfavoredOverload
    public static func jsonRPC(_ path: String, _ call: JSONRPCCall, headers: HTTPHeaders = [:]) -> Route {
        Route.post(path, headers: headers, body: call.json)
            .adding(raw: AnyNode { json, _ in try call.result(in: json) })
            .failing(with: JSONRPCError.self)
    }
}

extension Route where Response == [Result<Json, any Error>] {
    /// Several calls of JSON-RPC 2.0 in one request.
    /// - Parameters:
    ///   - path: The path below the client's base address.
    ///   - batch: The calls.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route; its response has the result or the error of each call, in the order of the calls.
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
