// The verbs that make routes: seven for each kind of response. Each kind binds its own stages to the route, and the
// compiler chooses the kind by the type of the response. A type of no kind gets seven unavailable verbs. Their message
// says which types are possible.
//
// The seven are written out for each kind. They cannot be members of one protocol: a type conforms to a protocol in one
// way only, and here the kinds overlap, as a type can be both an entry and a model.

// MARK: - A model: bytes → raw → DTO → model

extension Route
where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw: RawBody {
    /// Reads a resource: safe, idempotent (RFC 9110 §9.3.1).
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds to a resource, or performs another action that the server defines (RFC 9110 §9.3.3).
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces a resource: idempotent (RFC 9110 §9.3.4).
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of a resource (RFC 5789).
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes a resource: idempotent (RFC 9110 §9.3.5).
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests only the status and the headers (RFC 9110 §9.3.2).
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Returns a verb for any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<Response.DTO, Response>.twoLayers())
    }
}

// MARK: - An entry, JSON or bytes: the lower layer alone, or none

// These verbs are disfavored, so that a type that is both an entry and a model is mapped through both layers.
extension Route where Response: RawDecodable, Response.Raw: RawBody {
    /// Reads a resource: safe, idempotent (RFC 9110 §9.3.1).
    @_disfavoredOverload
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds to a resource, or performs another action that the server defines (RFC 9110 §9.3.3).
    @_disfavoredOverload
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces a resource: idempotent (RFC 9110 §9.3.4).
    @_disfavoredOverload
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of a resource (RFC 5789).
    @_disfavoredOverload
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes a resource: idempotent (RFC 9110 §9.3.5).
    @_disfavoredOverload
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests only the status and the headers (RFC 9110 §9.3.2).
    @_disfavoredOverload
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Returns a verb for any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    @_disfavoredOverload
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<Response, Response>.oneLayer())
    }
}

// MARK: - Text

// The response is the whole body as text. Use a `Route<Json>` to read a JSON string.
extension Route where Response == String {
    /// Reads a resource: safe, idempotent (RFC 9110 §9.3.1).
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds to a resource, or performs another action that the server defines (RFC 9110 §9.3.3).
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces a resource: idempotent (RFC 9110 §9.3.4).
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of a resource (RFC 5789).
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes a resource: idempotent (RFC 9110 §9.3.5).
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests only the status and the headers (RFC 9110 §9.3.2).
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Returns a verb for any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<String, String>.text())
    }
}

// MARK: - The status only

extension Route where Response == Void {
    /// Reads a resource: safe, idempotent (RFC 9110 §9.3.1).
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds to a resource, or performs another action that the server defines (RFC 9110 §9.3.3).
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces a resource: idempotent (RFC 9110 §9.3.4).
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of a resource (RFC 5789).
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes a resource: idempotent (RFC 9110 §9.3.5).
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests only the status and the headers (RFC 9110 §9.3.2).
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Returns a verb for any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<NoContent, Void>.statusOnly())
    }
}

// MARK: - A type that no layer can make

@available(
    *,
    unavailable,
    message:
        "Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)"
)
extension Route {
    /// Unavailable for this response type.
    @_disfavoredOverload
    public static var get: RouteVerb<Response> { unmappable }
    /// Unavailable for this response type.
    @_disfavoredOverload
    public static var post: RouteVerb<Response> { unmappable }
    /// Unavailable for this response type.
    @_disfavoredOverload
    public static var put: RouteVerb<Response> { unmappable }
    /// Unavailable for this response type.
    @_disfavoredOverload
    public static var patch: RouteVerb<Response> { unmappable }
    /// Unavailable for this response type.
    @_disfavoredOverload
    public static var delete: RouteVerb<Response> { unmappable }
    /// Unavailable for this response type.
    @_disfavoredOverload
    public static var head: RouteVerb<Response> { unmappable }
    /// Unavailable for this response type.
    @_disfavoredOverload
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { unmappable }

    private static var unmappable: RouteVerb<Response> {
        RouteVerb(method: .get, stages: TypedStages<Response, Response>.unavailable(for: Endpoint(.get, "")))
    }
}
