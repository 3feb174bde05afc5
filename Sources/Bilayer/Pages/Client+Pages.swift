extension Client {
    /// The pages of a route whose response is a list.
    ///
    /// ```swift
    /// let pages = client.pages(of: .users, by: .cursor(at: "meta.next", as: "cursor"))
    /// for try await user in pages.elements { print(user.name) }
    /// ```
    /// Each page is a call of the route, with its settings and those of the client. The strategy replaces query items
    /// of its names, except in the text of the route's path.
    /// - Parameters:
    ///   - route: The endpoint.
    ///   - strategy: How the pages follow each other.
    ///   - state: Where to begin: the position of an earlier iteration.
    ///   - reporter: Receives the mapping issues of these calls, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping of these calls is.
    /// - Returns: The pages. No call is made before the first iteration.
    public func pages<Response: Collection & Sendable>(
        of route: Route<Response>,
        by strategy: PageStrategy,
        from state: PageState = PageState(),
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) -> Pages<Response, Response.Element> where Response.Element: Sendable {
        pages(of: route, by: strategy, from: state, reporter: reporter, mapping: mapping) { Array($0) }
    }

    /// The pages of a route whose response contains a list, for example an ``Enveloped`` one.
    /// - Parameters:
    ///   - route: The endpoint.
    ///   - strategy: How the pages follow each other.
    ///   - state: Where to begin: the position of an earlier iteration.
    ///   - reporter: Receives the mapping issues of these calls, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping of these calls is.
    ///   - elements: The list of a response: `\.value` for an ``Enveloped`` one.
    /// - Returns: The pages. No call is made before the first iteration.
    public func pages<Response: Sendable, Item: Sendable>(
        of route: Route<Response>,
        by strategy: PageStrategy,
        from state: PageState = PageState(),
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil,
        elements: @escaping @Sendable (Response) -> [Item]
    ) -> Pages<Response, Item> {
        let call = PageCall(
            client: self,
            route: route,
            strategy: strategy,
            reporter: reporter,
            mapping: mapping,
            count: { elements($0).count }
        )
        return Pages(call, from: state, items: elements)
    }
}
