extension Node<HTTPRequest, HTTPResponse> {
    /// Runs the node, and ends it when the time is up.
    ///
    /// Whatever ends first counts. The node is cancelled when the time is up, and awaited, so nothing of it is left
    /// when this returns; a response that it has by then is returned.
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The call.
    ///   - limit: The time.
    ///   - name: What the limit is called in the error.
    /// - Returns: The node's response.
    /// - Throws: The node's error, ``TransportError`` of the kind ``TransportError/Kind-swift.struct/timedOut`` when the
    ///   time was up, and `CancellationError` when the calling task was cancelled.
    func process(
        _ request: HTTPRequest,
        in context: CallContext,
        within limit: Duration,
        named name: String
    ) async throws -> HTTPResponse {
        guard limit > .zero else { throw timedOut(name, limit) }
        let result = await withTaskGroup(of: TimedOutcome.self) { group -> Result<HTTPResponse, any Error> in
            group.addTask {
                do {
                    return .work(.success(try await process(request, in: context)))
                } catch {
                    return .work(.failure(error))
                }
            }
            group.addTask {
                do {
                    try await context.clock.sleep(for: limit)
                    return .timeIsUp
                } catch {
                    return .stopped
                }
            }
            var isTimeUp = false
            while let outcome = await group.next() {
                switch outcome {
                case .stopped: continue
                case .timeIsUp:
                    isTimeUp = true
                    group.cancelAll()
                case .work(.success(let response)):
                    group.cancelAll()
                    return .success(response)
                case .work(.failure(let error)):
                    group.cancelAll()
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard isTimeUp else { return .failure(error) }
                    context.note("\(name): \(limit.formattedSeconds) are over")
                    return .failure(timedOut(name, limit, error))
                }
            }
            return .failure(CancellationError())
        }
        return try result.get()
    }
}

private enum TimedOutcome: Sendable {
    case work(Result<HTTPResponse, any Error>)
    case timeIsUp
    case stopped
}

private func timedOut(_ name: String, _ limit: Duration, _ consequence: (any Error)? = nil) -> TransportError {
    TransportError(
        .timedOut,
        detail: "\(name): expected a response within \(limit.formattedSeconds), found none",
        underlyingError: consequence is CancellationError ? nil : consequence
    )
}
