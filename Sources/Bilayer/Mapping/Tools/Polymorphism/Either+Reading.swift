// How an ``Either`` chooses its type.

extension Either {
    /// The choice between the types, and the value or error that results from it.
    typealias Outcome = (choice: EitherChoice, result: Result<Either, any Error>)

    /// Reads one of the two types: ``Either`` describes the choice.
    /// - Parameters:
    ///   - source: The value that is read.
    ///   - first: Reads the first type.
    ///   - second: Reads the second type.
    ///   - neither: Makes the error of a value that is of neither type.
    /// - Returns: The choice, and the value or the error to throw.
    static func outcome(
        from source: @autoclosure () -> EitherSource,
        first: () throws -> First,
        second: () throws -> Second,
        neither: (MappingIssue) -> any Error
    ) -> Outcome {
        // Without inner containers little is read twice, so the choice is not stored.
        if isScalar || !source().isNested { return chosen(first: first, second: second, neither: neither).outcome }
        guard let choices = EitherChoices.current else {
            return EitherChoices.keeping(source()) {
                chosen(first: first, second: second, neither: neither).outcome
            }
        }
        let place = choices.place(of: source(), as: Self.self)
        if let place, let known = choices.known(place) {
            if let error = known.error { return (known.choice, .failure(error)) }
            return (known.choice, result(known.choice, first: first, second: second, neither: neither))
        }
        let (outcome, isReadTwice) = chosen(first: first, second: second, neither: neither)
        if isReadTwice, let place {
            var error: (any Error)?
            if case .failure(let found) = outcome.result { error = found }
            choices.record(outcome.choice, failedBy: error, at: place)
        }
        return outcome
    }

    /// Searches for all errors of the value, as the chosen type only. A search as both types would search all inner
    /// values twice. With an ``Either`` at each level, the number of searches would double with each level.
    /// - Parameters:
    ///   - source: The value that is read.
    ///   - outcome: Chooses the type.
    ///   - isRepeated: Whether a valid value is read again, too.
    ///   - first: Searches as the first type.
    ///   - second: Searches as the second type.
    /// - Returns: The value.
    /// - Throws: All errors of the chosen type, the error of a value of neither type, or a `CancellationError`.
    static func searched(
        _ source: @autoclosure () -> EitherSource,
        choosing outcome: () -> Outcome,
        isRepeated: Bool,
        first: () throws -> First,
        second: () throws -> Second
    ) throws -> Either {
        try EitherChoices.keeping(source()) {
            let mapping = MappingSession.inProgress
            let mark = mapping?.mark ?? .start
            let (choice, result) = mapping?.reading(asTrial: true, outcome) ?? outcome()
            switch result {
            case .success(let value) where !isRepeated: return value
            case .failure(let error) where error is CancellationError || choice == .neither: throw error
            default: break
            }
            mapping?.remove(since: mark)
            return choice == .first ? .first(try first()) : .second(try second())
        }
    }

    /// Whether the first type is `String`, `Int`, `Double` or `Bool`. To try one of these types costs little.
    static var isScalar: Bool {
        First.self == String.self || First.self == Int.self || First.self == Double.self || First.self == Bool.self
    }

    private static func result(
        _ choice: EitherChoice,
        first: () throws -> First,
        second: () throws -> Second,
        neither: (MappingIssue) -> any Error
    ) -> Result<Either, any Error> {
        Result {
            switch choice {
            case .first: .first(try first())
            case .second: .second(try second())
            case .neither: throw neither(isNeither)
            }
        }
    }

    /// Reads one or both types, and chooses between them.
    /// - Returns: The outcome, and whether both were read.
    private static func chosen(
        first: () throws -> First,
        second: () throws -> Second,
        neither: (MappingIssue) -> any Error
    ) -> (outcome: Outcome, isReadTwice: Bool) {
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        let firstError: any Error
        do {
            let value = try first()
            // The first type left something out. Under a stricter policy it would have failed, so the second type may
            // fit.
            if let log, log.policy.leavesOut, log.hasDropped(since: mark) {
                return (preferred(first: value, second: second, log, since: mark), true)
            }
            return ((.first, .success(.first(value))), false)
        } catch {
            firstError = error
        }
        if firstError is CancellationError { return ((.first, .failure(firstError)), false) }
        // Issues of the first type do not concern the second.
        log?.setAside(since: mark, failedBy: firstError)
        let secondMark = log?.mark ?? .start
        do {
            let value = try second()
            log?.settleAside(since: mark)
            return ((.second, .success(.second(value))), true)
        } catch let secondError {
            log?.setAside(since: secondMark, failedBy: secondError)
            if secondError is CancellationError { return ((.second, .failure(secondError)), false) }
            let (one, other) = (Progress(firstError), Progress(secondError))
            if one < other { return ((.second, .failure(secondError)), true) }
            return ((one > other ? (.first, .failure(firstError)) : (.neither, .failure(neither(isNeither)))), true)
        }
    }

    /// The issue of a value of neither type.
    private static var isNeither: MappingIssue {
        MappingIssue(.wrongType, expected: "\(expectedNoun(First.self)) or \(expectedNoun(Second.self))")
    }

    /// How far a type got into the value: the depth of its error. At equal depth, a missing member counts less.
    private struct Progress: Comparable {
        let depth: Int
        let isPresent: Bool

        init(_ error: any Error) {
            var issue = MappingError(wrapping: error).issues.first
            // The error of a collection that lost too many elements has the path of the collection. The depth of its
            // first cause counts instead.
            while issue?.kind == .tooManyDropped, let cause = issue?.causes.first { issue = cause }
            depth = issue?.localPath.components.count ?? 0
            isPresent = issue?.kind != .missing
        }

        static func < (left: Progress, right: Progress) -> Bool {
            (left.depth, left.isPresent ? 1 : 0) < (right.depth, right.isPresent ? 1 : 0)
        }
    }

    /// Returns the second type if it can be read without a loss, else the first type, which was read with a loss.
    private static func preferred(
        first: First,
        second: () throws -> Second,
        _ log: IssueLog,
        since mark: IssueLog.Mark
    ) -> Outcome {
        let reported = log.take(since: mark)
        do {
            let value = try second()
            if !log.hasDropped(since: mark) { return (.second, .success(.second(value))) }
        } catch let error as CancellationError {
            return (.second, .failure(error))
        } catch {}
        log.remove(since: mark)
        log.add(reported)
        return (.first, .success(.first(first)))
    }
}
