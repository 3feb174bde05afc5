/// The ended attempts of a middleware around the transport, one for each run of its inner nodes. They are kept to find
/// the request that led to an outcome.
struct CallAttempts {
    /// An attempt that has ended.
    struct Ended {
        let attempt: Begun
        let end: Int
        let request: HTTPRequest?
        let failure: (any Error)?
        /// Whether the attempt's task was cancelled, as for the loser of a race.
        let wasCancelled: Bool
    }

    /// An attempt that has begun.
    struct Begun {
        let identity = AttemptIdentity()
        let time: Int
    }

    /// The number of attempts to keep; the oldest ones are removed.
    private static let limit = 64

    private var ended: [Ended] = []
    private var time = 0

    var isEmpty: Bool { ended.isEmpty }

    /// The request of the last attempt that ended with a response, or with an error that leaves the effect of the
    /// request unknown; `nil` if there is none.
    var lastSent: HTTPRequest? { ended.last { $0.failure.map { $0.leavesChangeUnknown } ?? true }?.request }

    /// Begins an attempt.
    mutating func begin() -> Begun {
        time += 1
        return Begun(time: time)
    }

    /// Ends an attempt.
    /// - Returns: The oldest attempt, if it was removed because of the limit. The caller releases it outside of locks.
    mutating func end(_ attempt: Begun, _ request: HTTPRequest?, failure: (any Error)?, wasCancelled: Bool) -> Ended? {
        time += 1
        let forgotten = ended.count == Self.limit ? ended.removeFirst() : nil
        ended.append(
            Ended(attempt: attempt, end: time, request: request, failure: failure, wasCancelled: wasCancelled)
        )
        return forgotten
    }

    /// The request of the attempt with this outcome; `nil` if there is none.
    ///
    /// Responses and transport errors of attempts have the identity of their attempt. Errors of other types have no
    /// identity, so they are compared with the errors of the attempts. If several attempts ended with an error that is
    /// equal to this one, the attempts that were not cancelled are preferred. Of sequential attempts, the last attempt
    /// counts. Of concurrent attempts, the attempt that ended first counts.
    func request(of outcome: AttemptOutcome) -> HTTPRequest? {
        if let identity = outcome.identity { return ended.last { $0.attempt.identity === identity }?.request }
        guard case .failure(let error) = outcome else { return nil }
        let equal = ended.filter { $0.failure.map { areEqual($0, error) } ?? false }
        let wanted = equal.contains { !$0.wasCancelled } ? equal.filter { !$0.wasCancelled } : equal
        guard let last = wanted.last else { return nil }
        return (wanted.first { $0.end > last.attempt.time } ?? last).request
    }
}

/// Whether two errors are equal. Errors that are not `Equatable` are compared by their texts, which are never shown.
private func areEqual(_ one: any Error, _ other: any Error) -> Bool {
    guard type(of: one) == type(of: other) else { return false }
    guard let type = type(of: one) as? any (Error & Equatable).Type else {
        return String(reflecting: one) == String(reflecting: other)
    }
    return areEqual(one, other, as: type)
}

private func areEqual<Value: Error & Equatable>(_ one: any Error, _ other: any Error, as type: Value.Type) -> Bool {
    (one as? Value) == (other as? Value)
}
