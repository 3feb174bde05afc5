import Foundation

/// The mapping of a call: the log of its issues, and how the server spells what `Codable` entries leave open.
// Sendable: the variable is only touched with `lock` held; the log has a lock of its own.
final class MappingSession: IssueLog, @unchecked Sendable {
    /// The mapping in progress.
    static var inProgress: MappingSession? { current as? MappingSession }

    /// How the server spells what `Codable` entries leave open.
    let conventions: CodingConventions
    /// What `Codable` entries are read with.
    let decoder: JsonDecoder
    /// The session of the call, if this is the part of one mapping.
    private let whole: MappingSession?
    private let lock = NSLock()
    private var mapped: Json?

    convenience init(policy: MappingPolicy, conventions: CodingConventions = CodingConventions()) {
        self.init(policy, conventions, partOf: nil)
    }

    private init(_ policy: MappingPolicy, _ conventions: CodingConventions, partOf whole: MappingSession?) {
        self.whole = whole
        self.conventions = conventions
        decoder = conventions.isPlain ? .plain : conventions.decoder
        super.init(policy: policy)
    }

    /// What `Codable` entries are written with.
    var encoder: JsonEncoder { conventions.isPlain ? .plain : conventions.encoder }

    /// A session for one mapping of a call: mappings that run at once do not see each other's issues.
    func makePart() -> MappingSession {
        let part = MappingSession(policy, conventions, partOf: self)
        part.document = document
        return part
    }

    func isPart(of other: MappingSession) -> Bool { whole === other }

    /// Ends a part: its issues come after those that are here.
    func take(over part: MappingSession) {
        if let document = part.document { self.document = document }
        let (issues, omitted) = part.take()
        add(issues, omitted: omitted)
    }

    /// The document of the mapping, kept if keys have a naming: it tells which key a property's name stands for.
    var document: Json? {
        get { lock.withLock { mapped } }
        set { if conventions.keys != nil { lock.withLock { mapped = newValue } } }
    }

    /// Hands over what was collected, and starts anew.
    func take() -> (issues: [MappingIssue], omitted: Int) {
        lock.withLock { mapped = nil }
        return takeIssues()
    }
}
