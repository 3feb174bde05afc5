/// An option by which a stored response may replace a failure: the policy of a cache.
protocol ReplacesFailures: CallOption {
    /// The option of a look-up that sends no request; `nil` if nothing stored replaces a failure.
    var lookUp: Self? { get }
}

extension CallContext {
    /// The context of a look-up for this call; `nil` if the call uses nothing stored after a failure.
    private var ofLookUp: CallContext? {
        guard let lookUp = options.lookUp else { return nil }
        return with(option: lookUp)
    }

    /// Ends the call if its task is cancelled. A stored response that came when the time of the call was up is mapped
    /// all the same.
    @usableFromInline
    func endIfCancelled() throws {
        guard Task.isCancelled else { return }
        guard passedDeadline != nil, receivedResponse?.replaced != nil else { throw CancellationError() }
    }

    /// The stored response that replaces a request whose time is up; `nil` if there is none, or if the call uses none.
    ///
    /// Looked up in a separate task, because that of the call may be cancelled.
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
        let found = await Task { try? await next.process(request, in: lookUp) }.value
        guard var response = found else { return nil }
        response.replaced = ReplacedOutcome(.failure(fault))
        return response
    }
}

extension CallOptions {
    fileprivate var lookUp: (any CallOption)? {
        for option in all {
            if let policy = option as? any ReplacesFailures { return policy.lookUp }
        }
        return nil
    }
}
