import Foundation

/// A middleware that limits the number of requests in flight to each host; the others wait.
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .concurrency(perHost: 4))
/// let urgent = Route.users.with(option: CallPriority.high)
/// ```
///
/// A call has a permit until its response is complete; for a stream, a download or a WebSocket, until the head of the
/// response has arrived. A free permit goes to the waiting call with the highest ``CallPriority``, and among calls of
/// equal priority to the first. After four permits in a row to calls that came later, the next permit goes to the call
/// that has waited longest. A cancelled call leaves the queue at once.
///
/// Add it inside of a ``Retry``, so that a call that waits between two attempts holds no permit. A host is a host name
/// with its port.
public struct ConcurrencyLimit: Middleware {
    private let semaphore: AsyncSemaphore<String, CallPriority>

    /// The number of calls that wait for a permit of a host now. The host is a name with a port. For tests.
    func waiting(at host: String) -> Int { semaphore.waiting(for: host) }

    /// Makes the middleware. Copies share their permits.
    /// - Parameter permits: The most requests in flight to one host, at least one.
    public init(perHost permits: Int) { semaphore = AsyncSemaphore(permits: permits) }

    /// Waits for a permit, and passes the request on.
    /// - Throws: `CancellationError` if the task is cancelled before there is a permit. ``CircuitOpenError`` if the
    ///   circuit of a ``CircuitBreaker`` around the limit has opened during the wait. Also the errors of the nodes
    ///   inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let priority = context.options[CallPriority.self] ?? .normal
        var hasWaited = false
        return try await semaphore.pass(request.hostAndPort, priority) {
            hasWaited = true
            context.note("waits for one of \(semaphore.permits) permits")
            context.beginWait()
        } body: {
            if hasWaited { try context.checkConditions() }
            return try await next.process(request, in: context)
        }
    }
}

extension Middleware where Self == ConcurrencyLimit {
    /// A middleware that limits the number of requests in flight to each host; the others wait.
    /// - Parameter permits: The most requests in flight to one host, at least one.
    /// - Returns: The middleware.
    public static func concurrency(perHost permits: Int) -> ConcurrencyLimit { ConcurrencyLimit(perHost: permits) }
}

extension ConcurrencyLimit: Redacted {}
