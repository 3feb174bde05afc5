import Bilayer

extension FaultServer {
    /// Waits until at least `count` requests have arrived, within a time limit.
    /// - Parameters:
    ///   - count: The number of requests to wait for.
    ///   - limit: The time limit.
    ///   - clock: The clock that measures the limit.
    /// - Returns: All requests so far, at least `count`.
    /// - Throws: ``FaultServerError`` at the time limit, with the requests that have arrived, or when the server is
    ///   stopped. `CancellationError` if the calling task was cancelled.
    @discardableResult
    public func waitForRequests(
        count: Int,
        within limit: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> [RecordedRequest] {
        try await withThrowingTaskGroup(of: [RecordedRequest]?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.waitForRequests(count: count) }
            group.addTask {
                try await clock.sleep(for: limit)
                return nil
            }
            if let requests = try await group.next() ?? nil { return requests }
            let found = requests.map(\.description).joined(separator: "; ")
            throw FaultServerError(
                "expected \(count) requests within \(limit), found \(requests.count)"
                    + (found.isEmpty ? "" : ": \(found)")
            )
        }
    }

    /// Limits how much of the body of each later request is recorded, for tests with large bodies. A closure that
    /// computes a reply still receives the whole body.
    /// - Parameter bytes: The maximum number of bytes of a body to record.
    public func keepBodies(upTo bytes: Int) { engine.state.withLock { $0.keptBytes = max(bytes, 0) } }

    /// Removes all recorded requests. Request numbers and counts then start at 0 again.
    public func forgetRequests() { engine.state.withLock { $0.requests.removeAll() } }
}
