// A type that no layer knows: the compiler's own words for it would not help, so these say what is asked for.

extension Route {
    /// Not for this response.
    @available(
        *,
        unavailable,
        message:
            "Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)"
    )
    @_disfavoredOverload
    public static var get: RouteVerb<Response> { unmappable }

    /// Not for this response.
    @available(
        *,
        unavailable,
        message:
            "Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)"
    )
    @_disfavoredOverload
    public static var post: RouteVerb<Response> { unmappable }

    /// Not for this response.
    @available(
        *,
        unavailable,
        message:
            "Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)"
    )
    @_disfavoredOverload
    public static var put: RouteVerb<Response> { unmappable }

    /// Not for this response.
    @available(
        *,
        unavailable,
        message:
            "Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)"
    )
    @_disfavoredOverload
    public static var patch: RouteVerb<Response> { unmappable }

    /// Not for this response.
    @available(
        *,
        unavailable,
        message:
            "Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)"
    )
    @_disfavoredOverload
    public static var delete: RouteVerb<Response> { unmappable }

    /// Not for this response.
    @available(
        *,
        unavailable,
        message:
            "Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)"
    )
    @_disfavoredOverload
    public static var head: RouteVerb<Response> { unmappable }

    private static var unmappable: RouteVerb<Response> {
        RouteVerb(
            method: .get,
            stages: TypedStages<Response, Response>.unavailable(for: Endpoint(.get, ""))
        )
    }
}
