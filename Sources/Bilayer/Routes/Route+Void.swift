// Routes whose answer has nothing to tell but its status.
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
    /// Asks for status and headers alone (RFC 9110 §9.3.2).
    public static var head: RouteVerb<Response> { verb(.head) }
    /// Any other method: `.method("PURGE")("cache/{key}", ["key": key])`.
    public static func method(_ method: HTTPMethod) -> RouteVerb<Response> { verb(method) }

    private static func verb(_ method: HTTPMethod) -> RouteVerb<Response> {
        RouteVerb(method: method, stages: TypedStages<NoContent, Void>.nothing())
    }
}
