extension Client {
    /// Returns the pages of a route whose response is a list.
    ///
    /// ```swift
    /// let pages = client.pages(of: .users, by: .cursor(at: "meta.next", as: "cursor"))
    /// for try await user in pages.elements { print(user.name) }
    /// ```
    /// Each page is a call of the route, with the route's settings and the client's settings. A query item of the
    /// strategy replaces the route's query items of the same name. It does not replace query items that are written in
    /// the text of the route's path.
    /// - Parameters:
    ///   - route: The route to call.
    ///   - strategy: How to find the next page.
    ///   - state: The position to begin at, for example a position that an earlier iteration saved.
    ///   - reporter: Receives the mapping issues of these calls, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping of these calls is, instead of the route's and the client's policy.
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

    /// Returns the pages of a route whose response contains a list, for example an ``Enveloped`` response.
    /// - Parameters:
    ///   - route: The route to call.
    ///   - strategy: How to find the next page.
    ///   - state: The position to begin at, for example a position that an earlier iteration saved.
    ///   - reporter: Receives the mapping issues of these calls, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping of these calls is, instead of the route's and the client's policy.
    ///   - elements: Returns the list of a response, for example `\.value` of an ``Enveloped`` response.
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
