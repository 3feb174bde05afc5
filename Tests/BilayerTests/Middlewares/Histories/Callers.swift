import Foundation

@testable import Bilayer

/// The calls of a history, by their number, and what came of them as texts.
final class Callers: Sendable {
    private struct State: Sendable {
        var tasks: [Task<Void, Never>] = []
        var outcomes: [Int: String] = [:]
    }

    private let state = Locked(State())

    /// How many calls have started. This is also the number of the next call.
    var count: Int { state.withLock { $0.tasks.count } }

    var outcomes: [Int: String] { state.withLock { $0.outcomes } }

    @discardableResult
    func start(_ call: @escaping @Sendable () async throws -> HTTPResponse) -> Int {
        state.withLock { state in
            let number = state.tasks.count
            let task = Task {
                let outcome = await Self.outcome(of: call)
                self.state.withLock { $0.outcomes[number] = ($0.outcomes[number] ?? "") + outcome }
            }
            state.tasks.append(task)
            return number
        }
    }

    /// Cancels all calls, and waits for their end.
    func cancelAll() async {
        for task in state.withLock({ $0.tasks }) {
            task.cancel()
            await task.value
        }
    }

    func cancel(_ number: Int) { state.withLock { $0.tasks[number] }.cancel() }

    private static func outcome(of call: @Sendable () async throws -> HTTPResponse) async -> String {
        do {
            let response = try await call()
            return ["\(response.status.code)", String(decoding: response.body, as: UTF8.self)]
                .filter { !$0.isEmpty }.joined(separator: " ")
        } catch is CancellationError {
            return "cancelled"
        } catch let error as AuthenticationError {
            return error.kind.description
        } catch {
            return "\(error)"
        }
    }
}

/// Waits for something that follows from the last step of a history.
/// - Returns: Whether it came. If it does not come, this returns only after many seconds.
func settles(until holds: () -> Bool) async -> Bool {
    for round in 0..<20_000 {
        if holds() { return true }
        if round < 2_000 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return false
}
