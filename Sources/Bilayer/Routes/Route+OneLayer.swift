// Routes that answer with an entry, with JSON or with bytes: the lower layer alone, or none. A type that is an entry
// and a model at once goes through both layers.
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
    /// Asks for status and headers alone (RFC 9110 §9.3.2).
    @_disfavoredOverload
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    @_disfavoredOverload
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<Response, Response>.oneLayer())
    }
}
