import Foundation

extension PageStrategy {
    /// Returns a route that requests the page at a position.
    /// - Throws: ``PageError`` if a path of the strategy is not valid. ``PageError`` also if the position is of another
    ///   kind of strategy, repeats a cursor or link, or has a link that may not be followed.
    func route<Response>(_ route: Route<Response>, to state: PageState, from baseURL: URL) throws -> Route<Response> {
        guard paths.allSatisfy({ JsonPath($0) != nil }) else {
            throw PageError(.invalidPath, before: state, of: route.endpoint)
        }
        var route = route
        switch (kind, state.position) {
        case (.offset(let name, let start, let limit, let limitName), let position):
            route.endpoint.query.set(try number(in: position, state, route.endpoint) ?? start, for: name)
            if let limit { route.endpoint.query.set(limit, for: limitName) }
        case (.number(let name, let first, let size, let sizeName), let position):
            route.endpoint.query.set(try number(in: position, state, route.endpoint) ?? first, for: name)
            if let size { route.endpoint.query.set(size, for: sizeName) }
        case (.cursor(_, let name), .cursor(let cursor)), (.cursor(_, let name), .numericCursor(let cursor)):
            route.endpoint.query.set(cursor, for: name)
        case (.bodyCursor(_, let destination, _), .cursor(let cursor)): route.send(Json(cursor), at: destination)
        case (.bodyCursor(_, let destination, _), .numericCursor(let cursor)):
            route.send(try? Json(parsing: cursor), at: destination)
        case (.linkField, .link(let link)), (.linkMember, .link(let link)):
            route.follow(try checked(link, state, route.endpoint, baseURL))
        case (_, .start): break
        case (_, .repeated): throw PageError(.repeatedCursor, before: state, of: route.endpoint)
        default: throw PageError(.foreignState, before: state, of: route.endpoint)
        }
        return route
    }

    /// All paths of the strategy: those in the JSON of a page, and those in the JSON of a request.
    private var paths: [String] {
        let ofTotal: [String] = if case .member(let path) = total?.source { [path] } else { [] }
        return switch kind {
        case .cursor(let path, _), .linkMember(let path): [path] + ofTotal
        case .bodyCursor(let path, let destination, let flag):
            [path, destination] + (flag.map { [$0] } ?? []) + ofTotal
        case .offset, .number, .linkField: ofTotal
        }
    }

    private func number(in position: PageState.Position, _ state: PageState, _ route: Endpoint) throws -> Int? {
        switch (kind, position) {
        case (_, .start): return nil
        case (.offset, .offset(let number)), (.number, .number(let number)): return number
        default: throw PageError(.foreignState, before: state, of: route)
        }
    }

    private func checked(_ link: String, _ state: PageState, _ route: Endpoint, _ baseURL: URL) throws -> URL {
        guard let url = URL(string: link), url.scheme != nil, url.host() != nil else {
            throw PageError(.invalidLink, before: state, of: route)
        }
        guard ([baseURL] + allowedOrigins).contains(where: url.hasSameOrigin) else {
            throw PageError(.foreignOrigin, before: state, of: route)
        }
        return url.withUser(of: baseURL)
    }
}

extension URL {
    /// Returns this address with the user and password of the base address. Returns the address unchanged if it has
    /// another origin than the base address, or a user of its own.
    fileprivate func withUser(of base: URL) -> URL {
        guard hasSameOrigin(as: base), user() == nil, let user = base.user(percentEncoded: true),
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.percentEncodedUser = user
        parts.percentEncodedPassword = base.password(percentEncoded: true)
        return parts.url ?? self
    }
}

extension QueryItems {
    /// Replaces all items that have the name by one item.
    fileprivate mutating func set(_ value: some RouteArgument, for name: String) {
        var query = QueryItems()
        for item in items where item.name != name { query.append(item.value, for: item.name) }
        query.append(value, for: name)
        self = query
    }
}

extension Route {
    /// Makes the route send its request to the address.
    fileprivate mutating func follow(_ url: URL) {
        changeFirst { request, _ in
            var request = request
            request.url = url
            return request
        }
    }

    /// Makes the route send the cursor in the JSON of its body.
    fileprivate mutating func send(_ cursor: Json?, at destination: String) {
        let endpoint = endpoint
        changeFirst { request, _ in
            guard var body = request.body?.data.flatMap({ try? Json(parsing: $0) }), body.kind == .object,
                let path = JsonPath(destination), let cursor, body.set(cursor, at: path)
            else {
                let reason = "found a body without a container for the cursor, expected one at \(destination)"
                throw RouteError(reason, in: endpoint)
            }
            var request = request
            request.body = .data(body.serialized())
            return request
        }
    }

    /// Adds a change of the request that runs before the request nodes of the route and the client.
    private mutating func changeFirst(
        _ change: @escaping @Sendable (HTTPRequest, CallContext) async throws -> HTTPRequest
    ) {
        var nodes = NodeList<HTTPRequest>()
        nodes.append(change)
        if let node = request.node { nodes.append(node) }
        request = nodes
    }
}
