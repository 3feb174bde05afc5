import Foundation

/// The background validations of a cache (`stale-while-revalidate`), one for each address and variant.
// Sendable: the variables are only accessed under `lock`. Tasks are cancelled outside of it.
final class CacheRefreshes: @unchecked Sendable {
    private let lock = NSLock()
    private var tasks: [String: Task<Void, Never>] = [:]

    /// Starts a task, unless one with that name runs.
    /// - Returns: Whether it was started.
    func start(_ name: String, _ work: @escaping @Sendable () async -> Void) -> Bool {
        lock.withLock {
            guard tasks[name] == nil else { return false }
            // The task waits for `lock` before it removes itself, so it cannot end before it is stored.
            tasks[name] = Task { [weak self] in
                await work()
                self?.finish(name)
            }
            return true
        }
    }

    /// Waits until no task runs. If the caller is cancelled, so are the tasks.
    func settle() async {
        while let task = lock.withLock({ tasks.first?.value }) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Cancels all tasks.
    func cancel() {
        for task in lock.withLock({ Array(tasks.values) }) { task.cancel() }
    }

    private func finish(_ name: String) { lock.withLock { tasks[name] = nil } }

    deinit { cancel() }
}
