/// The loop body for mapping a collection. Puts the element's path component in front of errors and issues. Decides by
/// the policy whether a failed element ends the collection, is gathered with others, or is left out.
///
/// A part without issues costs one look at the session. What is inlinable here is compiled for the types at hand, in
/// the app; everything that only a part with issues needs stays inside.
@usableFromInline
struct ElementVisitor {
    @usableFromInline let session: IssueLog?
    /// The session's mark before the part that is visited next.
    @usableFromInline var mark: Int
    private let salvages: Bool
    private let toleratedLoss: Double
    private let place: JsonPath?
    private var failures: [MappingIssue] = []
    private var dropped = 0

    /// Makes a visitor of the parts of one collection.
    /// - Parameters:
    ///   - session: The mapping in progress.
    ///   - salvages: Whether failed parts are left out whatever the policy says.
    ///   - toleratedLoss: The part that may be left out, if the policy does not allow less.
    ///   - place: The path of the collection, if issues and errors out of its parts have paths that begin at the root
    ///     already (as in a `Decoder`); `nil` if their paths begin at the part.
    init(_ session: IssueLog?, salvages: Bool, toleratedLoss: Double = 1, place: JsonPath? = nil) {
        let policy = session?.policy ?? .standard
        self.session = session
        self.salvages = policy.leavesOut || salvages && !policy.treatsWarningsAsErrors
        self.toleratedLoss = toleratedLoss.isNaN ? 0 : min(toleratedLoss, policy.toleratedLoss)
        self.place = place
        mark = session?.mark ?? 0
    }

    /// Makes a visitor that does as the policy says.
    @usableFromInline
    init(_ session: IssueLog?) { self.init(session, salvages: false) }

    /// Maps one part.
    /// - Returns: What the part became, or `nil` if it was left out.
    @inlinable
    mutating func visit<Mapped>(
        _ step: @autoclosure () -> JsonPath.Component,
        owner: @autoclosure () -> String?,
        _ body: () throws -> Mapped
    ) throws -> Mapped? {
        let value: Mapped
        do {
            value = try body()
        } catch {
            try failed(error, at: step(), owner: owner())
            return nil
        }
        if let session, session.mark > mark { forgave(at: step(), owner: owner()) }
        return value
    }

    /// Ends the collection.
    /// - Parameter count: How many parts were visited.
    /// - Throws: What was put off, or that too little is left.
    @usableFromInline
    func finish(count: Int) throws {
        try throwFailures()
        guard dropped > 0 else { return }
        if dropped == count || Double(dropped) > toleratedLoss * Double(count) {
            throw MappingError(
                MappingIssue(
                    .tooManyDropped,
                    path: place ?? .root,
                    detail: "\(dropped) of \(count) elements could not be read"
                )
            )
        }
    }

    /// Locates what a part reported.
    @usableFromInline
    mutating func forgave(at step: JsonPath.Component, owner: String?) {
        if place == nil { session?.relocate(since: mark, to: step, owner: owner) }
        mark = session?.mark ?? 0
    }

    /// Decides what becomes of a part's failure.
    /// - Throws: The failure, if it ends the collection.
    @usableFromInline
    mutating func failed(_ error: any Error, at step: JsonPath.Component, owner: String?) throws {
        if error is CancellationError { throw error }
        let failure = place == nil ? located(error, at: step, owner: owner) : MappingError(wrapping: error)
        if salvages {
            drop(failure, at: (place ?? .root).appending(step))
        } else {
            forgave(at: step, owner: owner)
            try putOff(failure)
        }
    }

    private func located(_ error: any Error, at step: JsonPath.Component, owner: String?) -> MappingError {
        MappingError(wrapping: error)
            .updatingIssues { issue in
                issue.prefix(by: JsonPath([step]))
                issue.owner = issue.owner ?? owner
            }
    }

    private mutating func drop(_ failure: MappingError, at path: JsonPath) {
        dropped += 1
        guard let session else { return }
        session.forget(since: mark)
        let owner = failure.issues.first?.owner
        session.add(MappingIssue(.dropped, severity: .warning, path: path, owner: owner, causes: failure.issues))
        mark = session.mark
    }

    private mutating func putOff(_ failure: MappingError) throws {
        guard let policy = session?.policy, policy.collectsAll else { throw failure }
        failures += failure.issues.prefix(policy.issueLimit - failures.count)
        if failures.count >= policy.issueLimit { try throwFailures() }
    }

    private func throwFailures() throws {
        if let first = failures.first { throw MappingError(first, Array(failures.dropFirst())) }
    }
}
