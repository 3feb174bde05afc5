// The verbs by which routes are made: the same seven for each kind of response. A kind differs in the stages that its
// verbs bind to the route, so the compiler chooses them by the type of the response. A type that is of no kind has its
// own seven, which say so.

// MARK: - A model: bytes → raw → DTO → model

extension Route
where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw: RawBody {
    /// Reads something: safe, repeatable (RFC 9110 §9.3.1).
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds something, or whatever else the server defines (RFC 9110 §9.3.3).
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces something: repeatable (RFC 9110 §9.3.4).
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of something (RFC 5789).
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes something: repeatable (RFC 9110 §9.3.5).
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests the status and the headers alone (RFC 9110 §9.3.2).
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<Response.DTO, Response>.twoLayers())
    }
}

// MARK: - An entry, JSON or bytes: the lower layer alone, or none

// A type that is an entry and a model at once goes through both layers.
extension Route where Response: RawDecodable, Response.Raw: RawBody {
    /// Reads something: safe, repeatable (RFC 9110 §9.3.1).
    @_disfavoredOverload
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds something, or whatever else the server defines (RFC 9110 §9.3.3).
    @_disfavoredOverload
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces something: repeatable (RFC 9110 §9.3.4).
    @_disfavoredOverload
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of something (RFC 5789).
    @_disfavoredOverload
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes something: repeatable (RFC 9110 §9.3.5).
    @_disfavoredOverload
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests the status and the headers alone (RFC 9110 §9.3.2).
    @_disfavoredOverload
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    @_disfavoredOverload
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<Response, Response>.oneLayer())
    }
}

// MARK: - Text

// The body is taken as it is; a JSON string is read with a `Route<Json>`.
extension Route where Response == String {
    /// Reads something: safe, repeatable (RFC 9110 §9.3.1).
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds something, or whatever else the server defines (RFC 9110 §9.3.3).
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces something: repeatable (RFC 9110 §9.3.4).
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of something (RFC 5789).
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes something: repeatable (RFC 9110 §9.3.5).
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests the status and the headers alone (RFC 9110 §9.3.2).
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<String, String>.text())
    }
}

// MARK: - Nothing but the status

extension Route where Response == Void {
    /// Reads something: safe, repeatable (RFC 9110 §9.3.1).
    public static var get: RouteVerb<Response> { verb(.get) }
    /// Adds something, or whatever else the server defines (RFC 9110 §9.3.3).
    public static var post: RouteVerb<Response> { verb(.post) }
    /// Replaces something: repeatable (RFC 9110 §9.3.4).
    public static var put: RouteVerb<Response> { verb(.put) }
    /// Changes a part of something (RFC 5789).
    public static var patch: RouteVerb<Response> { verb(.patch) }
    /// Removes something: repeatable (RFC 9110 §9.3.5).
    public static var delete: RouteVerb<Response> { verb(.delete) }
    /// Requests the status and the headers alone (RFC 9110 §9.3.2).
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<NoContent, Void>.nothing())
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
    /// Not for this response.
    @_disfavoredOverload
    public static var get: RouteVerb<Response> { unmappable }
    /// Not for this response.
    @_disfavoredOverload
    public static var post: RouteVerb<Response> { unmappable }
    /// Not for this response.
    @_disfavoredOverload
    public static var put: RouteVerb<Response> { unmappable }
    /// Not for this response.
    @_disfavoredOverload
    public static var patch: RouteVerb<Response> { unmappable }
    /// Not for this response.
    @_disfavoredOverload
    public static var delete: RouteVerb<Response> { unmappable }
    /// Not for this response.
    @_disfavoredOverload
    public static var head: RouteVerb<Response> { unmappable }
    /// Not for this response.
    @_disfavoredOverload
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { unmappable }

    private static var unmappable: RouteVerb<Response> {
        RouteVerb(method: .get, stages: TypedStages<Response, Response>.unavailable(for: Endpoint(.get, "")))
    }
}
