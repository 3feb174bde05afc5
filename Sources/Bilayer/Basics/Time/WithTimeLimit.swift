/// Runs work with a time limit, and cancels the work when the limit has passed.
///
/// The cancelled work is still awaited, so none of its child tasks runs when this function returns. If the work returns
/// a value although it was cancelled, that value is the result.
/// - Parameters:
///   - limit: The time limit. If it is zero or less, the work is cancelled before it starts.
///   - clock: The clock that measures the limit.
///   - expire: Runs when the limit has passed, before the work is cancelled.
///   - work: The work.
/// - Returns: The result of the work, and whether the limit passed before its end. If the calling task is cancelled and
///   the work fails, the error is `CancellationError`.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    of clock: any Clock<Duration>,
    whenUp expire: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () async throws -> Value
) async -> (result: Result<Value, any Error>, isTimeUp: Bool) {
    await withTaskGroup(of: TimedOutcome<Value>.self) { group in
        var isTimeUp = limit <= .zero
        if isTimeUp {
            expire()
            group.cancelAll()
        } else {
            group.addTask {
                do {
                    try await clock.pause(for: limit)
                    return .timeIsUp
                } catch {
                    return .stopped
                }
            }
        }
        group.addTask {
            do {
                return .work(.success(try await work()))
            } catch {
                return .work(.failure(error))
            }
        }
        while let outcome = await group.next() {
            switch outcome {
            case .stopped: continue
            case .timeIsUp:
                isTimeUp = true
                expire()
                group.cancelAll()
            case .work(let result):
                group.cancelAll()
                if case .failure = result, Task.isCancelled { return (.failure(CancellationError()), isTimeUp) }
                return (result, isTimeUp)
            }
        }
        return (.failure(CancellationError()), isTimeUp)
    }
}

private enum TimedOutcome<Value: Sendable>: Sendable {
    /// The work has ended.
    case work(Result<Value, any Error>)
    /// The time limit has passed.
    case timeIsUp
    /// The wait for the time limit was cancelled. The work is still awaited.
    case stopped
}
