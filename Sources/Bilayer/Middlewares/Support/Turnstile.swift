import Foundation

/// Lets some callers for each key in at a time; the others wait, the most urgent one in front (``PlaceQueue``). A
/// cancelled caller leaves the queue at once.
final class Turnstile<Key: Hashable & Sendable>: Sendable {
    private typealias Queue = PlaceQueue<CheckedContinuation<Void, any Error>>

    private struct State: Sendable {
        var queues: [Key: Queue] = [:]
        var lastID = 0
    }

    /// How many callers for a key are in at a time, at least one.
    let places: Int
    private let state = Locked(State())

    init(places: Int) { self.places = max(places, 1) }

    /// Runs a body when there is a place.
    /// - Parameters:
    ///   - key: The key of the place.
    ///   - priority: How urgent the caller is.
    ///   - willWait: Called before a wait.
    ///   - body: The body.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body, or `CancellationError` if the task is cancelled before there is a place.
    func pass<Value>(
        _ key: Key,
        _ priority: CallPriority = .normal,
        willWait: () -> Void = {},
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await enter(key, priority, willWait)
        defer { leave(key) }
        return try await body()
    }

    private func enter(_ key: Key, _ priority: CallPriority, _ willWait: () -> Void) async throws {
        try Task.checkCancellation()
        let id: Int? = state.withLock { state in
            state.lastID += 1
            return state.queues[key, default: Queue(places: places)].take() ? nil : state.lastID
        }
        guard let id else { return }
        willWait()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, id, key, priority) }
        } onCancel: {
            state.withLock { $0.queues[key]?.leave(id) }?.resume(throwing: CancellationError())
        }
    }

    private func wait(
        _ continuation: CheckedContinuation<Void, any Error>,
        _ id: Int,
        _ key: Key,
        _ priority: CallPriority
    ) {
        let result: Result<Void, any Error>? = state.withLock { state in
            // The cancellation handler has run, or finds this caller: it takes the lock.
            if Task.isCancelled { return .failure(CancellationError()) }
            // A place may have become free since it was asked for.
            if state.queues[key, default: Queue(places: places)].take() { return .success(()) }
            state.queues[key]?.wait(continuation, id: id, priority: priority)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func leave(_ key: Key) {
        let next = state.withLock { state in
            let next = state.queues[key]?.release()
            if state.queues[key]?.isIdle == true { state.queues[key] = nil }
            return next
        }
        next?.resume()
    }
}
