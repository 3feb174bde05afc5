import Foundation

/// Limits the requests in flight to one host; the others wait.
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .concurrency(perHost: 4))
/// let urgent = Route.users.with(option: CallPriority.high)
/// ```
///
/// A place is free when a response is complete. The most urgent call (``CallPriority``) is next, of equally urgent ones
/// the first, and after four that overtook it, the one that waits longest. A cancelled call leaves the queue at once.
///
/// Add it inside of a ``Retry``, so that a call that waits between two attempts has no place. A host is a host name
/// with its port.
public struct ConcurrencyLimit: Middleware {
    private let semaphore: AsyncSemaphore<String, CallPriority>

    /// How many calls wait for a place at a host now, by its name with the port.
    func waiting(at host: String) -> Int { semaphore.waiting(for: host) }

    /// Makes the middleware. Copies share their places.
    /// - Parameter places: The most requests in flight to one host, at least one.
    public init(perHost places: Int) { semaphore = AsyncSemaphore(places: places) }

    /// Waits for a place, and passes the request on.
    /// - Throws: `CancellationError` if the task is cancelled before there is a place, and the errors of the nodes
    ///   inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let priority = context.options[CallPriority.self] ?? .normal
        return try await semaphore.pass(request.hostAndPort, priority) {
            context.note("waits for one of \(semaphore.places) places")
        } body: {
            try await next.process(request, in: context)
        }
    }
}

extension Middleware where Self == ConcurrencyLimit {
    /// Limits the requests in flight to one host; the others wait.
    /// - Parameter places: The most requests in flight to one host, at least one.
    /// - Returns: The middleware.
    public static func concurrency(perHost places: Int) -> ConcurrencyLimit { ConcurrencyLimit(perHost: places) }
}

extension ConcurrencyLimit: Redacted {}
