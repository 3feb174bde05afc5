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
    private typealias Queue = PlaceQueue<CheckedContinuation<Void, any Error>>

    private struct State: Sendable {
        var queues: [String: Queue] = [:]
        var lastID = 0
    }

    private let places: Int
    private let state = Locked(State())

    /// Makes the middleware. Copies share their places.
    /// - Parameter places: The most requests in flight to one host, at least one.
    public init(perHost places: Int) { self.places = places }

    /// Waits for a place, and passes the request on.
    /// - Throws: `CancellationError` if the task is cancelled before there is a place, and the errors of the nodes
    ///   inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let host = request.hostAndPort
        try await takePlace(host, context.options[CallPriority.self] ?? .normal, context)
        defer { release(host) }
        return try await next.process(request, in: context)
    }

    private func takePlace(_ host: String, _ priority: CallPriority, _ context: CallContext) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.lastID += 1
            return state.queues[host, default: Queue(places: places)].take() ? nil : state.lastID
        }
        guard let id else { return }
        context.note("waits for one of \(max(places, 1)) places")
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enter($0, id, priority, host) }
        } onCancel: {
            state.withLock { $0.queues[host]?.leave(id) }?.resume(throwing: CancellationError())
        }
    }

    private func enter(
        _ continuation: CheckedContinuation<Void, any Error>,
        _ id: Int,
        _ priority: CallPriority,
        _ host: String
    ) {
        let result: Result<Void, any Error>? = state.withLock { state in
            // The cancellation handler has run, or finds this call: it takes the lock.
            if Task.isCancelled { return .failure(CancellationError()) }
            // A place may have become free since the first attempt to take one.
            if state.queues[host, default: Queue(places: places)].take() { return .success(()) }
            state.queues[host]?.wait(continuation, id: id, priority: priority)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func release(_ host: String) {
        let next = state.withLock { state in
            let next = state.queues[host]?.release()
            if state.queues[host]?.isIdle == true { state.queues[host] = nil }
            return next
        }
        next?.resume()
    }
}

extension Middleware where Self == ConcurrencyLimit {
    /// Limits the requests in flight to one host; the others wait.
    /// - Parameter places: The most requests in flight to one host, at least one.
    /// - Returns: The middleware.
    public static func concurrency(perHost places: Int) -> ConcurrencyLimit { ConcurrencyLimit(perHost: places) }
}

extension ConcurrencyLimit: Redacted {}
