/// An HTTP method that is called like a function to make a route, such as `.get` in `.get("users")`.
///
/// Its arguments are the path, the path's arguments, the query, the headers and the body. All but the path can be left
/// out:
///
/// ```swift
/// let users: Route<[User]> = .get("users")
/// let photos: Route<[Photo]> = .get("users/{id}/photos", ["id": 7], query: ["page": 2])
/// let added: Route<Photo> = .post("users/{id}/photos", ["id": 7], body: photo)
/// ```
public struct RouteVerb<Response: Sendable>: Sendable {
    let method: HTTPMethod
    let stages: any ResponseStages<Response>

    /// Makes a route that sends no body.
    /// - Parameters:
    ///   - path: The path below the client's base address, with a `{name}` for each argument.
    ///   - arguments: The arguments for the path.
    ///   - query: The query items.
    ///   - headers: Headers of this route alone.
    /// - Returns: The route.
    public func callAsFunction(
        _ path: String,
        _ arguments: PathArguments = [:],
        query: QueryItems = [:],
        headers: HTTPHeaders = [:]
    ) -> Route<Response> {
        route(path, arguments, query, headers, body: nil)
    }

    /// Makes a route that sends a model, converted through both layers.
    /// - Parameters:
    ///   - path: The path below the client's base address, with a `{name}` for each argument.
    ///   - arguments: The arguments for the path.
    ///   - query: The query items.
    ///   - headers: Headers of this route alone.
    ///   - body: The model.
    /// - Returns: The route.
    public func callAsFunction<Body: DTOEncodable & Sendable>(
        _ path: String,
        _ arguments: PathArguments = [:],
        query: QueryItems = [:],
        headers: HTTPHeaders = [:],
        body: Body
    ) -> Route<Response> where Body.DTO: RawEncodable & Sendable, Body.DTO.Raw: RawBody {
        route(path, arguments, query, headers, body: RouteBody(model: body))
    }

    /// Makes a route that sends an entry, JSON or bytes.
    /// - Parameters:
    ///   - path: The path below the client's base address, with a `{name}` for each argument.
    ///   - arguments: The arguments for the path.
    ///   - query: The query items.
    ///   - headers: Headers of this route alone.
    ///   - body: The entry, ``Json`` or `Data`.
    /// - Returns: The route.
    @_disfavoredOverload
    public func callAsFunction<Body: RawEncodable & Sendable>(
        _ path: String,
        _ arguments: PathArguments = [:],
        query: QueryItems = [:],
        headers: HTTPHeaders = [:],
        body: Body
    ) -> Route<Response> where Body.Raw: RawBody {
        route(path, arguments, query, headers, body: RouteBody(entry: body))
    }

    /// Makes a route that sends a ``RouteBody``: a form, text, parts or another body that is made from a value.
    ///
    /// ```swift
    /// let route: Route<Json> = .post("sign-up", body: .form(["name": "Ada"]))
    /// ```
    /// - Parameters:
    ///   - path: The path below the client's base address, with a `{name}` for each argument.
    ///   - arguments: The arguments for the path.
    ///   - query: The query items.
    ///   - headers: Headers of this route alone. A `Content-Type` here replaces the media type of the body.
    ///   - body: The body.
    /// - Returns: The route.
    public func callAsFunction(
        _ path: String,
        _ arguments: PathArguments = [:],
        query: QueryItems = [:],
        headers: HTTPHeaders = [:],
        body: RouteBody
    ) -> Route<Response> {
        route(path, arguments, query, headers, body: Optional(body))
    }

    /// Unavailable for this type of body.
    @available(
        *,
        unavailable,
        message:
            "The body must be a model (DTOEncodable, its DTO RawEncodable), an entry (RawEncodable: add RawMappable to a Codable type), Json (write `as Json` after a literal), Data, or a RouteBody such as .json(_:)"
    )
    @_disfavoredOverload
    public func callAsFunction<Body>(
        _ path: String,
        _ arguments: PathArguments = [:],
        query: QueryItems = [:],
        headers: HTTPHeaders = [:],
        body: Body
    ) -> Route<Response> {
        route(path, arguments, query, headers, body: nil)
    }

    private func route(
        _ path: String,
        _ arguments: PathArguments,
        _ query: QueryItems,
        _ headers: HTTPHeaders,
        body: RouteBody?
    ) -> Route<Response> {
        Route(
            Endpoint(method, path, arguments: arguments, query: query),
            headers: headers,
            body: body,
            stages: stages
        )
    }
}

extension RouteVerb: Redacted {
    /// The method and the response's type: `GET -> Optional<User>`.
    public var description: String { "\(method) -> \(typeName(Response.self))" }
}
