/// Limits the number of callers of each key that run at a time. The other callers wait in a ``PermitQueue``, which
/// orders them by priority. A cancelled caller leaves the queue at once.
final class AsyncSemaphore<Key: Hashable & Sendable, Priority: Comparable & Hashable & Sendable>: Sendable {
    private typealias Queue = PermitQueue<CheckedContinuation<Void, any Error>, Priority>

    private struct State: Sendable {
        var queues: [Key: Queue] = [:]
        var lastID = 0
    }

    /// The number of callers of a key that may run at a time.
    let permits: Int
    private let state = Locked(State())

    /// - Parameter permits: The number of callers of a key that may run at a time, at least one.
    init(permits: Int) { self.permits = max(permits, 1) }

    /// The number of callers that wait for a key. For tests.
    func waiting(for key: Key) -> Int { state.withLock { $0.queues[key]?.waiting ?? 0 } }

    /// Waits for a permit, and runs a body with it.
    /// - Parameters:
    ///   - key: What the permits are for.
    ///   - priority: How urgent the caller is.
    ///   - note: Runs before the wait, if no permit is free at once.
    ///   - body: Runs with a permit.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body, or `CancellationError` if the task is cancelled before there is a permit.
    func pass<Value: Sendable>(
        _ key: Key,
        _ priority: Priority,
        onWait note: () -> Void = {},
        body: () async throws -> Value
    ) async throws -> Value {
        try await enter(key, priority, note)
        defer { leave(key) }
        return try await body()
    }

    /// Takes a permit, or waits for one.
    /// - Throws: `CancellationError` if the task is cancelled first. It has no permit then.
    private func enter(_ key: Key, _ priority: Priority, _ note: () -> Void) async throws {
        try Task.checkCancellation()
        let permits = permits
        let id: Int? = state.withLock { state in
            state.lastID += 1
            return state.queues[key, default: Queue(permits: permits)].take() ? nil : state.lastID
        }
        guard let id else { return }
        note()
        try await state.wait { state, continuation in
            // A permit may have become free since the first attempt to take one.
            if state.queues[key, default: Queue(permits: permits)].take() { return .ends(.success(())) }
            state.queues[key]?.wait(continuation, id: id, priority: priority)
            return .waits()
        } leave: { state in
            state.withLock { $0.queues[key]?.leave(id) }
        }
    }

    /// Gives a permit back. The next waiting caller takes it.
    private func leave(_ key: Key) {
        let next = state.withLock { state in
            let next = state.queues[key]?.release()
            if state.queues[key]?.isIdle == true { state.queues[key] = nil }
            return next
        }
        next?.resume()
    }
}
