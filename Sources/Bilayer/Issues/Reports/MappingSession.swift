import Foundation

/// What a mapping in progress knows of its policy, and what it has forgiven so far.
///
/// A session is bound around one synchronous mapping call and is found by whoever needs it (`MappingSession.current`), so
/// neither `from(raw:)` nor `from(dto:)` needs another parameter. When nobody listens and the policy is the default one, there
/// is no session, and looking for it is all it costs.
///
/// Issues arrive with paths relative to the value at hand; each container on the way up puts its own step in front of what came
/// out of its parts (``relocate(since:to:owner:)``), as it does with errors.
@usableFromInline
// Sendable: every access to the variables happens under `lock`. A mapping runs on one thread, but what it calls may start a task
// that inherits the binding.
final class MappingSession: @unchecked Sendable {
    /// The mapping in progress. Every container that is read asks for it, and mostly there is none anywhere: a look at one word of
    /// memory tells, without asking for the task.
    @usableFromInline static var current: MappingSession? { bindings.value == 0 ? nil : bound }

    @TaskLocal private static var bound: MappingSession?
    private static let bindings = SharedNumber()

    let policy: MappingPolicy
    /// How the server spells what `Codable` entries leave open.
    let spelling: EntrySpelling
    /// What `Codable` entries are read with.
    let decoder: JsonDecoder
    /// The session of the call, if this is the part of one mapping.
    private let whole: MappingSession?
    private let lock = NSLock()
    private var kept: [MappingIssue] = []
    private var omitted = 0
    private var mapped: Json?

    convenience init(policy: MappingPolicy, spelling: EntrySpelling = EntrySpelling()) {
        self.init(policy, spelling, partOf: nil)
    }

    private init(_ policy: MappingPolicy, _ spelling: EntrySpelling, partOf whole: MappingSession?) {
        self.whole = whole
        self.policy = policy
        self.spelling = spelling
        decoder = spelling.isPlain ? .plain : spelling.decoder
    }

    /// Runs a mapping that finds this session; without one, a mapping that finds none.
    static func with<Value>(_ session: MappingSession?, _ body: () throws -> Value) rethrows -> Value {
        bindings.change(by: 1)
        defer { bindings.change(by: -1) }
        return try $bound.withValue(session, operation: body)
    }

    /// A session for one mapping of a call: mappings that run at once do not see each other's issues.
    func makePart() -> MappingSession {
        let part = MappingSession(policy, spelling, partOf: self)
        part.document = document
        return part
    }

    func isPart(of other: MappingSession) -> Bool { whole === other }

    /// Ends a part: its issues come after those that are here.
    func take(over part: MappingSession) {
        if let document = part.document { self.document = document }
        let (issues, omitted) = part.take()
        for issue in issues { add(issue) }
        lock.withLock { self.omitted += omitted }
    }

    /// How many issues there are: compare two marks to see whether some came in between.
    @usableFromInline var mark: Int {
        // Asked for around every part of every collection: spelled out, as `withLock` is not inlined.
        lock.lock()
        defer { lock.unlock() }
        return kept.count
    }

    func add(_ issue: MappingIssue) {
        lock.withLock {
            if kept.count < policy.issueLimit {
                kept.append(issue)
            } else {
                omitted += 1
            }
        }
    }

    /// Puts a container's step, and the types at work, to the issues that came out of one of its parts.
    /// - Returns: The mark after them.
    @usableFromInline
    @discardableResult
    func relocate(
        since mark: Int,
        to component: JsonPath.Component? = nil,
        owner: @autoclosure () -> String? = nil
    ) -> Int {
        let end = self.mark
        guard end > mark else { return end }
        let owner = owner()
        rewrite(since: mark) { issue in
            if let component { issue.prefix(by: JsonPath([component])) }
            issue.owner = issue.owner ?? owner
        }
        return end
    }

    /// Changes what came in since a mark.
    func rewrite(since mark: Int, _ change: (inout MappingIssue) -> Void) {
        lock.withLock {
            for position in kept.indices.dropFirst(mark) { change(&kept[position]) }
        }
    }

    /// Forgets what a part had forgiven that failed after all, and is told of by its error.
    func forget(since mark: Int) {
        lock.withLock {
            if mark < kept.count { kept.removeSubrange(mark...) }
        }
    }

    /// Takes out some of what came in since a mark.
    @discardableResult
    func remove(since mark: Int, where isRemoved: (MappingIssue) -> Bool) -> [MappingIssue] {
        lock.withLock {
            let late = kept.dropFirst(mark)
            kept = kept.prefix(mark) + late.filter { !isRemoved($0) }
            return late.filter(isRemoved)
        }
    }

    /// What the mapping began with, where somebody has to look into it: to tell which key of it a property's name stands for.
    var document: Json? {
        get { lock.withLock { mapped } }
        set { if spelling.keys != nil { lock.withLock { mapped = newValue } } }
    }

    /// Hands over what was collected, and starts anew.
    func take() -> (issues: [MappingIssue], omitted: Int) {
        lock.withLock {
            defer {
                kept = []
                omitted = 0
                mapped = nil
            }
            return (kept, omitted)
        }
    }
}

extension MappingIssue {
    /// Tells whoever listens that something was forgiven. For tools of your own that give a value although something was wrong.
    ///
    /// The path is relative to the value at hand; containers complete it. When nobody listens, nothing happens.
    ///
    /// ```swift
    /// MappingIssue(.usedDefault, severity: .info, path: [.key("reviews")], found: .init(type: "nothing")).report()
    /// ```
    public func report() {
        MappingSession.current?.add(self)
    }

    /// Tells whoever listens that something was forgiven, unless the policy forgives nothing.
    /// - Throws: This issue as a ``MappingError``, under a policy that refuses forgiveness.
    public func forgive() throws {
        guard let session = MappingSession.current else { return }
        if session.policy.refusesForgiveness {
            var issue = self
            issue.severity = .error
            throw MappingError(issue)
        }
        session.add(self)
    }
}
