extension CallContext {
    /// The time limit of a look-up. A look-up runs the nodes around the cache again, and such a node may wait.
    private static let lookUpLimit = Duration.seconds(1)

    /// The context of a look-up for this call; `nil` if the call's policy uses no stored response after a failure.
    private var ofLookUp: CallContext? {
        guard let lookUp = options.storagePolicy?.lookUp else { return nil }
        return with(option: lookUp)
    }

    /// Returns the stored response to use after the time limit of a request, or `nil` if there is none.
    ///
    /// The look-up ends when its own time is up, or when the caller cancels the call.
    /// - Parameters:
    ///   - fault: The error that the stored response replaces.
    ///   - request: The request.
    ///   - next: The chain with the cache.
    /// - Returns: The response.
    func storedResponse(
        insteadOf fault: TransportError,
        to request: HTTPRequest,
        from next: some Node<HTTPRequest, HTTPResponse>
    ) async -> HTTPResponse? {
        guard let lookUp = ofLookUp, hasStore(next) else { return nil }
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
