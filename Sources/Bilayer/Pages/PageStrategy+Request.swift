import Foundation

extension PageStrategy {
    /// The route to the page at a position.
    /// - Throws: ``PageError`` if the position is of another strategy, or if its link may not be followed.
    func route<Response>(_ route: Route<Response>, to state: PageState, from baseURL: URL) throws -> Route<Response> {
        var route = route
        switch (kind, state.position) {
        case (.offset(let name, let start, let limit, let limitName), let position):
            route.endpoint.query.set(try number(in: position, state, route.endpoint) ?? start, for: name)
            if let limit { route.endpoint.query.set(limit, for: limitName) }
        case (.number(let name, let first, let size, let sizeName), let position):
            route.endpoint.query.set(try number(in: position, state, route.endpoint) ?? first, for: name)
            if let size { route.endpoint.query.set(size, for: sizeName) }
        case (.cursor(_, let name), .cursor(let cursor)): route.endpoint.query.set(cursor, for: name)
        case (.linkField, .link(let link)), (.linkMember, .link(let link)):
            route.follow(try checked(link, state, route.endpoint, baseURL))
        case (_, .start): break
        case (_, .repeated): throw PageError(.repeatedCursor, before: state, of: route.endpoint)
        default: throw PageError(.foreignState, before: state, of: route.endpoint)
        }
        return route
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
        return url
    }
}

extension QueryItems {
    /// Replaces all items of a name by one.
    fileprivate mutating func set(_ value: some RouteArgument, for name: String) {
        var query = QueryItems()
        for item in items where item.name != name { query.append(item.value, for: item.name) }
        query.append(value, for: name)
        self = query
    }
}

extension Route {
    /// Sends the request to an address. The nodes of the route and the client run after that.
    fileprivate mutating func follow(_ url: URL) {
        var nodes = NodeList<HTTPRequest>()
        nodes.append { request, _ in
            var request = request
            request.url = url
            return request
        }
        if let node = request.node { nodes.append(node) }
        request = nodes
    }
}
