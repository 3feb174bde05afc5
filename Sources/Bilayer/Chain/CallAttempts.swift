/// The ended attempts of a middleware that runs the nodes inside of it more than once, to find the request that an
/// outcome belongs to.
struct CallAttempts {
    /// An attempt that has ended.
    struct Ended {
        let attempt: Begun
        let end: Int
        let request: HTTPRequest?
        let failure: (any Error)?
        /// Whether the attempt's task was cancelled: the loser of a race.
        let isAbandoned: Bool
    }

    /// An attempt that has begun.
    struct Begun {
        let mark = AttemptMark()
        let time: Int
    }

    /// Of more attempts the oldest are forgotten.
    private static let limit = 64

    private var ended: [Ended] = []
    private var time = 0

    /// Begins an attempt.
    mutating func begin() -> Begun {
        time += 1
        return Begun(time: time)
    }

    /// Ends an attempt.
    /// - Returns: The attempt that is forgotten for it, to be let go outside of locks.
    mutating func end(_ attempt: Begun, _ request: HTTPRequest?, failure: (any Error)?, isAbandoned: Bool) -> Ended? {
        time += 1
        let forgotten = ended.count == Self.limit ? ended.removeFirst() : nil
        ended.append(
            Ended(attempt: attempt, end: time, request: request, failure: failure, isAbandoned: isAbandoned)
        )
        return forgotten
    }

    /// The request of the attempt with this outcome; `nil` if there is none.
    ///
    /// Responses and transport errors have the mark of their attempt. Errors of other types are compared: of several
    /// attempts with an equal error those that were not cancelled count. Of attempts one after the other the last one
    /// counts, of attempts at the same time the one that ended first.
    func request(of outcome: AttemptOutcome) -> HTTPRequest? {
        if let mark = outcome.mark { return ended.last { $0.attempt.mark === mark }?.request }
        guard case .failure(let error) = outcome, !ended.isEmpty else { return nil }
        let equal = ended.filter { $0.failure.map { areEqual($0, error) } ?? false }
        let wanted = equal.contains { !$0.isAbandoned } ? equal.filter { !$0.isAbandoned } : equal
        guard let last = wanted.last else { return nil }
        return (wanted.first { $0.end > last.attempt.time } ?? last).request
    }
}

/// Whether two errors are one and the same, as far as that can be told. The text is compared, never shown.
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
