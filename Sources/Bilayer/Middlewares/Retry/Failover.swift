public import Foundation

/// A middleware that sends a request to another base address when one cannot be reached or fails with a 5xx status.
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: .failover([URL(string: "https://eu.example.com/v1")!, URL(string: "https://us.example.com/v1")!]))
/// let client = Client(baseURL: URL(string: "https://eu.example.com/v1")!, transport: transport)
/// ```
///
/// A request whose address starts with one of the base addresses is sent to the base address that worked last, at first
/// to the first one. The request is sent to the next address if the status is 5xx, if the circuit of the host is open,
/// or after a ``TransportError`` such as a failed connection or a time limit. An error that does not concern the host
/// is thrown at once, for example that of a missing network or an invalid request. The last response is returned, or
/// the last error thrown, unchanged. The error of an open circuit is thrown only if the request was sent to no address
/// in this attempt. A stored response that an ``HTTPCache`` inside returns instead of a failure counts as that failure.
/// The stored response is returned if the last address fails, too. Any other response that the cache returns without a
/// request is final, such as its own 504 for `only-if-cached`. It does not count as a success of the address.
///
/// A request whose address starts with none of the base addresses is passed on unchanged. Addresses that differ in the
/// case of scheme or host, or in a default port, are equal.
///
/// A request that was sent to one address is sent to a second address only if it can be repeated. The body must be one
/// that can be sent twice. The request must also have an idempotent method (``RetryPolicy/idempotentMethods``) or an
/// `Idempotency-Key`, or be a GraphQL query. Two kinds of requests were not sent, and may go to the next address in any
/// case: a request that an open circuit (``CircuitBreaker``) has refused, and a request that got no connection, if its
/// body can be sent twice. The second kind needs a transport that records its requests
/// (``CallContext/recordSent(_:)``), as the transports of this library do. The policy of a ``Retry`` around the
/// failover may allow more methods. If that retry repeats a request that the failover would not repeat, the request
/// goes only to the address that was used last, because a server there may have received it.
///
/// The request keeps all of its header fields, credentials included: pass only addresses that may receive the
/// credentials.
///
/// The failover treats the addresses as equivalent, so pass only addresses of servers with the same content. An
/// ``HTTPCache`` around the failover stores the response of each address under the address of the original request. A
/// cache inside of the failover stores a separate response for each address.
public struct Failover: Middleware {
    private let bases: [URL]
    private let current = Locked(0)

    /// Makes the middleware. Copies share the address that worked last.
    /// - Parameter bases: The base addresses, the preferred one first.
    public init(_ bases: [URL]) { self.bases = bases }

    /// Sends the request to one address after the other.
    /// - Throws: The error of the last address whose circuit was not open. If there was none, the ``CircuitOpenError``
    ///   of the last address that was tried. `CancellationError` if the task is cancelled before the next address.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard let home = bases.first(where: { request.url.rest(after: $0) != nil }) else {
            return try await next.process(request, in: context)
        }
        let obstacle = context.obstacle(toRepeating: request)
        // A request that cannot be repeated here, and that an earlier attempt of the call has sent, stays at its
        // address. That address cannot be derived from the last request, because a redirect may have led elsewhere.
        let wasSent = obstacle != nil && context.requestSentBefore != nil
        let address = wasSent ? context.lastChoice(of: bases).flatMap { bases.firstIndex(of: $0) } : nil
        let first = address ?? current.withLock { $0 }
        // Whether a server may have received the request.
        var mayBeReceived = wasSent
        var untried = bases.count
        var index = first
        // The outcome of the last address that the request was sent to.
        var last: Result<HTTPResponse, any Error>?
        var stored: HTTPResponse?
        while true {
            untried -= 1
            let isSentAgain = obstacle == nil && untried > 0
            context.watchRequests()
            var moved = request
            moved.url = request.url.moved(from: home, to: bases[index]) ?? request.url
            context.recordMove(from: home, to: bases[index])
            let result = await outcome(of: moved, for: request, in: context, from: next)
            if let response = try? result.get(), response.replaced != nil { stored = response }
            switch result.beforeReplacement {
            case .success(let response) where response.isWithoutRequest: return response
            case .success(let response) where response.status.isServerError:
                if untried > 0 { note("status \(response.status)", at: index, obstacle, in: context) }
                guard isSentAgain else { return try stored ?? result.get() }
                last = result
            case .success:
                current.withLock { $0 = index }
                return try result.get()
            case .failure(let error as TransportError) where error.kind.concernsHost:
                mayBeReceived = mayBeReceived || !context.watchedRequests.isUnsent(after: error)
                let isMoved = isSentAgain || untried > 0 && !mayBeReceived && request.isReplayable
                if untried > 0 { note("\(error.kind)", at: index, isMoved ? nil : obstacle, in: context) }
                guard isMoved, !Task.isCancelled else {
                    let end: Result<HTTPResponse, any Error> = isMoved ? .failure(CancellationError()) : result
                    return try end.replacingFault(by: stored).get()
                }
                last = result
            case .failure(is any UnsentRequestError):
                // A request that was not sent anywhere yet may be sent to any address.
                guard untried > 0, obstacle == nil || !mayBeReceived else {
                    if let stored { return stored }
                    return try (last ?? result).get()
                }
                note("its circuit is open", at: index, nil, in: context)
            case .failure: return try result.replacingFault(by: stored).get()
            }
            index = (index + 1) % bases.count
        }
    }

    /// Sends the request to one address.
    /// - Parameters:
    ///   - moved: The request with that address.
    ///   - request: The original request. The result is the response to it.
    ///   - context: The call.
    ///   - next: The node inside.
    /// - Returns: The response or the error.
    private func outcome(
        of moved: HTTPRequest,
        for request: HTTPRequest,
        in context: CallContext,
        from next: some Node<HTTPRequest, HTTPResponse>
    ) async -> Result<HTTPResponse, any Error> {
        do {
            return .success(try await next.process(moved, in: context).answering(request, sentAs: moved))
        } catch {
            return .failure(error)
        }
    }

    /// Notes why the outcome at an address is not good, and the obstacle to the next address, if there is one.
    private func note(_ reason: String, at index: Int, _ obstacle: String?, in context: CallContext) {
        let end = obstacle.map { "; \($0)" } ?? ""
        context.note("address \(index + 1) of \(bases.count): \(reason)\(end)")
    }
}

extension Middleware where Self == Failover {
    /// A middleware that sends a request to another base address when one cannot be reached or fails with a 5xx status.
    /// - Parameter bases: The base addresses, the preferred one first.
    /// - Returns: The middleware.
    public static func failover(_ bases: [URL]) -> Failover { Failover(bases) }
}

extension Failover: Redacted {}

extension SentRequests {
    /// Whether no server has received the only request, because there was no connection. If there are further requests,
    /// a redirect or an attempt before may have reached a server.
    fileprivate func isUnsent(after error: TransportError) -> Bool {
        targets.count == 1 && !hasLoss && error.response == nil && !error.leavesChangeUnknown
    }
}

extension HTTPResponse {
    /// Returns the response as the response to the original request, unless a redirect led to another address.
    fileprivate func answering(_ request: HTTPRequest, sentAs moved: HTTPRequest) -> HTTPResponse {
        guard moved.url != request.url,
            target.map({ $0.normalizedAddress == moved.url.normalizedAddress }) ?? true
        else { return self }
        var response = self
        response.addressBeforeFailover = request.url
        return response
    }
}
