/// The shadow calls of a migrator that run now, and their bound.
///
/// A run calls the new source in a task of its own and does not wait for its end after a cancel: a source may ignore
/// that. Such a source is *abandoned*. It does not count as a run, and callers that wait for the runs do not wait for
/// it. Abandoned sources are bounded, too: at most twice as many sources as the limit are called at a time.
final class ShadowRuns: Sendable {
    private struct Sources {
        var lastID = 0
        /// The runs whose source has not ended.
        var calling: Set<Int> = []
    }

    private let most: Int
    private let running = RunningTasks<Int>()
    private let sources = Locked(Sources())

    /// - Parameter most: The number of runs at a time.
    init(atMost most: Int) { self.most = max(most, 0) }

    /// Starts a run, unless too many run already.
    ///
    /// The task is detached, because the run belongs to the migrator and not to the call beside it. It goes on after
    /// the call has returned. It has neither the call's cancellation nor its priority, and none of its task-local
    /// values. Otherwise a mapping in progress, a trace or a transaction of the caller would include the shadow's work.
    /// - Returns: The run, to cancel it; `nil` if the limit is reached.
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

    /// The number of sources that have not ended.
    var sourceCount: Int { sources.withLock { $0.calling.count } }

    fileprivate func noteSource(of id: Int, isCalling: Bool) {
        _ = sources.withLock { isCalling ? $0.calling.insert(id).inserted : $0.calling.remove(id) != nil }
    }

    func cancelAll() { running.cancelAll() }

    /// Waits until no run is in progress.
    /// - Throws: `CancellationError` when the task is cancelled first.
    func waitForEnd() async throws { try await running.waitForEnd() }
}

/// One shadow call in progress.
struct ShadowRun: Sendable {
    fileprivate let runs: ShadowRuns
    fileprivate let id: Int

    /// Calls a source, and abandons it when the time is up or the run is cancelled.
    /// - Parameters:
    ///   - limit: The time.
    ///   - clock: The clock.
    ///   - source: The source. It is cancelled, and not awaited.
    /// - Returns: What the source has ended with, and whether the time was up before.
    func call<Value: Sendable>(
        within limit: Duration,
        of clock: any Clock<Duration>,
        _ source: @escaping @Sendable () async throws -> Value
    ) async -> (result: Result<Value, any Error>, isTimeUp: Bool) {
        let (outcomes, sink) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        runs.noteSource(of: id, isCalling: true)
        // Detached, because a task in a group would be awaited.
        let task = Task.detached(priority: .utility) { [runs, id] in
            do {
                sink.yield(.success(try await source()))
            } catch {
                sink.yield(.failure(error))
            }
            runs.noteSource(of: id, isCalling: false)
        }
        defer { task.cancel() }
        let outcome = await withTimeLimit(limit, of: clock) {
            // Ends without one when it is cancelled.
            guard let first = await outcomes.first(where: { _ in true }) else { throw CancellationError() }
            return first
        }
        return (outcome.result.flatMap { $0 }, outcome.isTimeUp)
    }
}
