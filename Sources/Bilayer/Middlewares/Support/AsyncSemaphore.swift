import Foundation

/// Lets some callers in at a time; the others wait in their order. A cancelled caller leaves the queue at once.
final class AsyncSemaphore: Sendable {
    struct State {
        var free: Int
        var lastID = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []

        mutating func take() -> Bool {
            guard free > 0 else { return false }
            free -= 1
            return true
        }

        mutating func remove(_ id: Int) -> CheckedContinuation<Void, any Error>? {
            waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).continuation }
        }
    }

    let state: Locked<State>

    /// - Parameter places: How many callers are in at a time, at least one.
    init(places: Int) { state = Locked(State(free: max(places, 1))) }

    /// Runs a body when there is a place.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body, or `CancellationError` if the task is cancelled before there is a place.
    func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        try Task.checkCancellation()
        let id: Int? = state.withLock { state in
            state.lastID += 1
            return state.take() ? nil : state.lastID
        }
        guard let id else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, id) }
        } onCancel: {
            state.withLock { $0.remove(id) }?.resume(throwing: CancellationError())
        }
    }

    private func wait(_ continuation: CheckedContinuation<Void, any Error>, _ id: Int) {
        let result: Result<Void, any Error>? = state.withLock { state in
            // The cancellation handler has run, or finds this caller: it takes the lock.
            if Task.isCancelled { return .failure(CancellationError()) }
            // A place may have become free since the first attempt to take one.
            if state.take() { return .success(()) }
            state.waiting.append((id, continuation))
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func leave() {
        let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
