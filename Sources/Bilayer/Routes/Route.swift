/// An endpoint, bound at compile time to its response type.
///
/// Declare the endpoints of a server as static members. A call is then `client.fetch(.users)`, and another result type
/// does not compile:
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
/// `Response` is a model (``DTODecodable``), an entry (``RawDecodable``, including ``Json`` and `Data`), `String` for a
/// body of text, or `Void`. It can also be an array, optional, set or dictionary of models or entries. For any other
/// type use ``converting(_:)``, or pass the stages to ``init(_:headers:rawMapping:)``.
public struct Route<Response: Sendable>: Sendable {
    /// Method, path, arguments and query.
    public var endpoint: Endpoint
    /// The headers of this route. A field here replaces the client's field of the same name.
    public var headers: HTTPHeaders
    /// The longest time that the transport waits for the next byte (``HTTPRequest/timeout``). `nil` uses the client's
    /// timeout.
    public var timeout: Duration?
    /// How strict the mapping of this route's responses and request bodies is. `nil` uses the client's policy.
    public var mappingPolicy: MappingPolicy?
    /// The endpoint's conventions for keys and formats of `Codable` entries. `nil` uses the client's conventions.
    public var conventions: CodingConventions?
    /// Settings of this route's calls for their nodes and middlewares. An option here replaces the client's option of
    /// the same type.
    public var options = CallOptions()
    /// Nodes for the request of this route. They run before the request nodes of the client.
    public var request = NodeList<HTTPRequest>()
    /// Nodes for the JSON of this route's response. They run after the JSON nodes of the client. They do not run for a
    /// route that reads no JSON or has a custom raw mapping.
    public var raw = NodeList<Json>()

    let body: RouteBody?
    /// Decides whether a response is mapped: if its status is 2xx, or if the route accepts it for another reason.
    /// Decodes the body of any other response as the route's failure type, if it has one.
    var check = CheckStatus()
    var stages: any ResponseStages<Response>

    init(_ endpoint: Endpoint, headers: HTTPHeaders, body: RouteBody?, stages: any ResponseStages<Response>) {
        self.endpoint = endpoint
        self.endpoint.response = ResponseType(type: Response.self)
        self.headers = headers
        self.body = body
        self.stages = stages
    }

    /// Makes a route with the request and the settings of another route, and with other stages for the response.
    init<Other>(_ other: Route<Other>, stages: any ResponseStages<Response>) {
        self.init(other.endpoint, headers: other.headers, body: other.body, stages: stages)
        timeout = other.timeout
        mappingPolicy = other.mappingPolicy
        conventions = other.conventions
        options = other.options
        request = other.request
        raw = other.raw
        check = other.check
    }
}

extension Route {
    /// Returns a copy of the route with more headers.
    /// - Parameter headers: The headers to add. They replace the route's headers of the same name.
    /// - Returns: The changed route.
    public func with(headers: HTTPHeaders) -> Route {
        var route = self
        route.headers = route.headers.replacing(with: headers)
        return route
    }

    /// Returns a copy of the route with this ``timeout``.
    public func with(timeout: Duration) -> Route {
        var route = self
        route.timeout = timeout
        return route
    }

    /// Returns a copy of the route with another mapping policy, for example one that drops invalid elements of a feed.
    ///
    /// ```swift
    /// let users = Route<[User]>.users.with(mappingPolicy: .salvaging)
    /// ```
    /// The policy of a call replaces the policy of the route.
    public func with(mappingPolicy: MappingPolicy) -> Route {
        var route = self
        route.mappingPolicy = mappingPolicy
        return route
    }

    /// Returns a copy of the route with other conventions, for example for an endpoint that has another date format.
    public func with(conventions: CodingConventions) -> Route {
        var route = self
        route.conventions = conventions
        return route
    }

    /// Returns a copy of the route with a setting for the nodes and middlewares of its calls.
    ///
    /// An earlier setting of the same type is replaced.
    public func with(option: some CallOption) -> Route {
        var route = self
        route.options.set(option)
        return route
    }

    /// Returns a copy of the route that decodes the body of a failed response as an entry.
    ///
    /// The ``CallError`` of a status other than 2xx then has the decoded value, if the body can be decoded. If all
    /// routes of a server have the same type of error body, declare it once (`Client.failing(with:)`).
    ///
    /// ```swift
    /// let route = Route<Order>.get("orders/{id}", ["id": 42]).failing(with: ProblemEntry.self)
    /// // later: error.failure(as: ProblemEntry.self)?.title
    /// ```
    @_disfavoredOverload
    public func failing<Failure>(with type: Failure.Type) -> Route
    where Failure: RawDecodable & Sendable, Failure.Raw: RawBody {
        failing(FailureNodes.asEntry(type))
    }

    /// Returns a copy of the route that decodes the body of a failed response as a model.
    public func failing<Failure>(with type: Failure.Type) -> Route
    where Failure: DTODecodable & Sendable, Failure.DTO: RawDecodable & Sendable, Failure.DTO.Raw: RawBody {
        failing(FailureNodes.asModel(type))
    }

    private func failing(_ node: AnyNode<HTTPResponse, any Sendable>) -> Route {
        var route = self
        route.check.failure = node
        return route
    }
}

extension Route: Redacted {
    /// The endpoint's name and the response's type: `GET users/{id} -> Optional<User>`.
    public var description: String { "\(endpoint.name) -> \(typeName(Response.self))" }
}
