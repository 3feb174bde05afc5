extension Client {
    /// Makes the call of a route with a cache policy.
    ///
    /// ```swift
    /// let users = try await client.fetch(.users, cache: .networkElseCache)
    /// ```
    /// The policy needs an ``HTTPCache`` around the transport. ``CachePolicy/cacheOnly`` also has an effect without
    /// one.
    /// - Parameters:
    ///   - route: The endpoint.
    ///   - policy: When the call uses stored responses, instead of the route's and the client's policy.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The route's response.
    /// - Throws: ``CallError``, which contains a ``CacheMissError`` if nothing is stored for ``CachePolicy/cacheOnly``,
    ///   or `CancellationError` when the calling task was cancelled.
    public func fetch<Response>(
        _ route: Route<Response>,
        cache policy: CachePolicy,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> Response {
        try await fetch(route.with(option: policy), reporter: reporter, mapping: mapping)
    }

    /// Makes the call of a route with a cache policy, and returns the value with the HTTP response.
    ///
    /// The ``HTTPResponse/cacheStatus`` of the response says where it came from.
    /// - Parameters:
    ///   - route: The endpoint.
    ///   - policy: When the call uses stored responses, instead of the route's and the client's policy.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The route's response, and the HTTP response.
    /// - Throws: ``CallError``, or `CancellationError` when the calling task was cancelled.
    @discardableResult
    public func send<Response>(
        _ route: Route<Response>,
        cache policy: CachePolicy,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> Answer<Response> {
        try await send(route.with(option: policy), reporter: reporter, mapping: mapping)
    }

    /// Returns the stored value of a route and then the server's value, for a screen that shows something at once.
    ///
    /// ```swift
    /// for try await users in client.values(of: .users, cache: .cacheThenNetwork) { print(users.count) }
    /// ```
    /// - Parameters:
    ///   - route: The endpoint.
    ///   - updates: Whether the server's value follows if it equals the stored one.
    ///   - reporter: Receives the mapping issues of both calls, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping of both calls is, instead of the route's and the client's policy.
    /// - Returns: A sequence of one or two values. See ``CachedValues``.
    public func values<Response>(
        of route: Route<Response>,
        cache updates: CacheUpdates,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) -> CachedValues<Response> {
        CachedValues(client: self, route: route, updates: updates, reporter: reporter, mapping: mapping)
    }
}
