/// What the `init(from:)` of one value reads, in one run or in several.
final class CollectingFrame {
    let type: Any.Type
    let path: JsonPath
    /// Whether the enclosing type cannot continue without a value of this one.
    private let needsValue: Bool
    /// Whether the shape of the type is known.
    private let isKnown: Bool
    /// The error of the first run.
    private var error: (any Error)?
    private var issues: [MappingIssue] = []
    private var results: [FieldRequestID: Any] = [:]
    private var failures: [FailedFieldRequest] = []
    private var presumed: Set<String> = []
    /// A request that is made to fail, to see what the type does then.
    private var failing: (id: FieldRequestID, error: any Error)?
    /// What is hidden, to see what the type does without it.
    private(set) var hidden: Absence?

    /// A member that is not there, or null.
    struct Absence: Hashable {
        let key: String
        let isNull: Bool
    }
    private(set) var requests: [any FieldRequest] = []
    /// The keys that were requested, by any means.
    private(set) var keys: Set<String> = []
    /// The keys of members for which the type looks before it reads them.
    private(set) var lookedFor: Set<String> = []
    /// The keys of the members that failed in this run, or are missing, and have defaults.
    private(set) var tolerated: Set<String> = []
    private(set) var hasPlaceholders = false
    /// The number of issues that were found before the first placeholder.
    private var certainIssues: Int?
    /// Whether everything was read from keyed containers of the value itself, field by field.
    var isPlain = true
    /// The number of coding keys that the type and its superclasses declare; nil if keys are no enum.
    var keyCount: Int? {
        keyCounts.values.reduce(.some(0)) { sum, count in sum.flatMap { sum in count.map { sum + $0 } } }
    }
    private var keyCounts: [ObjectIdentifier: Int?] = [:]

    init(of type: Any.Type, at path: JsonPath, isKnown: Bool, needsValue: Bool) {
        self.type = type
        self.path = path
        self.needsValue = needsValue
        self.isKnown = isKnown
    }

    /// Whether fields that fail are replaced by placeholders, and not only passed over.
    var needsPlaceholders: Bool { needsValue || !isKnown }

    /// Whether something is reached with a placeholder: the enclosing value, or another field.
    func needsPlaceholder(for request: FailedFieldRequest) -> Bool { needsValue || !isKnown && !request.id.key.isEmpty }

    /// Removes the issues that were found after the first placeholder.
    func removeUncertain() {
        issues.removeLast(issues.count - (certainIssues ?? issues.count))
    }

    /// Begins another run. The values that were read are kept.
    func begin() {
        failures = []
        requests = []
        keys = []
        tolerated = []
        isPlain = true
    }

    /// Notes a keyed container of the value.
    func open<Key: CodingKey>(_ keys: Key.Type) {
        keyCounts[ObjectIdentifier(keys)] = .some(CaseCount.count(of: keys))
    }

    /// Whether everything that was requested in this run was read.
    var hasNoFailures: Bool { failures.isEmpty }

    func touch(_ key: String) { keys.insert(key) }

    /// Notes that the type looks whether there is a member, and so may do without it.
    func lookFor(_ key: String) {
        touch(key)
        lookedFor.insert(key)
    }

    /// Whether a type can be made without a member that it looks for.
    func ends(without absence: Absence, _ run: () throws -> Void) -> Bool {
        begin()
        hidden = absence
        defer { hidden = nil }
        return (try? run()) == nil
    }

    func add(_ request: any FieldRequest) {
        touch(request.id.key)
        requests.append(request)
    }

    func note(_ failed: FailedFieldRequest) { failures.append(failed) }

    /// Removes the failure of a field that the type has a default for.
    func tolerate(_ key: String) {
        failures.removeAll { $0.id.key == key }
        tolerated.insert(key)
    }

    func note(_ error: any Error) { self.error = self.error ?? error }

    func add(_ issues: [MappingIssue]) { self.issues += issues }

    /// The errors of all runs; nil if none has failed.
    func failure(placeholder: Any?) -> Failure? {
        guard let error else { return nil }
        let owned = issues.map { issue in
            var issue = issue
            // The type declares its own fields. The field that it is the value of belongs to the enclosing type.
            if issue.localPath.components.count > path.components.count {
                issue.owner = issue.owner ?? ownerName(of: type)
            }
            return issue
        }
        return Failure(error: error, issues: owned, placeholder: placeholder)
    }

    /// Whether a run ends with the error of a request that fails, without another request.
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

    /// Throws for a request that is made to fail.
    func check(_ request: FieldRequestID) throws {
        if let failing, failing.id == request { throw failing.error }
        if let hidden, hidden.key == request.key { throw Hidden() }
    }

    /// The value for a request: read in this run or in one before.
    func value<Value>(of id: FieldRequestID, isNested: Bool, _ read: () throws -> Collected<Value>) throws -> Value {
        let result = try results[id] as? Collected<Value> ?? read()
        results[id] = result
        let failure: Failure
        switch result {
        case .value(let value): return value
        case .failure(let found): failure = found
        case .skipped: failure = Failure(error: Skipped(), issues: [], placeholder: nil)
        }
        note(
            FailedFieldRequest(id: id, failure: failure, isNested: isNested) { placeholder in
                (placeholder as? Value).map { Collected<Value>.value($0) }
            }
        )
        throw failure.error
    }

    /// Puts a value in the place of one that failed.
    /// - Returns: Whether the value is of the requested type.
    func replace(_ request: FailedFieldRequest, by placeholder: Any) -> Bool {
        guard let result = request.result(placeholder) else { return false }
        hasPlaceholders = true
        certainIssues = certainIssues ?? issues.count
        results[request.id] = result
        return true
    }

    /// The request whose error ended a run; nil if the type has thrown another one.
    func failure(behind error: any Error) -> FailedFieldRequest? {
        failures.last { Self.isEqual($0.failure.error, error) }
    }

    /// Whether two errors are one: an error is a value, and a type may throw it again.
    private static func isEqual(_ one: any Error, _ other: any Error) -> Bool {
        switch (one, other) {
        case (let one as DecodingError, let other as DecodingError):
            MappingError(one).description == MappingError(other).description
        default: Swift.type(of: one) == Swift.type(of: other) && String(describing: one) == String(describing: other)
        }
    }

    /// Presumes that a key is there, after an error that it is not. Property wrappers look for a key first and throw
    /// that error themselves, so it is no failed request. The next run then requests the value.
    func presume(_ error: any Error) -> Bool {
        switch error {
        case DecodingError.keyNotFound(let key, _): presumeKey(key)
        case DecodingError.valueNotFound(_, let context): context.codingPath.last.map(presumeKey) ?? false
        default: false
        }
    }

    func presumes(_ key: String) -> Bool { presumed.contains(key) }

    private func presumeKey(_ key: any CodingKey) -> Bool {
        keys.contains(key.stringValue) && presumed.insert(key.stringValue).inserted
    }

    private struct Skipped: Error {}
    private struct Hidden: Error {}
}
