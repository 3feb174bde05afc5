/// The running shadow calls of a migrator, and their limit.
///
/// A run calls the new source in a task of its own. After a cancellation or at the time limit, the run does not wait
/// for the end of that task, because a source can ignore the cancellation. Such a source is *abandoned*: it does not
/// count as a run, and no caller waits for it. Abandoned sources are limited, too: at most twice as many sources as the
/// limit are called at a time.
final class ShadowRuns: Sendable {
    private struct Sources {
        var lastID = 0
        /// The runs whose source has not ended.
        var calling: Set<Int> = []
    }

    private let most: Int
    private let running = RunningTasks<Int>()
    private let sources = Locked(Sources())

    /// - Parameter most: The maximum number of runs at a time.
    init(atMost most: Int) { self.most = max(most, 0) }

    /// Starts a run, unless the limit is reached.
    ///
    /// The task is detached, because the run belongs to the migrator and not to the app's call. The run continues after
    /// the call has returned. A detached task does not inherit the call's cancellation, priority and task-local values.
    /// Otherwise a mapping in progress, a trace or a transaction of the caller would include the work of the shadow
    /// call.
    /// - Returns: The task of the run, to cancel it; `nil` if the limit is reached.
    func start(_ work: @escaping @Sendable (ShadowRun) async -> Void) -> Task<Void, Never>? {
        let id = sources.withLock { sources in
            sources.lastID += 1
            return sources.lastID
        }
        return running.start(id) { running in
            let abandoned = sources.withLock { $0.calling.count { !running.contains($0) } }
            return running.count < most && running.count + abandoned < 2 * most
        } as: { work in
            Task.detached(priority: .utility) { await work() }
        } work: {
            await work(ShadowRun(runs: self, id: id))
        }
    }

    /// The number of sources that have not ended. For tests.
    var sourceCount: Int { sources.withLock { $0.calling.count } }

    fileprivate func recordSource(of id: Int, isCalling: Bool) {
        _ = sources.withLock { isCalling ? $0.calling.insert(id).inserted : $0.calling.remove(id) != nil }
    }

    func cancelAll() { running.cancelAll() }

    /// Waits until no run is in progress.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    func waitForEnd() async throws { try await running.waitForEnd() }
}

/// A running shadow call.
struct ShadowRun: Sendable {
    fileprivate let runs: ShadowRuns
    fileprivate let id: Int

    /// Calls a source. Abandons it when the time limit is reached or the run is cancelled.
    /// - Parameters:
    ///   - limit: The time limit.
    ///   - clock: The clock of the limit.
    ///   - source: The source. When it is abandoned, it is cancelled and not awaited.
    /// - Returns: The outcome of the source, and whether the time limit was reached first.
    func call<Value: Sendable>(
        within limit: Duration,
        of clock: any Clock<Duration>,
        _ source: @escaping @Sendable () async throws -> Value
    ) async -> (result: Result<Value, any Error>, isTimeUp: Bool) {
        let (outcomes, sink) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        runs.recordSource(of: id, isCalling: true)
        // The task is detached, because a task group would wait for the end of its tasks.
        let task = Task.detached(priority: .utility) { [runs, id] in
            do {
                sink.yield(.success(try await source()))
            } catch {
                sink.yield(.failure(error))
            }
            runs.recordSource(of: id, isCalling: false)
        }
        defer { task.cancel() }
        let outcome = await withTimeLimit(limit, of: clock) {
            // The stream ends without an element if this task is cancelled.
            guard let first = await outcomes.first(where: { _ in true }) else { throw CancellationError() }
            return first
        }
        return (outcome.result.flatMap { $0 }, outcome.isTimeUp)
    }
}
