/// Runs a piece of work, and cancels it when the time is up.
///
/// The work is awaited after the cancel, so none of its tasks runs when this returns. A value that it returns in spite
/// of the cancel is returned.
/// - Parameters:
///   - limit: The time. At zero or less, the work begins cancelled.
///   - clock: The clock.
///   - expire: Runs when the time is up, before the work is cancelled.
///   - work: The work.
/// - Returns: What the work has ended with, and whether the time was up before. In a cancelled task an error is always
///   `CancellationError`.
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
    case work(Result<Value, any Error>)
    case timeIsUp
    case stopped
}
