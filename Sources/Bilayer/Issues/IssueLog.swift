import Foundation

/// The issues of a mapping in progress, and the policy that says which of them may be.
///
/// A log is bound around one synchronous mapping and is found by ``current``, so neither `from(raw:)` nor `from(dto:)`
/// needs another parameter. Without a reporter and under the default policy there is none, and looking for it is all
/// that it costs.
///
/// Issues arrive with paths relative to the value at hand. Each container on the way up puts its own step in front of
/// what came out of its parts (``relocate(since:to:owner:)``), as it does with errors.
@usableFromInline
// Sendable: every access to the variables happens under `lock`, in this class; subclasses add a lock of their own. A
// mapping runs on one thread, but what it calls may start a task that inherits the binding.
class IssueLog: @unchecked Sendable {
    /// The log of the mapping in progress. Read for every container, mostly without a log anywhere: a global counter
    /// tells so, and the look-up of a task-local value is left out.
    @usableFromInline static var current: IssueLog? { bindings.value == 0 ? nil : bound }

    @TaskLocal private static var bound: IssueLog?
    private static let bindings = AtomicCounter()

    final let policy: MappingPolicy
    private let lock = NSLock()
    private var kept: [MappingIssue] = []
    private var omitted = 0

    init(policy: MappingPolicy) { self.policy = policy }

    /// Runs a mapping that finds this log; without one, a mapping that finds none.
    static func with<Value>(_ log: IssueLog?, _ body: () throws -> Value) rethrows -> Value {
        bindings.change(by: 1)
        defer { bindings.change(by: -1) }
        return try $bound.withValue(log, operation: body)
    }

    /// Adds issues of a mapping that ran beside this one.
    final func add(_ issues: [MappingIssue], omitted: Int) {
        for issue in issues { add(issue) }
        lock.withLock { self.omitted += omitted }
    }

    /// How many issues there are: compare two marks to see whether some came in between.
    @usableFromInline final var mark: Int {
        // Asked for around every part of every collection: spelled out, as `withLock` is not inlined.
        lock.lock()
        defer { lock.unlock() }
        return kept.count
    }

    final func add(_ issue: MappingIssue) {
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
    final func relocate(
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
    final func rewrite(since mark: Int, _ change: (inout MappingIssue) -> Void) {
        lock.withLock {
            for position in kept.indices.dropFirst(mark) { change(&kept[position]) }
        }
    }

    /// Removes the issues of a part that failed: its error says why.
    final func forget(since mark: Int) {
        lock.withLock {
            if mark < kept.count { kept.removeSubrange(mark...) }
        }
    }

    /// Takes out some of what came in since a mark.
    @discardableResult
    final func remove(since mark: Int, where isRemoved: (MappingIssue) -> Bool) -> [MappingIssue] {
        lock.withLock {
            let late = kept.dropFirst(mark)
            kept = kept.prefix(mark) + late.filter { !isRemoved($0) }
            return late.filter(isRemoved)
        }
    }

    /// Hands over what was collected, and starts anew.
    final func takeIssues() -> (issues: [MappingIssue], omitted: Int) {
        lock.withLock {
            defer {
                kept = []
                omitted = 0
            }
            return (kept, omitted)
        }
    }
}

extension MappingIssue {
    /// Reports the issue to the mapping in progress. For tools of your own that give a value although something was
    /// wrong.
    ///
    /// The path is relative to the value at hand; containers complete it. Without a mapping in progress, nothing
    /// happens.
    ///
    /// ```swift
    /// MappingIssue(.usedDefault, severity: .info, path: [.key("reviews")], found: .init(type: "nothing")).report()
    /// ```
    public func report() {
        IssueLog.current?.add(self)
    }

    /// Reports the issue, or throws it if the policy treats warnings as errors.
    /// - Throws: This issue as a ``MappingError``, under a policy that treats warnings as errors.
    public func reportOrThrow() throws {
        guard let log = IssueLog.current else { return }
        if log.policy.treatsWarningsAsErrors {
            var issue = self
            issue.severity = .error
            throw MappingError(issue)
        }
        log.add(self)
    }
}
