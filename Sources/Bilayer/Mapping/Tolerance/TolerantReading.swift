/// Reads a `Codable` entry that failed once more, under a policy that wants more than the first error.
///
/// Synthesized `init(from:)` ends at the first bad field, so siblings can only be seen by asking again. A reading repairs the
/// JSON at the place that failed and decodes anew, until the decoding succeeds or nothing is left to repair:
///
/// - **Salvaging** takes away: first the value becomes `null` (good enough for an optional), then the member goes (good enough for
///   a dictionary), then what contains it goes the same way, an array element as a whole. The value that comes out is real.
/// - **Collecting all** puts a stand-in of each JSON type in the value's place, so that the decoding goes on to the siblings. What
///   comes out is thrown away with its stand-ins; only the errors count.
///
/// An edit copies one level of the document, and the number of readings is bounded by the policy's limit, so a hostile answer
/// costs a bounded multiple of one decoding. The readings happen after a failure only: a good answer pays nothing.
struct TolerantReading<Value: Decodable> {
    private let session: MappingSession
    private let mark: Int
    private let original: Json
    private var json: Json
    private var numbering = ElementNumbering()
    private var fault: Fault?
    private var issues: [MappingIssue] = []

    /// A place that failed and how far its repair has come.
    private struct Fault {
        let issue: MappingIssue
        var place: JsonPath
        var repairs: ArraySlice<Repair>
    }

    /// Reads again after a first failure.
    /// - Parameters:
    ///   - raw: What failed.
    ///   - session: The mapping in progress.
    ///   - mark: The session's mark before the first reading.
    init(_ raw: Json, in session: MappingSession, since mark: Int) {
        original = raw
        json = raw
        self.session = session
        self.mark = mark
    }

    /// Reads until the value is there, or throws what was found.
    mutating func read() throws -> Value {
        var readings = 0
        while true {
            try Task.checkCancellation()
            session.forget(since: mark)
            do {
                let value = try json.decode(Value.self, using: session.decoder)
                settle()
                return try result(value)
            } catch let error as DecodingError {
                readings += 1
                let isSpent =
                    readings > session.policy.issueLimit * Repair.most || issues.count >= session.policy.issueLimit
                if isSpent || !repair(error) { throw failure }
            }
        }
    }

    private var salvages: Bool { session.policy.salvages }

    private func result(_ value: Value) throws -> Value {
        guard salvages else { throw failure }
        try numbering.checkLoss(in: original, tolerated: session.policy.toleratedLoss)
        for issue in issues { session.add(issue) }
        return value
    }

    private var failure: any Error {
        let all = issues + (fault.map { [$0.issue] } ?? [])
        let errors = salvages ? all.flatMap(\.causes) + all.filter { $0.severity == .error } : all
        guard let first = errors.first else { return MappingError(MappingIssue(.foreign)) }
        return MappingError(first, Array(errors.prefix(session.policy.issueLimit).dropFirst()))
    }
}

// MARK: - Repair

extension TolerantReading {
    /// Repairs the JSON where the decoding failed.
    /// - Returns: Whether there was anything left to repair.
    private mutating func repair(_ error: DecodingError) -> Bool {
        let issue = MappingIssue(error, in: json, owner: Value.self)
        if let fault, !issue.path.isAt(orAbove: fault.place) { settle() }
        if fault == nil {
            var named = issue
            named.path = numbering.original(of: issue.path)
            fault = Fault(issue: named, place: issue.path, repairs: repairs(at: issue.path))
        }
        return advance()
    }

    private mutating func advance() -> Bool {
        while var current = fault {
            while let repair = current.repairs.popFirst() {
                fault = current
                if apply(repair, at: current.place) { return true }
            }
            guard let parent = current.place.parent, !parent.isRoot else { return false }
            current.place = parent
            current.repairs = repairs(at: parent)
            fault = current
        }
        return false
    }

    private func repairs(at place: JsonPath) -> ArraySlice<Repair> {
        guard let step = place.components.last else { return [] }
        let standIns: [Repair] = salvages ? [] : Repair.standIns
        switch step {
        case .index: return (standIns + [.remove])[...]
        case .key: return ((salvages ? [.replace(.null)] : standIns) + [.remove])[...]
        }
    }

    /// - Returns: Whether the JSON changed.
    private mutating func apply(_ repair: Repair, at place: JsonPath) -> Bool {
        switch repair {
        case .replace(let value):
            if json.value(at: place) == value { return false }
            return json.set(value, at: place)
        case .remove:
            guard json.remove(at: place) != nil else { return false }
            if case .index(let index)? = place.components.last, let array = place.parent {
                numbering.removed(index, of: array)
            }
            return true
        }
    }

    /// The fault is repaired: the decoding went on to another place, or to the end.
    private mutating func settle() {
        guard let fault else { return }
        self.fault = nil
        guard salvages else { return issues.append(fault.issue) }
        let place = numbering.originalOfRemoved(fault.place)
        issues.append(
            MappingIssue(.dropped, severity: .warning, path: place, owner: fault.issue.owner, causes: [fault.issue])
        )
    }
}

/// One change of the JSON that may get a decoding past a place.
private enum Repair {
    case replace(Json)
    case remove

    static let standIns: [Repair] = [
        .replace(0), .replace(""), .replace(false), .replace([]), .replace([:]), .replace(.null),
    ]
    /// The most changes that one place may take.
    static let most = standIns.count + 1
}

extension JsonPath {
    fileprivate var parent: JsonPath? { isRoot ? nil : JsonPath(Array(components.dropLast())) }

    /// Whether a failure here is the last repair's doing: at its place or at something that contains it.
    fileprivate func isAt(orAbove place: JsonPath) -> Bool { place.components.starts(with: components) }
}
