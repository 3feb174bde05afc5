/// A queue that lets one task at a time change a store. A removal goes before the writes that wait, but after the write
/// in progress. After four removals in a row that overtook a write, the task that has waited longest is next.
final class CacheWriteQueue: Sendable {
    private enum Urgency: Comparable { case write, removal }

    private enum Waiter: Sendable {
        case write(CheckedContinuation<Void, any Error>)
        case removal(CheckedContinuation<Void, Never>)

        func resume() {
            switch self {
            case .write(let continuation): continuation.resume()
            case .removal(let continuation): continuation.resume()
            }
        }
    }

    private struct State {
        var queue = PermitQueue<Waiter, Urgency>(permits: 1)
        var lastID = 0

        /// Takes the turn if it is free; otherwise queues the waiter. Returns whether the turn was free.
        mutating func enter(_ waiter: Waiter, id: Int, _ urgency: Urgency) -> Bool {
            if queue.take() { return true }
            queue.wait(waiter, id: id, priority: urgency)
            return false
        }
    }

    private let state = Locked(State())

    /// Runs a write when its turn comes. A cancelled task leaves the queue and writes nothing.
    /// - Returns: The result of the write.
    /// - Throws: `CancellationError` if the task is cancelled before its turn.
    func write<Value>(_ write: () async -> Value) async throws -> Value {
        let id = makeID()
        try await state.wait { state, continuation in
            state.enter(.write(continuation), id: id, .write) ? .ends(.success(())) : .waits()
        } leave: { state in
            guard case .write(let continuation)? = state.withLock({ $0.queue.leave(id) }) else { return nil }
            return continuation
        }
        defer { leave() }
        return await write()
    }

    /// Runs a removal when its turn comes, also in a cancelled task.
    func remove(_ remove: () async -> Void) async {
        let id = makeID()
        await withCheckedContinuation { continuation in
            if state.withLock({ $0.enter(.removal(continuation), id: id, .removal) }) { continuation.resume() }
        }
        defer { leave() }
        await remove()
    }

    private func makeID() -> Int {
        state.withLock {
            $0.lastID += 1
            return $0.lastID
        }
    }

    private func leave() { state.withLock { $0.queue.release() }?.resume() }
}
