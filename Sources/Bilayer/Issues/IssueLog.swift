import Foundation

/// The issues of a mapping in progress, and the policy that decides which of them are errors.
///
/// A log is a task-local value that is bound during one synchronous mapping, and ``current`` returns it. So neither
/// `from(raw:)` nor `from(dto:)` needs another parameter. A call without a reporter, under the default policy and with
/// the default conventions, binds a log only to read a failed entry again. While no log is bound, the only cost is the
/// check for one.
///
/// Issues are added with paths relative to the current value. Each container prepends its path component to the issues
/// of its parts (``prefix(since:by:owner:)``), as it does with errors.
@usableFromInline
// Sendable: every access to the variables happens under `lock`, in this class; subclasses add another lock. A mapping
// runs on one thread, but the code that it calls may start a task that inherits the binding.
class IssueLog: @unchecked Sendable {
    /// The log of the mapping in progress; `nil` if none is bound. It is read for every container, usually while no log
    /// is bound. A global counter detects that case without a look-up of the task-local value.
    @usableFromInline static var current: IssueLog? { mayBeBound ? bound : nil }

    /// Whether a log may be bound in some task. If false, ``current`` is `nil`. Always true on systems without atomics.
    static var mayBeBound: Bool { bindings.value != 0 }

    @TaskLocal private static var bound: IssueLog?
    private static let bindings = AtomicCounter()
    private static let additions = AtomicCounter()

    final let policy: MappingPolicy
    private let lock = NSLock()
    private var contents = IssueLogContents()
    private var failedField: FailedField?

    /// A point in the log: see ``IssueLogContents/Mark``.
    @usableFromInline typealias Mark = IssueLogContents.Mark
    typealias Loss = IssueLogPart.Loss

    init(policy: MappingPolicy) { self.policy = policy }

    /// Runs a mapping with `log` bound as ``current``.
    static func with<Value>(_ log: IssueLog?, _ body: () throws -> Value) rethrows -> Value {
        bindings.change(by: 1)
        defer { bindings.change(by: -1) }
        return try $bound.withValue(log, operation: body)
    }

    /// Adds the issues of a mapping that had a log of its own and has ended.
    final func add(_ issues: [MappingIssue], omitted: Int) {
        for issue in issues { add(issue) }
        lock.withLock { contents.omitted += omitted }
    }

    /// The current end of the log. If two marks differ, issues or losses were added in between, or parts were set
    /// aside.
    @usableFromInline final var mark: Mark {
        // This is read around every part of every collection. `withLock` is not used, because the compiler does not
        // inline it.
        lock.lock()
        defer { lock.unlock() }
        return contents.mark
    }

    /// Whether issues were added since a mark, or parts were set aside.
    @inlinable
    @inline(__always)
    final func hasAdditions(since mark: Mark) -> Bool {
        let end = self.mark
        return end.kept > mark.kept || end.omitted > mark.omitted || end.aside > mark.aside
    }

    /// Whether warnings, errors or losses were added since a mark. Issues that were omitted count, too.
    final func hasWarnings(since mark: Mark) -> Bool {
        lock.withLock {
            contents.omitted > mark.omitted || contents.losses.count > mark.losses
                || contents.kept.dropFirst(mark.kept).contains { $0.severity != .info }
        }
    }

    /// A number that changes when any log of the process gets an issue; `nil` on systems without atomics. To compare it
    /// takes less time than ``hasAdditions(since:)``.
    static var additionCount: Int? { additions.value }

    final func add(_ issue: MappingIssue) {
        Self.additions.change(by: 1)
        lock.withLock {
            if contents.kept.count < policy.issueLimit {
                contents.kept.append(issue)
            } else {
                contents.omitted += 1
                if issue.kind == .dropped { contents.omittedDrops += 1 }
                if issue.kind == .keyClash { noteOmittedClash(issue) }
            }
        }
    }

    private func noteOmittedClash(_ issue: MappingIssue) {
        if policy.treatsWarningsAsErrors { contents.omittedClashes.add(issue, number: contents.omitted) }
    }

    /// Removes and returns the key clashes that were reported since a mark and omitted because of the limit. Returns
    /// none under a policy that accepts clashes.
    final func takeOmittedClashes(since mark: Mark) -> [MappingIssue] {
        lock.withLock {
            let taken = contents.omittedClashes.issues(after: mark.omitted)
            contents.omittedClashes.removeAll(after: mark.omitted)
            contents.omitted -= taken.count
            return taken
        }
    }

    /// Whether the limit is reached, so that further issues are only counted.
    final var isFull: Bool { lock.withLock { contents.kept.count >= policy.issueLimit } }

    /// Counts a value that was left out, without an issue for it.
    final func countDropped() {
        lock.withLock {
            contents.omitted += 1
            contents.omittedDrops += 1
        }
    }

    /// Records that elements of an array were left out. Called after their issues were added.
    final func addLoss(of indices: [Int], at path: JsonPath) {
        lock.withLock { contents.losses.append(Loss(of: indices, at: path)) }
    }

    /// Changes the losses that were recorded since a mark.
    final func rewriteLosses(since mark: Mark, _ change: (inout Loss) -> Void) {
        lock.withLock {
            for position in contents.losses.indices.dropFirst(mark.losses) {
                change(&contents.losses[position])
            }
            contents.aside.change(since: mark.aside) { $0.changeLosses(change) }
        }
    }

    /// Returns the recorded losses, and clears them.
    final func takeLosses() -> [Loss] {
        lock.withLock {
            defer { contents.losses = [] }
            return contents.losses
        }
    }

    /// Prepends a container's path component to the issues of one of its parts, and adds the names of the types.
    /// - Returns: The current end of the log.
    @usableFromInline
    @discardableResult
    final func prefix(
        since mark: Mark,
        by component: JsonPath.Component? = nil,
        owner: @autoclosure () -> String? = nil
    ) -> Mark {
        guard hasAdditions(since: mark) else { return self.mark }
        let owner = owner()
        rewrite(since: mark) { issue in
            if let component { issue.prefix(by: JsonPath([component])) }
            issue.owner = issue.owner ?? owner
        }
        if let component { rewriteLosses(since: mark) { $0.prefix(by: JsonPath([component])) } }
        return self.mark
    }

    /// Sets the origin of the issues and losses since a mark: see ``MappingIssue/setOrigin(_:)``.
    @usableFromInline
    final func setOrigin(_ value: Json?, since mark: Mark) {
        guard let value, hasAdditions(since: mark) else { return }
        rewrite(since: mark) { $0.setOrigin(value) }
        rewriteLosses(since: mark) { $0.setOrigin(value) }
    }

    /// Sets the origin of the issues since a mark to a value that is read by hand: see
    /// ``MappingIssue/setContainer(_:)``.
    @usableFromInline
    final func setContainer(_ value: Json?, since mark: Mark) {
        guard let value, hasAdditions(since: mark) else { return }
        rewrite(since: mark) { $0.setContainer(value) }
        rewriteLosses(since: mark) { $0.setOrigin(value) }
    }

    typealias Part = IssueLogPart

    /// Removes and returns the issues and losses since a mark. ``add(_:at:)`` adds them again. Parts that were set
    /// aside since the mark are only removed.
    final func take(since mark: Mark) -> Part {
        let part = lock.withLock {
            Part(
                issues: Array(contents.kept.dropFirst(mark.kept)),
                losses: Array(contents.losses.dropFirst(mark.losses)),
                omitted: contents.omitted - mark.omitted,
                omittedDrops: contents.omittedDrops - mark.omittedDrops,
                omittedClashes: contents.omittedClashes.issues(after: mark.omitted)
            )
        }
        remove(since: mark)
        return part
    }

    /// Adds a part that ``take(since:)`` returned.
    /// - Parameters:
    ///   - part: The part.
    ///   - position: The number of issues before it; `nil` at the end.
    final func add(_ part: Part, at position: Int? = nil) {
        Self.additions.change(by: part.issues.count)
        lock.withLock {
            let end = contents.kept.count
            contents.kept.insert(contentsOf: part.issues, at: min(position ?? end, end))
            contents.losses += part.losses
            contents.omitted += part.omitted
            contents.omittedDrops += part.omittedDrops
            part.omittedClashes.forEach(noteOmittedClash)
        }
    }

    /// Runs a part of the mapping in progress with room for as many issues as the limit allows, however many there are
    /// already.
    static func apart<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let log = current else { return try body() }
        let aside = log.mark.aside
        // Parts that are set aside stay set aside, because they take no room.
        func takeIssues() -> Part { log.take(since: .start(aside: log.mark.aside)) }
        let earlier = takeIssues()
        func putBack() -> Mark {
            let later = takeIssues()
            log.add(earlier)
            let mark = log.mark.with(aside: aside)
            log.add(later)
            return mark
        }
        do {
            let value = try body()
            _ = putBack()
            return value
        } catch {
            log.setAside(since: putBack(), failedBy: error)
            throw error
        }
    }

    /// Whether a value was left out since a mark.
    final func hasDropped(since mark: Mark) -> Bool {
        lock.withLock {
            contents.omittedDrops > mark.omittedDrops
                || contents.kept.dropFirst(mark.kept).contains { $0.kind == .dropped }
        }
    }

    /// Changes the issues that were added since a mark, and those of the values that have failed since.
    final func rewrite(since mark: Mark, _ change: (inout MappingIssue) -> Void) {
        lock.withLock {
            for position in contents.kept.indices.dropFirst(mark.kept) { change(&contents.kept[position]) }
            contents.aside.change(since: mark.aside) { $0.changeIssues(change) }
            contents.omittedClashes.change(after: mark.omitted, change)
        }
    }

    /// Sets the owner of the issues since a mark, and of their causes, if they have none.
    final func setOwner(since mark: Mark, by owner: @autoclosure () -> String?) {
        guard hasAdditions(since: mark), let owner = owner() else { return }
        rewrite(since: mark) { $0.setOwner(by: owner) }
    }

    /// Sets the owner of those issues since a mark that have paths inside of a value, and of their causes. The owner is
    /// the name of the value's type. Existing owners stay. An issue of the value itself belongs to the enclosing type.
    final func setOwner(
        since mark: Mark,
        inside path: @autoclosure () -> JsonPath,
        by owner: @autoclosure () -> String?
    ) {
        guard hasAdditions(since: mark), let owner = owner() else { return }
        setOwner(since: mark, deeperThan: path().components.count, by: owner)
    }

    /// Sets the owner of the issues since a mark whose paths have more than `depth` components.
    final func setOwner(since mark: Mark, deeperThan depth: Int, by owner: String) {
        rewrite(since: mark) { if $0.localPath.components.count > depth { $0.setOwner(by: owner) } }
    }

    /// Removes everything that was added since a mark. Used for example for a part that failed, because the part's
    /// error has the reason.
    final func remove(since mark: Mark) {
        lock.withLock {
            contents.omittedClashes.removeAll(after: mark.omitted)
            contents.kept.removeLast(max(0, contents.kept.count - mark.kept))
            contents.losses.removeLast(max(0, contents.losses.count - mark.losses))
            contents.omitted = min(contents.omitted, mark.omitted)
            contents.omittedDrops = min(contents.omittedDrops, mark.omittedDrops)
            contents.aside.removeAll(since: mark.aside)
        }
    }

    /// Sets aside the issues and losses since a mark, because their value has failed.
    ///
    /// The error may end the mapping, which then reports these issues. Or code may discard the error: then the issues
    /// are removed. This is decided at the end of the enclosing value (``settleAside(since:after:)``).
    @usableFromInline
    final func setAside(since mark: Mark, failedBy error: any Error) {
        let end = self.mark
        if end.aside == 0, end == mark { return }
        let reason = FailureReason(error)
        settleAside(since: mark, by: reason)
        setAside(take(since: mark), reason, at: mark.kept)
    }

    /// Sets aside what a failed value, or a whole failed mapping, has reported.
    final func setAside(_ part: Part, failedBy error: any Error) {
        setAside(part, FailureReason(error), at: mark.kept)
    }

    private func setAside(_ part: Part, _ reason: FailureReason, at position: Int) {
        lock.withLock {
            // A part without issues is stored only after other parts. If one of these has an equal error, the last part
            // counts, even without issues.
            if part.isEmpty, contents.aside.count == 0 { return }
            contents.aside.append(AsidePart(part, reason, at: position))
        }
    }

    /// Ends a value. Adds the issues of the inner value that failed with `error`, and removes those of the other failed
    /// values.
    /// - Parameters:
    ///   - mark: The mark from before the value.
    ///   - error: The error of the value; `nil` if it has succeeded.
    @usableFromInline
    final func settleAside(since mark: Mark, after error: (any Error)? = nil) {
        if self.mark.aside > mark.aside { settleAside(since: mark, by: error.map { FailureReason($0) }) }
    }

    private func settleAside(since mark: Mark, by reason: FailureReason?) {
        let parts = lock.withLock { contents.aside.removeAll(since: mark.aside) }
        // The errors are compared without the lock, because their descriptions may be code of the app.
        guard let reason, let found = parts.last(where: { $0.reason.isEqual(to: reason) }) else { return }
        add(found.part, at: max(found.position, mark.kept))
    }

    /// Removes the issues that satisfy a condition from the issues since a mark, and from each part that was set aside
    /// since the mark. `condition` makes a new condition for each of these lists.
    final func removeInEachPart(since mark: Mark, where condition: () -> (MappingIssue) -> Bool) {
        remove(since: mark, where: condition())
        lock.withLock { contents.aside.change(since: mark.aside) { $0.removeIssues(where: condition()) } }
    }

    /// Notes the field that ended the reading of a value. Does nothing if failed elements are left out and only
    /// counted, because no issue then names the field.
    final func note(_ error: any Error, of type: Any.Type, at path: @autoclosure () -> JsonPath) {
        guard !policy.leavesOut || !isFull, let field = FailedField(error, of: type, at: path()) else { return }
        lock.withLock {
            if failedField.map(field.isOutside) != true { failedField = field }
        }
    }

    /// Forgets the noted field, because the reading that it ended is repeated.
    final func forgetFailedField() { lock.withLock { failedField = nil } }

    /// Returns the name of the type that declares the field at a path, if that field was the last to fail. The path
    /// begins at the decoder's root.
    final func takeOwner(ofFieldAt path: JsonPath) -> String? {
        lock.withLock {
            guard let field = failedField, field.path == path else { return nil }
            failedField = nil
            return field.owner
        }
    }

    /// Removes the issues and losses since a mark whose paths are in values that failed. Issues and losses of other
    /// values stay.
    final func remove(since mark: Mark, at isInFailed: (JsonPath) -> Bool) {
        remove(since: mark) { isInFailed($0.localPath) }
        lock.withLock {
            let added = contents.losses.dropFirst(mark.losses)
            contents.losses.removeLast(added.count)
            contents.losses += added.filter { !isInFailed($0.localPath) }
        }
    }

    /// Removes and returns the issues since a mark that satisfy a condition.
    @discardableResult
    final func remove(since mark: Mark, where isRemoved: (MappingIssue) -> Bool) -> [MappingIssue] {
        lock.withLock {
            var removed: [MappingIssue] = []
            var remaining: [MappingIssue] = []
            for issue in contents.kept.dropFirst(mark.kept) {
                if isRemoved(issue) { removed.append(issue) } else { remaining.append(issue) }
            }
            if removed.isEmpty { return [] }
            contents.kept.removeLast(removed.count + remaining.count)
            contents.kept += remaining
            return removed
        }
    }

    /// Returns the collected issues, and clears the log.
    final func takeIssues() -> (issues: [MappingIssue], omitted: Int) {
        lock.withLock {
            defer { contents = IssueLogContents() }
            return (contents.kept, contents.omitted)
        }
    }
}
