import Foundation

/// The mapping of a call: the log of its issues, and the server's conventions for `Codable` entries.
// Sendable: the variable is only accessed with `lock` held; the log has another lock.
final class MappingSession: IssueLog, @unchecked Sendable {
    /// The mapping in progress.
    static var inProgress: MappingSession? { current as? MappingSession }

    /// The server's conventions for keys and formats of `Codable` entries.
    let conventions: CodingConventions
    /// The decoder for `Codable` entries.
    let decoder: JsonDecoder
    /// The session of the call, if this session is for one mapping of it.
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

    /// The encoder for `Codable` entries.
    var encoder: JsonEncoder { conventions.isPlain ? .plain : conventions.encoder }

    /// A session for one mapping of a call: concurrent mappings have separate issues.
    func makePart() -> MappingSession {
        let part = MappingSession(policy, conventions, partOf: self)
        part.document = document
        return part
    }

    func isPart(of other: MappingSession) -> Bool { whole === other }

    /// Appends the issues of a part that has ended.
    func take(over part: MappingSession) {
        if let document = part.document { self.document = document }
        let (issues, omitted) = part.take()
        add(issues, omitted: omitted)
    }

    /// The document of the mapping, kept only if keys are converted: it has the keys of the properties' names.
    var document: Json? {
        get { lock.withLock { mapped } }
        set { if conventions.keys != nil { lock.withLock { mapped = newValue } } }
    }

    /// Returns the collected issues, and clears the session.
    func take() -> (issues: [MappingIssue], omitted: Int) {
        lock.withLock { mapped = nil }
        return takeIssues()
    }
}
