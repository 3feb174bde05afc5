extension Node<HTTPRequest, HTTPResponse> {
    /// Runs the node, and ends it when the time is up.
    ///
    /// When the time is up, the node is cancelled and awaited, so none of its child tasks runs when this function
    /// returns. If the node returns a response in spite of the cancellation, that response is returned. Otherwise a
    /// stored response of a cache inside is returned, if the call's policy lets it replace a failure.
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The call.
    ///   - limit: The time.
    ///   - name: The name of the limit in the error.
    /// - Returns: The node's response, or the stored response.
    /// - Throws: The node's error, ``TransportError`` of the kind ``TransportError/Kind-swift.struct/timedOut`` when
    ///   the time was up, and `CancellationError` when the calling task was cancelled.
    func process(
        _ request: HTTPRequest,
        in context: CallContext,
        within limit: Duration,
        named name: String
    ) async throws -> HTTPResponse {
        guard limit > .zero else { throw timedOut(name, within: limit) }
        let limited = context.limited(to: limit)
        let outcome = await withTimeLimit(limit, of: context.clock) { try await process(request, in: limited) }
        if case .failure(let error) = outcome.result, outcome.isTimeUp, !Task.isCancelled {
            context.note("\(name): \(limit.formattedSeconds) are over")
            let fault = timedOut(name, within: limit, error)
            let stored = await context.storedResponse(insteadOf: fault, to: request, from: self)
            guard let stored else {
                try Task.checkCancellation()
                throw fault
            }
            return stored
        }
        return try outcome.result.get()
    }
}

extension CallContext {
    /// Runs a whole call, and cancels its stages when the time of its ``Deadline`` is up. The pipeline makes the error,
    /// because the error has the stage that ran when the time was up.
    func withinDeadline<Value: Sendable>(
        _ limit: Duration,
        _ call: @escaping @Sendable (CallContext) async throws -> Value
    ) async throws -> Value {
        let deadline = CallDeadline(limit)
        begin(deadline)
        let limited = limited(to: limit)
        return try await withTaskCancellationHandler {
            try await withTimeLimit(limit, of: clock, whenUp: { deadline.pass() }) { try await call(limited) }
                .result.get()
        } onCancel: {
            deadline.cancel()
        }
    }
}

/// Returns the error of work that did not end in time.
/// - Parameters:
///   - name: The name of the limit.
///   - limit: The time.
///   - consequence: The error that the cancelled work has thrown.
/// - Returns: The error.
func timedOut(_ name: String, within limit: Duration, _ consequence: (any Error)? = nil) -> TransportError {
    TransportError(
        .timedOut,
        detail: "\(name): expected a response within \(limit.formattedSeconds), found none",
        underlyingError: consequence is CancellationError ? nil : consequence
    )
}
