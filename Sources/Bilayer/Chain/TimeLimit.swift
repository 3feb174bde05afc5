extension Node<HTTPRequest, HTTPResponse> {
    /// Runs the node, and ends it when the time is up.
    ///
    /// The node is cancelled when the time is up, and awaited, so none of its tasks runs when this returns. A response
    /// that it returns in spite of the cancel is returned. If there is none, a stored one of a cache inside is, if the
    /// call's policy lets it replace a failure.
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The call.
    ///   - limit: The time.
    ///   - name: What the limit is called in the error.
    /// - Returns: The node's response.
    /// - Throws: The node's error, ``TransportError`` of the kind ``TransportError/Kind-swift.struct/timedOut`` when
    ///   the time was up, and `CancellationError` when the calling task was cancelled.
    func process(
        _ request: HTTPRequest,
        in context: CallContext,
        within limit: Duration,
        named name: String
    ) async throws -> HTTPResponse {
        guard limit > .zero else { throw timedOut(name, within: limit) }
        let outcome = await withTimeLimit(limit, of: context.clock) { try await process(request, in: context) }
        if case .failure(let error) = outcome.result, outcome.isTimeUp, !Task.isCancelled {
            context.note("\(name): \(limit.formattedSeconds) are over")
            let fault = timedOut(name, within: limit, error)
            let stored = await context.storedResponse(insteadOf: fault, after: error, to: request, from: self)
            guard let stored else { throw fault }
            return stored
        }
        return try outcome.result.get()
    }
}

extension CallContext {
    /// Runs a whole call, and cancels its stages when the time of its ``Deadline`` is up. The pipeline makes the error,
    /// because it has the stage.
    func withinDeadline<Value: Sendable>(
        _ limit: Duration,
        _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let record = beginDeadline(limit)
        return try await withTimeLimit(limit, of: clock, whenUp: { record.passDeadline() }, call).result.get()
    }
}

/// Runs a piece of work, and cancels it when the time is up.
///
/// The work is awaited after the cancel, so none of its tasks runs when this returns. A value that it returns in spite
/// of the cancel is returned.
/// - Parameters:
///   - limit: The time. At zero or less, the work begins cancelled.
///   - clock: The clock.
///   - expire: Runs when the time is up, before the work is cancelled.
///   - work: The work.
/// - Returns: What the work has ended with, and whether the time was up before. In a cancelled task an error is always
///   `CancellationError`.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    of clock: any Clock<Duration>,
    whenUp expire: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws -> Value
) async -> (result: Result<Value, any Error>, isTimeUp: Bool) {
    await withTaskGroup(of: TimedOutcome<Value>.self) { group in
        var isTimeUp = limit <= .zero
        if isTimeUp {
            expire()
            group.cancelAll()
        } else {
            group.addTask {
                do {
                    try await clock.pause(for: limit)
                    return .timeIsUp
                } catch {
                    return .stopped
                }
            }
        }
        group.addTask {
            do {
                return .work(.success(try await work()))
            } catch {
                return .work(.failure(error))
            }
        }
        while let outcome = await group.next() {
            switch outcome {
            case .stopped: continue
            case .timeIsUp:
                isTimeUp = true
                expire()
                group.cancelAll()
            case .work(let result):
                group.cancelAll()
                if case .failure = result, Task.isCancelled { return (.failure(CancellationError()), isTimeUp) }
                return (result, isTimeUp)
            }
        }
        return (.failure(CancellationError()), isTimeUp)
    }
}

private enum TimedOutcome<Value: Sendable>: Sendable {
    case work(Result<Value, any Error>)
    case timeIsUp
    case stopped
}

/// The error of what did not end in time.
/// - Parameters:
///   - name: What the limit is called.
///   - limit: The time.
///   - consequence: What the cancelled work has thrown.
/// - Returns: The error.
func timedOut(_ name: String, within limit: Duration, _ consequence: (any Error)? = nil) -> TransportError {
    TransportError(
        .timedOut,
        detail: "\(name): expected a response within \(limit.formattedSeconds), found none",
        underlyingError: consequence is CancellationError ? nil : consequence
    )
}
