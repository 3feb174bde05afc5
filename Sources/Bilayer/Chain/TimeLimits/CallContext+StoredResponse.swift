extension CallContext {
    /// The longest time of a look-up. It runs the nodes around the cache again, and one of them may wait.
    private static let lookUpLimit = Duration.seconds(1)

    /// The context of a look-up for this call; `nil` if the call uses nothing stored after a failure.
    private var ofLookUp: CallContext? {
        guard let lookUp = options.storagePolicy?.lookUp else { return nil }
        return with(option: lookUp)
    }

    /// The stored response that replaces a request whose time is up; `nil` if there is none, or if the call uses none.
    ///
    /// The look-up ends when its own time is up, or when the caller cancels the call.
    /// - Parameters:
    ///   - fault: The error without one.
    ///   - consequence: What the cancelled work has thrown. An error of the work itself stays.
    ///   - request: The request.
    ///   - next: The chain with the cache.
    /// - Returns: The response.
    func storedResponse(
        insteadOf fault: TransportError,
        after consequence: any Error,
        to request: HTTPRequest,
        from next: some Node<HTTPRequest, HTTPResponse>
    ) async -> HTTPResponse? {
        guard consequence is CancellationError || consequence is TransportError, let lookUp = ofLookUp, hasStore(next)
        else { return nil }
        let clock = clock
        let find = { @Sendable () async -> HTTPResponse? in
            let outcome = await withTimeLimit(Self.lookUpLimit, of: clock) {
                try await next.process(request, in: lookUp)
            }
            return try? outcome.result.get()
        }
        let found: HTTPResponse?
        if let deadline = passedDeadline {
            found = await deadline.runAfterwards(find)
        } else {
            found = await find()
        }
        guard var response = found else { return nil }
        response.replaced = ReplacedOutcome(.failure(fault))
        return response
    }
}
