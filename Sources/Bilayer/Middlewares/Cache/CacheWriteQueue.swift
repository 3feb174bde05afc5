/// Lets one writer at a time change a store; the others wait in their order.
///
/// A cancelled writer keeps its place: a removal must not be left out, and no write takes long.
final class CacheWriteQueue: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Runs the work when no other is in progress.
    /// - Returns: The result of the work.
    func perform<Value>(_ work: () async -> Value) async -> Value {
        await enter()
        defer { leave() }
        return await work()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
