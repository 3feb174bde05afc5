/// Collects the errors of a `Codable` entry.
///
/// Synthesized `init(from:)` ends at the first bad field, so only another reading reaches its siblings. After each
/// failure a placeholder of each JSON type in turn replaces the value at the failed path, and the JSON is decoded again,
/// until the decoding succeeds or no repair is left. The result is discarded, and only the errors count.
///
/// A repair copies one level of the document. The policy's limit bounds the number of readings, so a hostile response
/// costs a bounded multiple of one decoding. A valid response needs no further reading.
///
/// Every error with a path in the JSON is repaired. This includes the errors of mapping tools inside the entry, whose
/// paths also begin at the entry. An error from other code has no path and ends the reading.
struct TolerantReading<Value: Decodable> {
    private let session: MappingSession
    private let mark: Int
    private let unknownKeys: MappingPolicy.UnknownKeys
    private var json: Json
    private var numbering = ElementNumbering()
    private var fault: Fault?
    private var issues: [MappingIssue] = []

    /// A failed path and its remaining repairs.
    private struct Fault {
        let issues: [MappingIssue]
        var path: JsonPath
        var repairs: ArraySlice<Repair>
    }

    /// Prepares another reading after a first failure.
    /// - Parameters:
    ///   - raw: The JSON that failed.
    ///   - session: The running mapping.
    ///   - mark: The session's mark before the first reading.
    ///   - unknownKeys: The rule for keys that the entry does not read.
    init(
        _ raw: Json,
        in session: MappingSession,
        since mark: Int,
        unknownKeys: MappingPolicy.UnknownKeys
    ) {
        json = raw
        self.session = session
        self.mark = mark
        self.unknownKeys = unknownKeys
    }

    /// Reads until the decoding succeeds or no repair is left.
    /// - Returns: The collected errors.
    /// - Throws: An error that ends the reading.
    mutating func read() throws -> any Error {
        var readings = 0
        while true {
            session.forget(since: mark)
            switch Result(catching: readOnce) {
            case .success(let unknownKeys): return try finish(unknownKeys)
            case .failure(let error):
                readings += 1
                let isSpent =
                    readings / Repair.most >= session.policy.issueLimit || issues.count >= session.policy.issueLimit
                if try isSpent || !repair(located(error)) { return failure() }
            }
        }
    }

    private func readOnce() throws -> [UnknownKey] {
        if unknownKeys != .ignore {
            return try json.decodeRecordingKeys(Value.self, unknownKeys, using: session.decoder).unknownKeys
        }
        _ = try json.decode(Value.self, using: session.decoder)
        return []
    }

    /// Converts an error of a reading to one with paths in the JSON.
    private func located(_ error: any Error) throws -> MappingError {
        switch error {
        case let error as DecodingError: return MappingError(error, in: json, owner: Value.self)
        case let error as MappingError:
            return session.conventions.named(error, in: json)
                .updatingIssues { $0.owner = $0.owner ?? typeName(Value.self) }
        case is CancellationError: throw error
        default: throw failure(besides: MappingError(wrapping: error).issues)
        }
    }

    /// Ends with the collected errors. There is one at least, because the reading began with an error.
    private mutating func finish(_ unknownKeys: [UnknownKey]) throws -> any Error {
        settle()
        let unknown = MappingIssue.report(unknownKeys)
        try session.settleNames(since: mark, in: json)
        session.rewrite(since: mark) { $0.renumber(by: numbering) }
        removePlaceholderIssues()
        return failure(
            besides: unknown.map { issue in
                var issue = issue
                issue.renumber(by: numbering)
                return issue
            }
        )
    }

    /// Issues reported in placeholders were never in the document.
    private func removePlaceholderIssues() {
        session.remove(since: mark) { forgiven in
            issues.contains { forgiven.path.components.starts(with: $0.path.components) }
        }
    }

    private func failure(besides others: [MappingIssue] = []) -> any Error {
        let errors = issues + (fault?.issues ?? []) + others
        guard let first = errors.first else { return MappingError(MappingIssue(.foreign)) }
        return MappingError(first, Array(errors.prefix(session.policy.issueLimit).dropFirst()))
    }
}

// MARK: - Repair

extension TolerantReading {
    /// Repairs the JSON at the path that failed.
    /// - Returns: Whether a repair was left.
    private mutating func repair(_ error: MappingError) -> Bool {
        if let fault, !error.path.isAt(orAbove: fault.path) { settle() }
        if fault == nil {
            let found = error.updatingIssues { $0.renumber(by: numbering) }.issues
            fault = Fault(
                issues: found,
                path: error.path,
                repairs: repairs(at: error.path)
            )
        }
        return advance()
    }

    private mutating func advance() -> Bool {
        while var current = fault {
            while let repair = current.repairs.popFirst() {
                fault = current
                if apply(repair, at: current.path) { return true }
            }
            guard let parent = current.path.parent, !parent.isRoot else { return false }
            current.path = parent
            current.repairs = repairs(at: parent)
            fault = current
        }
        return false
    }

    private func repairs(at path: JsonPath) -> ArraySlice<Repair> {
        return path.isRoot ? [] : (Repair.placeholders + [.remove])[...]
    }

    /// - Returns: Whether the JSON changed.
    private mutating func apply(_ repair: Repair, at path: JsonPath) -> Bool {
        switch repair {
        case .replace(let value):
            if json.value(at: path) == value { return false }
            return json.set(value, at: path)
        case .remove:
            guard json.remove(at: path) != nil else { return false }
            if case .index(let index)? = path.components.last, let array = path.parent {
                numbering.removed(index, of: array)
            }
            return true
        }
    }

    /// Ends a fault that is repaired: the reading failed at another path, or succeeded.
    private mutating func settle() {
        guard let fault else { return }
        self.fault = nil
        // One error may have several paths. The reading then failed at each of them.
        issues += fault.issues.filter { new in !issues.contains { $0.kind == new.kind && $0.path == new.path } }
    }
}

/// One change of the JSON that may repair a path.
private enum Repair {
    case replace(Json)
    case remove

    static let placeholders: [Repair] = [
        .replace(0), .replace(""), .replace(false), .replace([]), .replace([:]), .replace(.null),
    ]
    /// The maximum number of changes for one path.
    static let most = placeholders.count + 1
}

extension MappingIssue {
    /// Replaces the indices in the paths by those of the original document.
    fileprivate mutating func renumber(by numbering: ElementNumbering) {
        path = numbering.original(of: path)
        for position in causes.indices { causes[position].renumber(by: numbering) }
    }
}

extension JsonPath {
    fileprivate var parent: JsonPath? { isRoot ? nil : JsonPath(Array(components.dropLast())) }

    /// Whether a failure at this path results from the last repair: the path is that of the repair or of a value around
    /// it.
    fileprivate func isAt(orAbove path: JsonPath) -> Bool { path.components.starts(with: components) }
}
