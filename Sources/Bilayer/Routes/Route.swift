/// An endpoint, bound at compile time to the type that it answers with.
///
/// Declare the endpoints of a server as static members, so that a call reads `client.fetch(.users)` and asking for
/// another type does not compile:
///
/// ```swift
/// extension Route where Response == [User] {                              // two layers: [UserEntry] becomes [User]
///     static var users: Route { .get("users") }
///     static func users(olderThan age: Int) -> Route { .get("users", query: ["older_than": age]) }
/// }
/// extension Route where Response == Photo {                               // the body goes down both layers, too
///     static func add(_ photo: Photo, to user: Int) -> Route {
///         .post("users/{id}/photos", ["id": user], body: photo)
///     }
/// }
/// extension Route where Response == [UserEntry] { static var entries: Route { .get("users") } }    // one layer
/// extension Route where Response == Json { static var health: Route { .get("health") } }           // no layer
/// ```
///
/// `Response` is a model (``DTODecodable``), an entry (``RawDecodable``, ``Json`` and `Data` among them), `String` for
/// a body of text, or `Void`; arrays, optionals, sets and dictionaries of models and entries as well. For any other
/// type give the stages yourself with ``init(_:headers:rawMapping:)``.
public struct Route<Response: Sendable>: Sendable {
    /// What is asked for: method, path, arguments, query.
    public var endpoint: Endpoint
    /// Headers of this route alone; they win over the client's.
    public var headers: HTTPHeaders
    /// How long the transport may wait for the next byte (``HTTPRequest/timeout``); `nil` for the client's.
    public var timeout: Duration?
    /// How strict the mapping of this route's answers is; `nil` for the client's.
    public var mappingPolicy: MappingPolicy?
    /// How this endpoint spells what `Codable` entries leave open; `nil` for the client's.
    public var conventions: CodingConventions?
    /// Nodes for the request of this route; they run before the client's.
    public var request = NodeList<HTTPRequest>()
    /// Nodes for the JSON that this route is answered with; they run after the client's.
    public var raw = NodeList<Json>()

    let body: RouteBody?
    var failure: AnyNode<HTTPResponse, any Sendable>?
    var stages: any ResponseStages<Response>

    init(_ endpoint: Endpoint, headers: HTTPHeaders, body: RouteBody?, stages: any ResponseStages<Response>) {
        self.endpoint = endpoint
        self.endpoint.response = ResponseType(type: Response.self)
        self.headers = headers
        self.body = body
        self.stages = stages
    }
}

extension Route {
    /// Returns a copy of the route with headers of its own.
    /// - Parameter headers: They replace the route's headers of the same name.
    /// - Returns: The changed route.
    public func with(headers: HTTPHeaders) -> Route {
        var route = self
        route.headers = route.headers.replacing(with: headers)
        return route
    }

    /// Returns a copy of the route with a ``timeout`` of its own.
    public func with(timeout: Duration) -> Route {
        var route = self
        route.timeout = timeout
        return route
    }

    /// Returns a copy of the route with a policy of its own: a feed that may lose elements, a payment that may not.
    ///
    /// ```swift
    /// let users = Route<[User]>.users.with(mappingPolicy: .salvaging)
    /// ```
    /// A call that names a policy wins over the route's.
    public func with(mappingPolicy: MappingPolicy) -> Route {
        var route = self
        route.mappingPolicy = mappingPolicy
        return route
    }

    /// Returns a copy of the route with conventions of its own: for an endpoint whose dates differ from those of the
    /// others.
    public func with(conventions: CodingConventions) -> Route {
        var route = self
        route.conventions = conventions
        return route
    }

    /// Returns a copy of the route whose server describes failures as an entry. The ``CallError`` of a status other
    /// than 2xx then carries the value.
    ///
    /// ```swift
    /// let route = Route<Order>.get("orders/{id}", ["id": 42]).failing(with: ProblemEntry.self)
    /// // later: error.failure(as: ProblemEntry.self)?.title
    /// ```
    @_disfavoredOverload
    public func failing<Failure>(with type: Failure.Type) -> Route
    where Failure: RawDecodable & Sendable, Failure.Raw: RawBody {
        failing(ParseBody<Failure.Raw>().then(MapRaw<Failure>()))
    }

    /// Returns a copy of the route whose server describes failures as an entry that becomes a model of the app.
    public func failing<Failure>(with type: Failure.Type) -> Route
    where Failure: DTODecodable & Sendable, Failure.DTO: RawDecodable & Sendable, Failure.DTO.Raw: RawBody {
        failing(ParseBody<Failure.DTO.Raw>().then(MapRaw<Failure.DTO>()).then(ConvertDTO<Failure>()))
    }

    private func failing<Failure: Sendable>(_ node: some Node<HTTPResponse, Failure>) -> Route {
        var route = self
        route.failure = AnyNode(node.then { failure, _ in failure as any Sendable })
        return route
    }
}
