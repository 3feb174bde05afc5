import Bilayer

extension FaultServer {
    /// Waits until that many requests have arrived, for a limited time.
    /// - Parameters:
    ///   - count: The number of requests to wait for.
    ///   - limit: The longest wait.
    ///   - clock: Measures the wait.
    /// - Returns: All requests so far, at least `count`.
    /// - Throws: ``FaultServerError`` with the requests that had arrived at the end of the time, or when the server is
    ///   stopped; `CancellationError` when the task is cancelled.
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

    /// Bounds what is kept of the bodies of later requests, for tests with large ones. A closure that answers a request
    /// has the whole body.
    /// - Parameter bytes: The bytes that are kept of a body.
    public func keepBodies(upTo bytes: Int) { engine.state.withLock { $0.keptBytes = max(bytes, 0) } }

    /// Removes all recorded requests, with their bodies. Numbers and counts begin at 0 again.
    public func forgetRequests() { engine.state.withLock { $0.requests.removeAll() } }
}
