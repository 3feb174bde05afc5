extension Client {
    /// Calls several routes at the same time and returns their responses. The first error cancels the other calls.
    ///
    /// ```swift
    /// let routes = (1...20).map { Route<[User]>.get("groups/{id}/users", ["id": $0]) }
    /// let groups = try await client.fetchAll(routes, atMost: 4)
    /// ```
    /// - Parameters:
    ///   - routes: The routes to call.
    ///   - most: The maximum number of calls at a time, at least one.
    ///   - reporter: Receives the mapping issues of these calls, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping of these calls is, instead of the routes' and the client's policy.
    /// - Returns: The responses in the order of the routes.
    /// - Throws: The ``CallError`` of the first call that fails, or `CancellationError`. No call is running any more
    ///   when the method throws.
    public func fetchAll<Response>(
        _ routes: [Route<Response>],
        atMost most: Int = 4,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> [Response] {
        let client = forUsersNow()
        return try await gathered(routes.count, atMost: most) {
            try await client.fetch(routes[$0], reporter: reporter, mapping: mapping)
        }
    }

    /// Calls several routes at the same time and returns a result for each. The error of a call does not affect the
    /// other calls.
    ///
    /// ```swift
    /// let routes = (1...20).map { Route<[User]>.get("groups/{id}/users", ["id": $0]) }
    /// for result in try await client.gather(routes) { print((try? result.get().count) ?? 0) }
    /// ```
    /// - Parameters:
    ///   - routes: The routes to call.
    ///   - most: The maximum number of calls at a time, at least one.
    ///   - reporter: Receives the mapping issues of these calls, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping of these calls is, instead of the routes' and the client's policy.
    /// - Returns: The results in the order of the routes, each a response or a ``CallError``.
    /// - Throws: `CancellationError` if the calling task was cancelled. No call is running any more when the method
    ///   throws.
    public func gather<Response>(
        _ routes: [Route<Response>],
        atMost most: Int = 4,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> [Result<Response, any Error>] {
        let client = forUsersNow()
        let results: [Result<Response, any Error>] = try await gathered(routes.count, atMost: most) { index in
            do {
                return .success(try await client.fetch(routes[index], reporter: reporter, mapping: mapping))
            } catch {
                try Task.checkCancellation()
                return .failure(error)
            }
        }
        try Task.checkCancellation()
        return results
    }

    /// Runs the body for each index, at most `most` at a time, and returns the values in the order of the indices.
    @concurrent
    private func gathered<Value: Sendable>(
        _ count: Int,
        atMost most: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var values = [Value?](repeating: nil, count: count)
            for index in 0..<count {
                if index >= max(most, 1), let (done, value) = try await group.next() { values[done] = value }
                group.addTask { (index, try await body(index)) }
            }
            while let (done, value) = try await group.next() { values[done] = value }
            return values.compactMap(\.self)
        }
    }
}
