// Routes whose response is a part of the JSON: a model, an entry, or a value that a conversion closure makes from an
// entry.

extension Route {
    /// Returns a copy of the route whose response is the value at a path of the JSON, inside of an envelope.
    ///
    /// ```swift
    /// extension Route where Response == [User] {
    ///     static var recent: Route { .get("users/recent").at("result.users") }        // {"result":{"users":[…]}}
    /// }
    /// ```
    /// Only the path of the entry changes: the conversion, the nodes and the settings of the route stay. Errors and
    /// issues of both layers have whole paths: `$.result.users[3].name`. With ``MappingPolicy/salvaging`` an invalid
    /// element of an array is left out, and the other elements stay. An optional response is `nil` if nothing is at the
    /// path. A second call continues the path of the first: `at("result").at("users")`. A `Route<String>` reads the
    /// JSON string at the path.
    ///
    /// Use ``at(_:in:)`` if the app also needs the rest of the envelope. If all responses have the envelope, remove it
    /// in a node of the client (``Client/raw``).
    ///
    /// In five cases, calls of the route send nothing, and throw a ``CallError`` with a ``RouteError`` as its
    /// underlying error: `path` is not a valid path, the route reads neither JSON nor text, it has a custom raw
    /// mapping, ``keepingErrors()`` was called before, or it runs a GraphQL operation. For a GraphQL operation, name
    /// the field in ``graphQL(_:at:key:by:headers:)`` instead.
    /// - Parameter path: Keys and indices, as ``Json/path(_:)`` reads them.
    /// - Returns: The changed route.
    public func at(_ path: String) -> Route {
        do {
            var route = self
            route.stages = try stages.at(JsonPath(ofResponse: path))
            return route
        } catch {
            return refusing(error, to: self)
        }
    }

    /// Returns a route whose response is the value at a path of the JSON, together with the envelope around it.
    ///
    /// Paths, policies and errors are as for ``at(_:)``. The envelope is an entry that is read from the whole JSON, or
    /// from the value at the path of an earlier ``at(_:)``. The search for unknown keys of the envelope leaves out the
    /// value at the path.
    /// - Parameters:
    ///   - path: Keys and indices, as ``Json/path(_:)`` reads them.
    ///   - type: The entry for the rest of the JSON: paging, counts, links.
    /// - Returns: The route, with the conversion and the nodes of this route.
    public func at<Envelope: RawDecodable & Sendable>(
        _ path: String,
        in type: Envelope.Type
    ) -> Route<Enveloped<Response, Envelope>> where Envelope.Raw == Json {
        do {
            return Route<Enveloped<Response, Envelope>>(
                self,
                stages: try stages.enveloped(in: type, at: JsonPath(ofResponse: path))
            )
        } catch {
            let none = TypedStages<NoContent, Enveloped<Response, Envelope>>.unavailable(for: endpoint)
            return refusing(error, to: Route<Enveloped<Response, Envelope>>(self, stages: none))
        }
    }

    /// Returns a copy of `route` whose request nodes throw a ``RouteError``, so that no request is sent.
    private func refusing<Value>(_ refusal: PathRefusal, to route: Route<Value>) -> Route<Value> {
        let endpoint = endpoint
        return route.adding(
            request: AnyNode(named: "CheckPath") { _, _ in throw RouteError(refusal.reason, in: endpoint) }
        )
    }
}

extension JsonPath {
    /// Parses a path that the app's code has passed to `at(_:)`.
    fileprivate init(ofResponse text: String) throws(PathRefusal) {
        guard let path = JsonPath(text) else {
            throw PathRefusal("found \"\(text)\", expected the path of the response")
        }
        self = path
    }
}

extension ResponseStages {
    fileprivate func at(_ path: JsonPath) throws(PathRefusal) -> Self {
        var stages = self
        stages.rawMapping = try rawMapping.reading(at: path)
        return stages
    }
}
