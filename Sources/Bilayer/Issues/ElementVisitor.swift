/// The loop body for mapping a collection. Prepends the element's path component to errors and issues. The policy and
/// the caller decide whether a failed element ends the collection, is collected with others, or is left out.
///
/// An element without issues costs one check of the log. The inlinable code is specialized in the app. Code that is
/// needed only for elements with issues stays in the library.
@usableFromInline
struct ElementVisitor {
    @usableFromInline let log: IssueLog?
    /// The log's mark before the next element.
    @usableFromInline var mark: IssueLog.Mark
    /// The maximum number of causes in the error of a collection that lost too many elements.
    private static var mostCauses: Int { 10 }

    private let salvages: Bool
    private let toleratedLoss: Double
    private let base: (() -> JsonPath)?
    private let start: IssueLog.Mark
    /// The issues of the failed elements: the errors to collect, or the causes of the first elements that were left
    /// out.
    private var failures: [MappingIssue] = []
    private var dropped = 0
    private var droppedIndices: [Int] = []

    /// Makes a visitor for the elements of one collection.
    /// - Parameters:
    ///   - log: The log of the mapping in progress.
    ///   - salvages: Whether failed elements are left out under every policy but one that treats warnings as errors. If
    ///     false, the policy decides.
    ///   - toleratedLoss: The fraction of elements that may be left out, unless the policy allows less.
    ///   - base: Returns the path of the collection, if the paths of its elements' issues and errors begin at a
    ///     decoder's root. `nil` if they begin at the element.
    init(
        _ log: IssueLog?,
        salvages: Bool,
        toleratedLoss: Double = 1,
        base: (() -> JsonPath)? = nil
    ) {
        let policy = log?.policy ?? .standard
        self.log = log
        self.salvages = policy.leavesOut || salvages && !policy.treatsWarningsAsErrors
        self.toleratedLoss = toleratedLoss.isNaN ? 0 : min(toleratedLoss, policy.toleratedLoss)
        self.base = base
        start = log?.mark ?? .start
        mark = start
    }

    /// Makes a visitor that follows the policy.
    @usableFromInline
    init(_ log: IssueLog?) { self.init(log, salvages: false) }

    /// The path of the collection, beginning where the paths of the elements' issues begin. Made only for an issue.
    private var basePath: JsonPath { base?() ?? .root }

    /// Maps one element.
    /// - Returns: The mapped element, or `nil` if it was left out.
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
        elementWasRead(at: step(), owner: owner())
        return value
    }

    /// Completes the issues of an element that was read.
    @inlinable
    @inline(__always)
    mutating func elementWasRead(at step: @autoclosure () -> JsonPath.Component, owner: @autoclosure () -> String?) {
        if let log, log.hasAdditions(since: mark) { complete(by: step(), owner: owner()) }
    }

    @usableFromInline
    mutating func complete(by step: JsonPath.Component, owner: String?) {
        log?.settleAside(since: mark)
        prefixIssues(by: step, owner: owner)
    }

    /// Whether the first failed element ends the collection: it is neither left out nor collected.
    var stopsAtErrors: Bool { !salvages && log?.policy.collectsAll != true }

    /// Whether warnings, errors or losses were reported since the previous element.
    var hasWarnings: Bool { log.map { $0.mark != mark && $0.hasWarnings(since: mark) } ?? false }

    /// Whether nothing was reported since the previous element.
    var hasNoIssue: Bool { log.map { $0.mark == mark } ?? true }

    /// Removes the issues of inner values whose errors the element has discarded. Called after the element has been
    /// read.
    func settleAside() {
        if !hasNoIssue { log?.settleAside(since: mark) }
    }

    /// Removes everything that was reported since the previous element.
    func removeIssues() { log?.remove(since: mark) }

    /// Ends the collection.
    /// - Parameter count: The number of visited elements.
    /// - Throws: The collected errors, or an error of kind `tooManyDropped`.
    @usableFromInline
    func finish(count: Int) throws {
        guard salvages else { return try throwFailures() }
        guard dropped > 0 else { return }
        if dropped == count || Double(dropped) / Double(count) > toleratedLoss {
            log?.remove(since: start)
            throw MappingError(
                MappingIssue(
                    .tooManyDropped,
                    path: basePath,
                    detail: "\(dropped) of \(count) elements could not be read",
                    causes: failures
                )
            )
        }
        if !droppedIndices.isEmpty { log?.addLoss(of: droppedIndices, at: basePath) }
    }

    /// Prepends the element's component to the paths of its issues and adds the owner. If the paths already begin at a
    /// decoder's root, only the owner is added.
    @usableFromInline
    mutating func prefixIssues(by step: JsonPath.Component, owner: String?) {
        if base == nil {
            log?.prefix(since: mark, by: step, owner: owner)
        } else {
            log?.setOwner(since: mark, inside: basePath.appending(step), by: owner)
        }
        mark = log?.mark ?? .start
    }

    /// Whether the error of the next failing element is reported. If not, the error need not be described.
    var describesFailures: Bool { !salvages || failures.count < Self.mostCauses || log?.isFull == false }

    /// Handles the failure of an element.
    /// - Throws: The failure, or all collected failures, if this failure ends the collection.
    @usableFromInline
    mutating func failed(_ error: any Error, at step: JsonPath.Component, owner: String?) throws {
        try failed(error, at: step, owner: owner, describing: MappingError.init(wrapping:))
    }

    /// Handles the failure of an element whose error is described only if it is reported.
    mutating func failed(
        _ error: any Error,
        at step: JsonPath.Component,
        owner: String?,
        describing describe: (any Error) -> MappingError
    ) throws {
        if error is CancellationError {
            prefixIssues(by: step, owner: owner)
            throw ending(with: error)
        }
        if salvages, case .index(let index) = step { droppedIndices.append(index) }
        if !describesFailures { return countDropped() }
        let failure = base == nil ? prefixed(describe(error), by: step, owner: owner) : describe(error)
        if salvages {
            drop(failure, at: basePath.appending(step), owner: owner)
        } else {
            log?.settleAside(since: mark, after: error)
            prefixIssues(by: step, owner: owner)
            try collect(failure)
        }
    }

    /// Leaves out an element without a description of its error, because neither the report nor an error has room for
    /// it.
    private mutating func countDropped() {
        dropped += 1
        guard let log else { return }
        log.remove(since: mark)
        log.countDropped()
        mark = log.mark
    }

    private func prefixed(_ error: any Error, by step: JsonPath.Component, owner: String?) -> MappingError {
        MappingError(wrapping: error)
            .updatingIssues { issue in
                issue.prefix(by: JsonPath([step]))
                issue.owner = issue.owner ?? owner
            }
    }

    private mutating func drop(_ failure: MappingError, at path: JsonPath, owner: String?) {
        dropped += 1
        if failures.count < Self.mostCauses { failures += failure.issues.prefix(Self.mostCauses - failures.count) }
        guard let log else { return }
        log.remove(since: mark)
        // An issue without an owner is about the element itself, and belongs to the enclosing type.
        let owner = failure.issues.first?.owner.flatMap { owner ?? $0 }
        log.add(MappingIssue(.dropped, severity: .warning, path: path, owner: owner, causes: failure.issues))
        mark = log.mark
    }

    private mutating func collect(_ failure: MappingError) throws {
        guard let policy = log?.policy, policy.collectsAll else { throw ending(with: failure) }
        failures += failure.issues.prefix(policy.issueLimit - failures.count)
        if failures.count >= policy.issueLimit {
            failures[0].endsSearch = true
            try throwFailures()
        }
    }

    private func throwFailures() throws {
        if let first = failures.first { throw ending(with: MappingError(first, Array(failures.dropFirst()))) }
    }

    /// Returns the error that ends the collection. Sets the issues of the elements aside, because code may
    /// catch the error and continue.
    private func ending(with error: any Error) -> any Error {
        log?.setAside(since: start, failedBy: error)
        return error
    }
}

extension ElementVisitor {
    /// Makes a visitor that leaves out elements that fail, under every policy but one that treats warnings as errors.
    static func salvaging(_ toleratedLoss: Double, in decoder: (any Decoder)? = nil) -> ElementVisitor {
        ElementVisitor(
            IssueLog.current,
            salvages: true,
            toleratedLoss: toleratedLoss,
            base: decoder.map { decoder in { JsonPath(decoder.codingPath) } }
        )
    }

    /// Makes a visitor that follows the policy, for the elements of a decoder's collection.
    static func followingPolicy(in decoder: any Decoder) -> ElementVisitor {
        ElementVisitor(IssueLog.current, salvages: false, base: { JsonPath(decoder.codingPath) })
    }
}
