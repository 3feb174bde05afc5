/// The record of what the `init(from:)` of one value reads, in one run or in several runs.
final class SearchFrame {
    let type: Any.Type
    let path: JsonPath
    /// Whether the enclosing type cannot continue without this value.
    private let needsValue: Bool
    /// Whether it is known which fields the type reads (``ReadShape``).
    private let isKnown: Bool
    private let choice: PlaceholderValue.Choice
    /// The record of the keys that are read; `nil` if no keys are recorded.
    let record: KeyRecord?
    /// The error of the first run.
    private var error: (any Error)?
    private var issues: [MappingIssue] = []
    private var results: [FieldRequestID: Any] = [:]
    private var failures: [FailedFieldRequest] = []
    private var presumed: Set<String> = []
    /// The errors about presumed members, each with the number of issues found before it, and whether it may follow
    /// from a placeholder.
    private var presumedIssues: [(key: String, issues: [MappingIssue], position: Int, isUncertain: Bool)] = []
    /// The request that is made to fail, and its error, to find out whether the type continues.
    private var failing: (id: FieldRequestID, error: any Error)?
    /// The member that is hidden, to find out whether the type can be read without it.
    private(set) var hidden: Absence?

    /// A member that is missing or `null`.
    struct Absence: Hashable {
        let key: String
        let isNull: Bool
    }
    private(set) var requests: [any FieldRequest] = []
    /// The keys that were requested, by a reading or by a look (`contains`, `decodeNil`).
    private(set) var keys: Set<String> = []
    /// The keys of members for which the type looks (`contains`, `decodeNil`) before it reads them.
    private(set) var lookedFor: Set<String> = []
    /// The keys of the members that the type has requested as a ``MemberGlance`` in this run, to use defaults for them.
    private(set) var tolerated: Set<String> = []
    /// The requests whose errors no longer count, because a default has replaced the value or the type has caught the
    /// error.
    private var discounted: Set<FieldRequestID> = []
    /// Whether the type's own `init(from:)` runs.
    private var isReading = false
    private(set) var hasPlaceholders = false
    /// The number of issues that were found before the first placeholder.
    private var certainIssues: Int?
    /// Whether everything was read from keyed containers of the value itself, field by field.
    var isPlain = true
    /// The number of coding keys that the type and its superclasses declare; `nil` if the keys cannot be counted.
    var keyCount: Int? {
        keyCounts.values.reduce(.some(0)) { sum, count in sum.flatMap { sum in count.map { sum + $0 } } }
    }
    private var keyCounts: [ObjectIdentifier: Int?] = [:]

    init(
        of type: Any.Type,
        at path: JsonPath,
        isKnown: Bool,
        needsValue: Bool,
        _ choice: PlaceholderValue.Choice,
        _ record: KeyRecord?
    ) {
        self.type = type
        self.path = path
        self.needsValue = needsValue
        self.isKnown = isKnown
        self.choice = choice
        self.record = record
    }

    /// Whether fields that fail need placeholders. If not, the other fields can be read without placeholders.
    var needsPlaceholders: Bool { needsValue || !isKnown }

    /// Whether a placeholder for a failed request makes more values readable: the enclosing value, or another field.
    func needsPlaceholder(for request: FailedFieldRequest) -> Bool { needsValue || !isKnown && !request.id.key.isEmpty }

    /// Removes the issues that were found after the first placeholder.
    func removeUncertain() {
        issues.removeLast(issues.count - (certainIssues ?? issues.count))
        presumedIssues.removeAll(where: \.isUncertain)
    }

    /// Whether it is known already that the type does not read like a synthesized `init(from:)`.
    var isUnlikeSynthesized: Bool { !ReadShape.isPossible(in: self) }

    /// Whether a value was read for a request, or has failed.
    func hasResult(of id: FieldRequestID) -> Bool { results[id] != nil }

    /// Begins a run. The values that earlier runs have read are kept.
    func begin() {
        failures = []
        requests = []
        keys = []
        tolerated = []
        isPlain = true
        isReading = true
    }

    /// Whether the type itself has opened a keyed container. A wrapper, such as an optional, has not.
    var opensObject: Bool { !keyCounts.isEmpty }

    /// Records the key type of a keyed container of the value.
    func open<Key: CodingKey>(_ keys: Key.Type) {
        keyCounts[ObjectIdentifier(keys)] = .some(CaseCount.count(of: keys))
    }

    /// Whether no request has failed in this run.
    var hasNoFailures: Bool { failures.isEmpty }

    func touch(_ key: String) { keys.insert(key) }

    /// Records that the type looks for a member before it reads it. The type can perhaps be read without the member.
    func lookFor(_ key: String) {
        touch(key)
        lookedFor.insert(key)
    }

    /// Returns whether a run fails while a member that the type looks for is hidden.
    func fails(without absence: Absence, _ run: () throws -> Void) -> Bool {
        begin()
        hidden = absence
        defer { hidden = nil }
        return (try? run()) == nil
    }

    func add(_ request: any FieldRequest) {
        touch(request.id.key)
        requests.append(request)
    }

    func record(_ failed: FailedFieldRequest) { failures.append(failed) }

    /// Removes the failure of a field for which the type has a default.
    /// - Returns: The number of the failure's errors that the search has counted, and must subtract; 0 if an earlier
    ///   run has removed the failure already.
    func tolerate(_ key: String) -> Int {
        var count = 0
        for failed in failures where failed.id.key == key && discounted.insert(failed.id).inserted {
            count += failed.failure.counted
        }
        failures.removeAll { $0.id.key == key }
        tolerated.insert(key)
        return count
    }

    /// Called when another value is requested. If the request before it has failed while the type itself reads, the
    /// type has caught the error.
    /// - Returns: The number of its errors that the search has counted, and must subtract.
    func discountCaught() -> Int {
        guard isReading, let last = failures.last, discounted.insert(last.id).inserted else { return 0 }
        return last.failure.counted
    }

    /// Ends a run that has failed.
    func end(by error: any Error) {
        isReading = false
        self.error = self.error ?? error
    }

    func add(_ issues: [MappingIssue]) { self.issues += issues }

    /// Returns the errors of all runs; `nil` if no run has failed.
    func failure(placeholder: Any?) -> Failure? {
        guard let error else { return nil }
        addPresumedIssues()
        let owned = issues.map { issue in
            var issue = issue
            // An issue of a field gets the name of this type. An issue of the value itself belongs to the enclosing
            // type.
            if issue.localPath.components.count > path.components.count {
                issue.owner = issue.owner ?? ownerName(of: type)
            }
            return issue
        }
        return Failure(error: error, issues: owned, placeholder: placeholder)
    }

    /// Returns whether a run ends with the error of a request that is made to fail, without a further request.
    func ends(at request: FieldRequestID, _ error: any Error, _ run: () throws -> Void) -> Bool {
        begin()
        failing = (request, error)
        defer { failing = nil }
        do {
            try run()
            return false
        } catch let thrown {
            return requests.last?.id == request && Self.isEqual(thrown, error)
        }
    }

    /// Throws if a request is made to fail, or if its member is hidden.
    func check(_ request: FieldRequestID) throws {
        if let failing, failing.id == request { throw failing.error }
        if let hidden, hidden.key == request.key { throw Hidden() }
    }

    /// Returns the value for a request. Reads it only if no earlier run has. Throws the error of a failed request.
    func value<Value>(of id: FieldRequestID, isNested: Bool, _ read: () throws -> SearchResult<Value>) throws -> Value {
        let result = try results[id] as? SearchResult<Value> ?? takingIssues(ofFailure: read)
        results[id] = result
        let failure: Failure
        switch result {
        case .value(let value): return value
        case .failure(let found): failure = found
        case .skipped:
            failure = Failure(error: Skipped(), placeholder: PlaceholderValue.value(of: Value.self, choice))
        }
        record(
            FailedFieldRequest(id: id, failure: failure, isNested: isNested) { placeholder in
                (placeholder as? Value).map { SearchResult<Value>.value($0) }
            }
        )
        throw failure.error
    }

    /// Reads a value. If the value fails, its issues are taken out of the log, and its keys out of the record. Both
    /// count only if the type does not discard the error: see ``Failure/reported``.
    private func takingIssues<Value>(ofFailure read: () throws -> SearchResult<Value>) rethrows -> SearchResult<Value> {
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        let keys = record?.mark
        let result = try read()
        guard case .failure(var failure) = result else { return result }
        if let keys { failure.keys = record?.take(since: keys) }
        if let log, log.mark != mark {
            log.settleAside(since: mark, after: failure.error)
            failure.reported = log.take(since: mark)
        }
        return .failure(failure)
    }

    /// Replaces the result of a failed request by a placeholder.
    /// - Returns: Whether the placeholder has the requested type.
    func replace(_ request: FailedFieldRequest, by placeholder: Any) -> Bool {
        guard let result = request.result(placeholder) else { return false }
        hasPlaceholders = true
        certainIssues = certainIssues ?? issues.count
        results[request.id] = result
        return true
    }

    /// Returns the failed request whose error ended a run; `nil` if the type has thrown another error.
    func failure(behind error: any Error) -> FailedFieldRequest? {
        failures.last { Self.isEqual($0.failure.error, error) }
    }

    /// Whether two errors are the same error. Errors have no identity, so their descriptions are compared.
    private static func isEqual(_ one: any Error, _ other: any Error) -> Bool {
        switch (one, other) {
        case (let one as DecodingError, let other as DecodingError):
            MappingError(one).description == MappingError(other).description
        default: Swift.type(of: one) == Swift.type(of: other) && String(describing: one) == String(describing: other)
        }
    }

    /// Handles an error that says that a member is missing or `null`. A property wrapper may look for its key and throw
    /// this error before it requests a value, so no request has failed. The next run presumes that the member has a
    /// value: the wrapper then requests it. If no run requests the value, the error counts, because the type needs the
    /// member without reading it (`decodeNil(forKey:)`). Returns whether another run is needed.
    func presume(_ error: any Error, issues: () -> [MappingIssue]) -> Bool {
        let found: (any CodingKey)? =
            switch error {
            case DecodingError.keyNotFound(let key, _): key
            case DecodingError.valueNotFound(_, let context): context.codingPath.last
            default: nil
            }
        guard let key = found?.stringValue, keys.contains(key), presumed.insert(key).inserted else { return false }
        presumedIssues.append((key, issues(), self.issues.count, hasPlaceholders))
        return true
    }

    /// Adds the errors about the presumed members that no run has requested, each at its place.
    private func addPresumedIssues() {
        let requested = Set(results.keys.map(\.key))
        for found in presumedIssues.reversed() where !requested.contains(found.key) && found.position <= issues.count {
            issues.insert(contentsOf: found.issues, at: found.position)
        }
        presumedIssues = []
    }

    func presumes(_ key: String) -> Bool { presumed.contains(key) }

    private struct Skipped: Error {}
    private struct Hidden: Error {}
}
