extension Route {
    /// Makes a route with custom mapping stages.
    ///
    /// Choose it for types that are neither models nor entries, such as generated types, and for formats without a raw
    /// value:
    ///
    /// ```swift
    /// extension Route where Response == Forecast {                         // a generated type, no conformance needed
    ///     static var forecast: Route {
    ///         Route(
    ///             Endpoint(.get, "forecast"),
    ///             rawMapping: ParseJson().then { json, _ in try json.decode(Forecast.self) })
    ///     }
    /// }
    /// ```
    /// The check of the status runs before the stages, as for every route.
    /// - Parameters:
    ///   - endpoint: Method, path, arguments and query.
    ///   - headers: Headers of this route alone.
    ///   - rawMapping: Makes the route's response from the HTTP response.
    public init(
        _ endpoint: Endpoint,
        headers: HTTPHeaders = [:],
        rawMapping: some Node<HTTPResponse, Response>
    ) {
        self.init(endpoint, headers: headers, rawMapping: rawMapping, dtoConversion: Identity<Response>())
    }

    /// Makes a route with custom mapping stages and a DTO between them.
    /// - Parameters:
    ///   - endpoint: Method, path, arguments and query.
    ///   - headers: Headers of this route alone.
    ///   - rawMapping: Makes the DTO from the HTTP response.
    ///   - dtoConversion: Makes the route's response from the DTO.
    public init<Entry: Sendable>(
        _ endpoint: Endpoint,
        headers: HTTPHeaders = [:],
        rawMapping: some Node<HTTPResponse, Entry>,
        dtoConversion: some Node<Entry, Response>
    ) {
        self.init(endpoint, headers: headers, body: nil, stages: TypedStages(rawMapping, dtoConversion))
    }
}

extension Route
where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw: RawBody {
    /// Returns a copy of the route that decodes the response with `rawMapping`: for an envelope, or another format.
    ///
    /// ```swift
    /// let unwrapped = ParseJson().then { json, _ in json["data"] ?? json }
    /// let route = Route<[User]>.get("users").replacing(rawMapping: unwrapped.then(MapRaw<[UserEntry]>()))
    /// ```
    /// The route's nodes for the model stay. Its nodes for the entry, and a closure that converts the entry
    /// (``converting(_:)``), stay only if the entry is a `Response.DTO`. All nodes for the raw value, also those of the
    /// client, no longer run.
    /// - Parameter rawMapping: Makes the DTO from the HTTP response. The check of the status still runs before it.
    /// - Returns: The changed route.
    public func replacing(rawMapping: some Node<HTTPResponse, Response.DTO>) -> Route {
        var route = self
        route.stages = TypedStages(rawMapping, ConvertDTO<Response>()).replacing(stages)
        return route
    }
}

extension Route where Response: RawDecodable, Response.Raw: RawBody {
    /// Returns a copy of the route that decodes the response with `rawMapping`: for an envelope, or another format.
    ///
    /// The route's nodes for the response stay (``adding(model:)``). All nodes for the raw value, also those of the
    /// client, no longer run.
    /// - Parameter rawMapping: Makes the entry from the HTTP response. The check of the status still runs before it.
    /// - Returns: The changed route.
    @_disfavoredOverload
    public func replacing(rawMapping: some Node<HTTPResponse, Response>) -> Route {
        var route = self
        route.stages = TypedStages(rawMapping, Identity<Response>()).replacing(stages)
        return route
    }
}
