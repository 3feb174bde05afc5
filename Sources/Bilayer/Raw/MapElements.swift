// Element-wise mapping for the default conformances of both layers. The index or key of a failing element is added in
// front of its error's path.

extension Collection {
    /// Maps the elements in order. Reported issues get the index and the field's name in front of their paths. Errors
    /// get the index, and the name from the caller. Inlinable, so that an app's own types get specialized code.
    @inlinable
    @inline(__always)
    func mapElements<Mapped>(
        at key: String? = nil,
        owner: @autoclosure () -> String? = nil,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        if let log = IssueLog.current {
            return try mapElements(in: log, at: key, owner: owner(), transform)
        }
        var result: [Mapped] = []
        result.reserveCapacity(Reservation.capacity(for: count, mapping: Element.self, to: Mapped.self))
        do {
            try forEachBorrowed { element in
                result.append(try transform(element))
            }
        } catch {
            throw MappingError.owned(MappingError.located(error, at: .index(result.count)), by: owner())
        }
        return result
    }

    /// The variant with an issue log, or for a policy that continues after a failure. A separate function keeps the
    /// inlined one small.
    @inlinable
    @inline(never)
    func mapElements<Mapped>(
        in log: IssueLog,
        at key: String?,
        owner: @autoclosure () -> String?,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        let visitor = ElementVisitor(log)
        let mark = visitor.mark
        defer {
            if let key, log.mark > mark { log.prefix(since: mark, by: .key(key)) }
        }
        return try mapElements(visitor: visitor, owner: owner(), transform)
    }

    /// Maps the elements with a visitor of the caller's choice.
    @inlinable
    func mapElements<Mapped>(
        visitor given: ElementVisitor,
        owner: @autoclosure () -> String? = nil,
        _ transform: (Element) throws -> Mapped
    ) throws -> [Mapped] {
        var result: [Mapped] = []
        result.reserveCapacity(Reservation.capacity(for: count, mapping: Element.self, to: Mapped.self))
        var visitor = given
        var position = 0
        try forEachBorrowed { element in
            if let mapped = try visitor.visit(.index(position), owner: owner(), { try transform(element) }) {
                result.append(mapped)
            }
            position += 1
        }
        try visitor.finish(count: position)
        return result
    }
}

extension Sequence {
    /// Maps the members of an object or of a dictionary, each under its name.
    func mapMembers<Key: Hashable, Value, Mapped>(
        count: Int,
        owner: @autoclosure () -> String? = nil,
        visitor given: ElementVisitor? = nil,
        name: (Key) -> String,
        transform: (Key, Value) throws -> Mapped
    ) throws -> [(key: Key, value: Mapped)] where Element == (key: Key, value: Value) {
        var result: [(key: Key, value: Mapped)] = []
        result.reserveCapacity(Reservation.capacity(for: count, mapping: Value.self, to: (Key, Mapped).self))
        var visitor = given ?? ElementVisitor(IssueLog.current)
        var position = 0
        for (key, value) in self {
            let mapped = try visitor.visit(.entry(name(key)), owner: owner()) { try transform(key, value) }
            if let mapped { result.append((key, mapped)) }
            position += 1
        }
        try visitor.finish(count: position)
        return result
    }
}

extension Dictionary where Key: CodingKeyRepresentable {
    @usableFromInline
    func mapMembers<Mapped>(
        owner: @autoclosure () -> String? = nil,
        _ transform: (Value) throws -> Mapped
    ) throws -> [Key: Mapped] {
        try mapMembers(visitor: nil, owner: owner(), transform)
    }

    func mapMembers<Mapped>(
        visitor: ElementVisitor?,
        owner: @autoclosure () -> String? = nil,
        _ transform: (Value) throws -> Mapped
    ) throws -> [Key: Mapped] {
        func mapped(_ members: some Sequence<Element>) throws -> [Key: Mapped] {
            let members = try members.mapMembers(
                count: count,
                owner: owner(),
                visitor: visitor,
                name: \.codingKey.stringValue,
                transform: { try transform($1) }
            )
            return [Key: Mapped](uniqueKeysWithValues: members.lazy.map { ($0.key, $0.value) })
        }
        // A dictionary has no order, but its report and its error have: without a report only the error.
        if visitor != nil || IssueLog.current != nil { return try mapped(inOrder) }
        do {
            return try mapped(self)
        } catch is MappingError {
            return try mapped(inOrder)
        }
    }

    private var inOrder: [Element] {
        map { (name: $0.key.codingKey.stringValue, member: $0) }.sorted { $0.name < $1.name }.map(\.member)
    }
}

/// The loop body for mapping a collection. Adds the element's path component in front of errors and issues. The policy
/// decides whether a failed element ends the collection, is collected with others, or is left out.
///
/// An element without issues costs one check of the log. The inlinable code is specialized in the app. Code that
/// only elements with issues need stays in the library.
@usableFromInline
struct ElementVisitor {
    @usableFromInline let log: IssueLog?
    /// The log's mark before the next element.
    @usableFromInline var mark: Int
    /// The number of causes in the error of a collection that lost too much.
    private static var mostCauses: Int { 10 }

    private let salvages: Bool
    private let toleratedLoss: Double
    private let base: (() -> JsonPath)?
    private let start: Int
    /// The issues of the failed elements: the errors to collect, or the first causes of what is left out.
    private var failures: [MappingIssue] = []
    private var dropped = 0
    private var droppedIndices: [Int] = []

    /// Makes a visitor for the elements of one collection.
    /// - Parameters:
    ///   - log: The log of the mapping in progress.
    ///   - salvages: Whether failed elements are left out under every policy.
    ///   - toleratedLoss: The fraction of elements that may be left out, unless the policy allows less.
    ///   - base: Returns the path of the collection in the document, if the paths of its elements' issues and errors
    ///     begin there, as those of a `Decoder`; `nil` if they begin at the element.
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
        start = log?.mark ?? 0
        mark = start
    }

    /// Makes a visitor that follows the policy.
    @usableFromInline
    init(_ log: IssueLog?) { self.init(log, salvages: false) }

    /// The path of the collection, from where the paths of issues and errors begin. Made only for an issue.
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
        if let log, log.mark > mark { prefixIssues(by: step(), owner: owner()) }
    }

    /// Whether nothing was reported since the element before.
    var hasNoIssue: Bool { log.map { $0.mark == mark } ?? true }

    /// Removes what was reported since the element before.
    func removeIssues() { log?.remove(since: mark) }

    /// Ends the collection.
    /// - Parameter count: The number of visited elements.
    /// - Throws: The collected errors, or an error that too many elements were left out.
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

    /// Puts the element in front of the paths of what it has reported, or adds the owner if they have it already.
    @usableFromInline
    mutating func prefixIssues(by step: JsonPath.Component, owner: String?) {
        if base == nil {
            log?.prefix(since: mark, by: step, owner: owner)
        } else {
            log?.own(since: mark, inside: basePath.appending(step), by: owner)
        }
        mark = log?.mark ?? 0
    }

    /// Whether the error of the next element that fails is told; if not, it need not be described.
    var tellsFailures: Bool { !salvages || failures.count < Self.mostCauses || log?.isFull == false }

    /// Handles the failure of an element.
    /// - Throws: The failure, if it ends the collection.
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
        if error is CancellationError { throw error }
        if salvages, case .index(let index) = step { droppedIndices.append(index) }
        if !tellsFailures { return countDropped() }
        let failure = base == nil ? prefixed(describe(error), by: step, owner: owner) : describe(error)
        if salvages {
            drop(failure, at: basePath.appending(step), owner: owner)
        } else {
            log?.markDiscarded(since: mark)
            prefixIssues(by: step, owner: owner)
            try collect(failure)
        }
    }

    /// Leaves out an element for whose cause neither the report nor an error has room.
    private mutating func countDropped() {
        dropped += 1
        guard let log else { return }
        log.remove(since: mark)
        log.addUnkept()
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
        // An element that is no value of its type belongs to the enclosing type.
        let owner = failure.issues.first?.owner.flatMap { owner ?? $0 }
        log.add(MappingIssue(.dropped, severity: .warning, path: path, owner: owner, causes: failure.issues))
        mark = log.mark
    }

    private mutating func collect(_ failure: MappingError) throws {
        guard let policy = log?.policy, policy.collectsAll else { throw failure }
        failures += failure.issues.prefix(policy.issueLimit - failures.count)
        if failures.count >= policy.issueLimit {
            log?.noteLimit()
            try throwFailures()
        }
    }

    private func throwFailures() throws {
        if let first = failures.first { throw MappingError(first, Array(failures.dropFirst())) }
    }
}

extension Reservation {
    /// The capacity for elements that are mapped from others. Those are in memory already or, as ``Json``, take two
    /// bytes of text at least.
    @usableFromInline
    static func capacity<Source, Mapped>(for count: Int, mapping source: Source.Type, to type: Mapped.Type) -> Int {
        let textBytes = source == Json.self ? 2 : MemoryLayout<Source>.stride
        return capacity(for: count, stride: MemoryLayout<Mapped>.stride, textBytes: count &* textBytes)
    }
}

extension ElementVisitor {
    /// A visitor that leaves out elements that fail.
    static func salvaging(_ toleratedLoss: Double, in decoder: (any Decoder)? = nil) -> ElementVisitor {
        ElementVisitor(
            IssueLog.current,
            salvages: true,
            toleratedLoss: toleratedLoss,
            base: decoder.map { decoder in { JsonPath(decoder.codingPath) } }
        )
    }
}
