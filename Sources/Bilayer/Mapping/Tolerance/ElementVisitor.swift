/// The one loop body of everything that maps a collection part by part: puts the part's step to what went wrong or was
/// forgiven in it, and decides by the policy whether a failed part ends the collection, joins the others that failed, or is
/// left out.
struct ElementVisitor {
    private let session: MappingSession?
    private let policy: MappingPolicy
    private let salvages: Bool
    private let toleratedLoss: Double
    private let place: JsonPath?
    private var failures: [MappingIssue] = []
    private var visited = 0
    private var dropped = 0

    /// Makes a visitor of the parts of one collection.
    /// - Parameters:
    ///   - session: The mapping in progress.
    ///   - salvages: Whether failed parts are left out whatever the policy says.
    ///   - toleratedLoss: The part that may be left out, if the policy does not allow less.
    ///   - place: Where the collection stands, if issues and errors out of its parts have paths that begin at the root already
    ///     (as in a `Decoder`); `nil` if their paths begin at the part.
    init(_ session: MappingSession?, salvages: Bool = false, toleratedLoss: Double = 1, place: JsonPath? = nil) {
        self.session = session
        self.policy = session?.policy ?? .standard
        self.salvages = (salvages || policy.salvages) && !policy.refusesForgiveness
        self.toleratedLoss = min(toleratedLoss, policy.toleratedLoss)
        self.place = place
    }

    /// Maps one part.
    /// - Returns: What the part became, or `nil` if it was left out.
    mutating func visit<Mapped>(
        _ step: JsonPath.Component,
        owner: @autoclosure () -> String?,
        _ body: () throws -> Mapped
    ) throws -> Mapped? {
        let mark = session?.mark ?? 0
        visited += 1
        do {
            let value = try body()
            if place == nil { session?.relocate(since: mark, to: step, owner: owner()) }
            return value
        } catch let error as CancellationError {
            throw error
        } catch {
            let failure = place == nil ? located(error, at: step, owner: owner()) : MappingError(wrapping: error)
            try settle(failure, at: (place ?? .root).appending(step), since: mark)
            return nil
        }
    }

    /// Ends the collection.
    /// - Throws: What was put off, or that too little is left.
    func finish() throws {
        if let first = failures.first { throw MappingError(first, Array(failures.dropFirst())) }
        guard dropped > 0 else { return }
        if dropped == visited || Double(dropped) > toleratedLoss * Double(visited) {
            throw MappingError(
                MappingIssue(
                    .tooManyDropped,
                    path: place ?? .root,
                    detail: "\(dropped) of \(visited) elements could not be read"
                )
            )
        }
    }

    private func located(_ error: any Error, at step: JsonPath.Component, owner: String?) -> MappingError {
        MappingError(wrapping: error)
            .updatingIssues { issue in
                issue.prefix(by: JsonPath([step]))
                issue.owner = issue.owner ?? owner
            }
    }

    private mutating func settle(_ failure: MappingError, at path: JsonPath, since mark: Int) throws {
        if salvages {
            session?.forget(since: mark)
            session?
                .add(
                    MappingIssue(
                        .dropped,
                        severity: .warning,
                        path: path,
                        owner: failure.issues.first?.owner,
                        causes: failure.issues
                    )
                )
            dropped += 1
        } else if policy.collectsAll {
            failures += failure.issues.prefix(policy.issueLimit - failures.count)
            if failures.count >= policy.issueLimit { try finish() }
        } else {
            throw failure
        }
    }
}
