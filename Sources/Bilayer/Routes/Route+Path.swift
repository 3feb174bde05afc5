// A route whose response is a part of the JSON: a model, an entry, or what a closure makes of one.

extension Route {
    /// Returns a copy of the route whose response is the value at a path of the JSON, inside of an envelope.
    ///
    /// ```swift
    /// extension Route where Response == [User] {
    ///     static var recent: Route { .get("users/recent").at("result.users") }        // {"result":{"users":[…]}}
    /// }
    /// ```
    /// Only the path of the entry changes: the conversion, the nodes and the settings of the route stay. Errors and
    /// issues of both layers have whole paths: `$.result.users[3].name`. Under a policy that salvages, a bad element
    /// costs only itself. An optional response is `nil` if nothing is at the path. In a second call the path begins at
    /// the first one: `at("result").at("users")`. A `Route<String>` reads a string of the JSON.
    ///
    /// If the rest of the envelope is needed, too, see ``at(_:in:)``; if all responses have the envelope, take it off
    /// in a node of the client (``Client/raw``).
    ///
    /// A call without a part of JSON is a ``RouteError`` before anything is sent. That is a call with a text that is no
    /// path, a response of another format or status only, or a custom raw mapping. A GraphQL operation names its field
    /// by ``graphQL(_:at:key:by:headers:)``.
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

    /// Returns a route whose response is the value at a path of the JSON, together with what is around it.
    ///
    /// Paths, policies and errors are as for ``at(_:)``. The envelope is an entry, read from the whole JSON; a key that
    /// only the path reads is not unknown to it.
    /// - Parameters:
    ///   - path: Keys and indices, as ``Json/path(_:)`` reads them.
    ///   - type: The entry for the rest of the JSON: paging, counts, links.
    /// - Returns: The route, with the conversion and the nodes of this one.
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

    /// A route whose calls fail before the request is sent.
    private func refusing<Value>(_ refusal: PathRefusal, to route: Route<Value>) -> Route<Value> {
        let endpoint = endpoint
        return route.adding(
            request: AnyNode(named: "CheckPath") { _, _ in throw RouteError(refusal.reason, in: endpoint) }
        )
    }
}

extension JsonPath {
    /// The path of a response, from the source code.
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
