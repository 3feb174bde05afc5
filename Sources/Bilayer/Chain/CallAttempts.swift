/// What came out of the nodes inside of a middleware.
enum AttemptOutcome {
    case response(HTTPResponse)
    case failure(any Error)
}

/// The ended attempts of a middleware that runs the nodes inside of it more than once, to find the request that an outcome belongs to.
struct CallAttempts {
    private struct Ended {
        let begin: Int
        let end: Int
        let request: HTTPRequest?
        let outcome: Outcome
        /// Whether the attempt's task was cancelled: the loser of a race.
        let isAbandoned: Bool
    }

    /// A response is kept as its hash, so that the bodies of failed attempts are not.
    private enum Outcome {
        case response(hash: Int)
        case failure(any Error)

        init(_ outcome: AttemptOutcome) {
            switch outcome {
            case .response(let response): self = .response(hash: response.hashValue)
            case .failure(let error): self = .failure(error)
            }
        }
    }

    /// Of more attempts the oldest are forgotten.
    private static let limit = 64

    private var ended: [Ended] = []
    private var time = 0

    /// Begins an attempt.
    /// - Returns: The time, to be given to ``end(begun:_:_:isAbandoned:)``.
    mutating func begin() -> Int {
        time += 1
        return time
    }

    mutating func end(begun: Int, _ request: HTTPRequest?, _ outcome: AttemptOutcome, isAbandoned: Bool) {
        time += 1
        if ended.count == Self.limit { ended.removeFirst() }
        let outcome = Outcome(outcome)
        ended.append(Ended(begin: begun, end: time, request: request, outcome: outcome, isAbandoned: isAbandoned))
    }

    /// The request of the attempt with this outcome; `nil` if there is none.
    ///
    /// Of several attempts with an equal outcome those that were not cancelled count. Of attempts one after the other the last one
    /// counts, of attempts at the same time the one that ended first.
    func request(of outcome: AttemptOutcome) -> HTTPRequest? {
        guard !ended.isEmpty else { return nil }
        let equal = matches(of: Outcome(outcome))
        let wanted = equal.contains { !$0.isAbandoned } ? equal.filter { !$0.isAbandoned } : equal
        guard let last = wanted.last else { return nil }
        return (wanted.first { $0.end > last.begin } ?? last).request
    }

    private func matches(of outcome: Outcome) -> [Ended] {
        ended.filter { attempt in
            switch (attempt.outcome, outcome) {
            case (.response(let one), .response(let other)): one == other
            case (.failure(let one), .failure(let other)): areEqual(one, other)
            default: false
            }
        }
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
