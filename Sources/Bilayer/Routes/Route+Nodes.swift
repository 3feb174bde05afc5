// Adds nodes to one route: for its request, its JSON, its entry or its model. The route's nodes are further from the
// transport than the client's nodes: the route's nodes receive the request first and the response last.

extension Route {
    /// Returns a copy of the route with one more node for its request.
    ///
    /// ```swift
    /// let route = Route<Json>.get("report").adding(request: AddHeader("X-Priority", "high"))
    /// ```
    /// - Parameter node: Runs on the complete request, before the client's nodes.
    /// - Returns: The changed route.
    public func adding(request node: some Node<HTTPRequest, HTTPRequest>) -> Route {
        var route = self
        route.request.append(node)
        return route
    }

    /// Returns a copy of the route with one more node for the JSON of its response.
    ///
    /// ```swift
    /// let route = Route<[User]>.get("users").adding(raw: AnyNode { json, _ in json["data"] ?? json })
    /// ```
    /// - Parameter node: Runs between parsing and mapping. It does not run in a route whose raw value is not ``Json``,
    ///   or that has a custom raw mapping.
    /// - Returns: The changed route.
    public func adding(raw node: some Node<Json, Json>) -> Route {
        var route = self
        route.raw.append(node)
        return route
    }

    /// Returns a copy of the route with one more node for its model.
    /// - Parameter node: Runs last, after the client's nodes. If the changed route is converted further, for example by
    ///   ``converting(_:)``, the node runs before that conversion.
    /// - Returns: The changed route.
    public func adding(model node: some Node<Response, Response>) -> Route {
        var route = self
        route.stages.model.append(node)
        return route
    }
}

extension Route
where Response: DTODecodable, Response.DTO: RawDecodable & Sendable, Response.DTO.Raw: RawBody {
    /// Returns a copy of the route with one more node for its entry.
    ///
    /// ```swift
    /// let route = Route<[User]>.get("users")
    ///     .adding(entry: AnyNode { entries, _ in entries.filter { $0.name != nil } })
    /// ```
    /// If the node removes or moves entries, the errors of the models have the indices of the list that it returns.
    /// - Parameter node: Runs between raw mapping and DTO conversion. If the route reads another entry type, its calls
    ///   send the request, and then throw a ``CallError`` whose underlying error is a ``RouteError``.
    /// - Returns: The changed route.
    public func adding(entry node: some Node<Response.DTO, Response.DTO>) -> Route {
        var route = self
        var stages = stages as? TypedStages<Response.DTO, Response> ?? .unavailable(for: endpoint)
        stages.entry.append(node)
        route.stages = stages
        return route
    }
}
