import Foundation

/// A mapping of a call, or outside of a call: the log of its issues, and the conventions for `Codable` entries.
// Sendable: the variables are only accessed with `lock` held; the log has another lock.
final class MappingSession: IssueLog, @unchecked Sendable {
    /// The mapping in progress.
    static var inProgress: MappingSession? { current as? MappingSession }

    /// The server's conventions for keys and formats of `Codable` entries.
    let conventions: CodingConventions
    /// The decoder for `Codable` entries.
    let decoder: JsonDecoder
    /// The given encoder for `Codable` entries; `nil` if the encoder follows from the conventions.
    private let givenEncoder: JsonEncoder?
    /// The session of the call, if this session is for one mapping of the call.
    private let whole: MappingSession?
    private let lock = NSLock()
    private var mapped: Json?
    private var isTrialInProgress = false
    private var failedTrials: [TrialID: any Error] = [:]
    private var currentSearch: Search?
    private var memoryOfSearches: (any Sendable)?
    /// The mapping around this session, if the session is only for one value inside of it. A coder with other settings
    /// reads or writes that value, or the value is read without tolerance.
    private let enclosing: MappingSession?
    private var lost = ElementNumbering()

    convenience init(policy: MappingPolicy, conventions: CodingConventions = CodingConventions()) {
        self.init(policy, conventions, partOf: nil)
    }

    private init(_ policy: MappingPolicy, _ conventions: CodingConventions, partOf whole: MappingSession?) {
        self.whole = whole
        enclosing = nil
        self.conventions = conventions
        var decoder = conventions.isPlain ? .plain : conventions.decoder
        decoder.isOfMapping = true
        self.decoder = decoder
        givenEncoder = nil
        super.init(policy: policy)
    }

    /// Makes a session for the entries inside a value that a coder reads or writes. The session has the settings of the
    /// coder, and the policy of the mapping in progress. If no mapping is in progress, it has the default policy.
    init(decoder: JsonDecoder = .plain, encoder: JsonEncoder = .plain) {
        whole = nil
        var conventions = CodingConventions()
        if case .naming(let naming) = decoder.keys { conventions.keys = naming }
        if case .naming(let naming) = encoder.keys { conventions.keys = naming }
        self.conventions = conventions
        var decoder = decoder
        decoder.isOfMapping = true
        // A decoder that code has stored may be one of a search or of a reading with tolerance.
        decoder.tolerance = nil
        self.decoder = decoder
        givenEncoder = encoder
        let outer = Self.inProgress
        enclosing = outer
        super.init(policy: outer?.policy ?? .standard)
        // The session continues the trial or search of the mapping. Otherwise each level of such values would repeat
        // the trial or search.
        if let outer { (isTrialInProgress, currentSearch) = outer.reading }
    }

    /// Makes a session for a value that is read without tolerance in a mapping that leaves values out.
    private init(withoutTolerance mapping: MappingSession) {
        whole = mapping.whole
        enclosing = mapping
        conventions = mapping.conventions
        decoder = mapping.decoder
        givenEncoder = mapping.givenEncoder
        var policy = mapping.policy
        policy.salvages = false
        policy.collectsAll = false
        super.init(policy: policy)
        document = mapping.document
    }

    private var reading: (isTrial: Bool, search: Search?) { lock.withLock { (isTrialInProgress, currentSearch) } }

    /// The encoder for `Codable` entries.
    var encoder: JsonEncoder {
        var encoder = givenEncoder ?? (conventions.isPlain ? .plain : conventions.encoder)
        encoder.isOfMapping = true
        return encoder
    }

    /// Runs a part of the mapping in progress in this session. Afterwards its issues are added to the mapping.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let outer = Self.inProgress
        let mark = outer?.mark ?? .start
        do {
            let value = try IssueLog.with(self, body)
            settleAside(since: .start)
            end(in: outer)
            return value
        } catch {
            settleAside(since: .start, after: error)
            end(in: outer)
            outer?.setAside(since: mark, failedBy: error)
            throw error
        }
    }

    private func end(in outer: MappingSession?) {
        let losses = takeLosses()
        outer?.merge(self, mapsResponse: false)
        outer?.add(Part(losses: losses))
        if search?.usedPlaceholders == true { outer?.search?.usedPlaceholders = true }
    }

    /// Reads a value that a default replaces if any part of the value cannot be read. Under a policy that leaves values
    /// out, the value is read without tolerance, so its first error ends the reading. With tolerance, inner values with
    /// a default would be read again at each level.
    static func readingWhole<Value>(_ read: () throws -> Value) throws -> Value {
        guard let mapping = inProgress, mapping.policy.leavesOut else { return try read() }
        return try MappingSession(withoutTolerance: mapping).run(read)
    }

    /// Whether a reading without tolerance must be repeated with tolerance. True if the policy leaves values out, and
    /// warnings, errors, losses or omitted issues were added since a mark. The second reading may avoid them or
    /// describe them better. Tolerance does not change an info, such as a default for a missing value.
    func readsTolerantly(since mark: Mark) -> Bool {
        policy.leavesOut && self.mark != mark && hasWarnings(since: mark)
    }

    /// Whether the policy reads an entry again after a failure.
    private var readsAgain: Bool { policy.leavesOut || policy.collectsAll }

    /// Whether the reading in progress is a trial. After a failure or a loss in a trial, the value is read again with
    /// the tolerance of the policy. An entry inside a trial is not read again by itself, because each level of entries
    /// would then double the readings of the inner entries. False under a policy that never reads again.
    var isTrial: Bool { readsAgain && lock.withLock { isTrialInProgress } }

    /// Runs a reading: a first reading as a trial, a repeated reading without a trial. Afterwards the state of the
    /// enclosing reading is restored. Has no effect under a policy that never reads again.
    func reading<Value>(asTrial isTrial: Bool, _ body: () throws -> Value) rethrows -> Value {
        guard readsAgain else { return try body() }
        let outer = exchangeTrial(isTrial)
        defer { if outer != isTrial { _ = exchangeTrial(outer) } }
        return try body()
    }

    private func exchangeTrial(_ isTrial: Bool) -> Bool {
        lock.withLock {
            defer { isTrialInProgress = isTrial }
            return isTrialInProgress
        }
    }

    /// Records that an entry has failed in a trial. The entry is read once more with the tolerance of the policy, as a
    /// part of the entry around it. In that second reading, the entry has no trial of its own. Otherwise each level of
    /// entries would repeat the trials of all inner levels. An entry that was read with issues in a trial is noted,
    /// too: see ``recordLoss(inTrialOf:as:)``.
    func record(_ error: any Error, inTrialOf entry: Json, as type: Any.Type) {
        guard !(error is CancellationError), let id = TrialID(entry, type) else { return }
        lock.withLock {
            if failedTrials.count >= Self.mostFailedTrials { failedTrials = [:] }
            failedTrials[id] = error
        }
    }

    /// Records that an entry was read in a trial, but with issues. Because of these issues, the entry is read once more
    /// with tolerance (``readsTolerantly(since:)``).
    func recordLoss(inTrialOf entry: Json, as type: Any.Type) { record(TrialWithLoss(), inTrialOf: entry, as: type) }

    /// Stands in for the error of a trial that has read its entry with issues. Nothing shows this error: a policy that
    /// leaves values out does not use the error of a trial.
    private struct TrialWithLoss: Error {}

    /// Returns the error that an earlier trial has recorded for an entry; `nil` if there is none.
    func errorInTrial(of entry: Json, as type: Any.Type) -> (any Error)? {
        guard readsAgain else { return nil }
        return lock.withLock { failedTrials.isEmpty ? nil : TrialID(entry, type).flatMap { failedTrials[$0] } }
    }

    /// Whether any entry has failed, or was read with issues, in an earlier trial.
    var hasFailedTrials: Bool { readsAgain && lock.withLock { !failedTrials.isEmpty } }

    /// The maximum number of failed entries to keep. The next entry that fails clears the list, because the errors take
    /// memory.
    private static var mostFailedTrials: Int { 1_000 }

    /// An entry in a document, and the type that it is read as.
    private struct TrialID: Hashable {
        private let document: JsonDocument
        private let position: Int
        private let type: ObjectIdentifier

        init?(_ entry: Json, _ type: Any.Type) {
            guard case .view(let document, let position) = entry.storage else { return nil }
            self.document = document
            self.position = position
            self.type = ObjectIdentifier(type)
        }

        static func == (one: TrialID, other: TrialID) -> Bool {
            one.document === other.document && one.position == other.position && one.type == other.type
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(document))
            hasher.combine(position)
            hasher.combine(type)
        }
    }

    /// A search for all errors of an entry.
    struct Search {
        /// Whether this is the second search of the entry, with other placeholders.
        let usesSecondPlaceholders: Bool
        /// Whether the search has used a placeholder, in the entry or in an inner entry.
        var usedPlaceholders = false
    }

    /// The search in progress. In each search of an outer entry, an inner entry is searched only once, with the same
    /// set of placeholders. The search of the outer entry is repeated with the other set.
    var search: Search? {
        get { lock.withLock { currentSearch } }
        set { lock.withLock { currentSearch = newValue } }
    }

    /// Returns the data that searches keep from one entry of the mapping to the next. `make` creates it on first use.
    func searchMemory<Memory: Sendable>(_ make: () -> Memory) -> Memory {
        if let enclosing { return enclosing.searchMemory(make) }
        return lock.withLock {
            if let memory = memoryOfSearches as? Memory { return memory }
            let memory = make()
            memoryOfSearches = memory
            return memory
        }
    }

    /// Makes a session for one mapping of a call. Concurrent mappings of a call have separate issues.
    /// - Parameter mapsResponse: Whether the mapping is one of the stages that map the response. The indices of
    ///   such a stage are those of the arrays that the previous stage returned.
    /// - Returns: The session.
    func makePart(mapsResponse: Bool) -> MappingSession {
        let part = MappingSession(policy, conventions, partOf: self)
        part.document = document
        if mapsResponse { part.numbering = numbering }
        return part
    }

    func isPart(of other: MappingSession) -> Bool { whole === other }

    /// Adds the issues of a part that has ended. If the part has failed, sets its issues aside
    /// (``IssueLog/setAside(since:failedBy:)``).
    /// - Parameters:
    ///   - part: The part.
    ///   - mapsResponse: See ``makePart(mapsResponse:)``.
    ///   - error: The error of the part; `nil` if it has succeeded.
    func merge(_ part: MappingSession, mapsResponse: Bool, failedBy error: (any Error)? = nil) {
        if let document = part.document { self.document = document }
        if mapsResponse, error == nil {
            var numbering = part.numbering
            numbering.add(part.takeLosses(), after: part.numbering)
            self.numbering = numbering
        }
        let (issues, omitted) = part.take()
        if let error {
            setAside(Part(issues: issues, omitted: omitted), failedBy: error)
        } else {
            add(issues, omitted: omitted)
        }
    }

    /// The document of the mapping. It is kept only under a naming, to find the JSON keys of property names.
    var document: Json? {
        get { lock.withLock { mapped } }
        set { if conventions.keys != nil { lock.withLock { mapped = newValue } } }
    }

    /// Sets the document of an entry as the document of the mapping, if the mapping has none. Needed outside a call,
    /// where the document is not known in advance.
    func record(documentOf entry: Json) {
        if conventions.keys != nil, document == nil { document = entry.documentRoot }
    }

    /// The elements that earlier mappings of the call left out. The indices of later mappings are those of the
    /// shortened arrays. This numbering converts them to those of the document.
    private(set) var numbering: ElementNumbering {
        get { lock.withLock { lost } }
        set { lock.withLock { lost = newValue } }
    }

    /// Begins a mapping of the received document itself.
    func begin(_ document: Json?) {
        self.document = document
        numbering = ElementNumbering()
    }

    /// Throws if the policy left out the whole response, so that it is `nil`. Such a response could not be
    /// distinguished from a `null` of the server.
    /// - Parameters:
    ///   - response: The response.
    ///   - path: The response's path in the value that was mapped.
    /// - Throws: The ``MappingError`` because of which the response was left out.
    func checkResponse(_ response: Any, at path: JsonPath) throws {
        guard policy.leavesOut, mark != .start else { return }
        guard Self.isNothing(response) else { return }
        let lost = remove(since: .start) { $0.kind == .dropped && $0.localPath == path }
        guard let causes = lost.first?.causes, let first = causes.first else { return }
        throw MappingError(first, Array(causes.dropFirst()))
    }

    private static func isNothing(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return false }
        return mirror.children.first.map { isNothing($0.value) } ?? true
    }

    /// Returns the collected issues. Clears them, the document, and the data of trials and searches.
    func take() -> (issues: [MappingIssue], omitted: Int) {
        lock.withLock {
            mapped = nil
            memoryOfSearches = nil
            failedTrials = [:]
        }
        return takeIssues()
    }

    /// Removes the collected issues.
    func discardIssues() {
        settleAside(since: .start)
        _ = take()
    }
}
