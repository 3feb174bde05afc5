/// The contents of an ``IssueLog`` that a mark counts. The contents are one struct, because each access to a property
/// of a class takes time.
@usableFromInline
struct IssueLogContents {
    var kept: [MappingIssue] = []
    /// The number of kept issues that are marked as discarded. They do not count toward the limit.
    var discarded = 0
    var omitted = 0
    /// The number of omitted issues of kind `dropped`.
    var omittedDrops = 0
    /// The number of omitted issues of values that failed.
    var omittedDiscarded = 0
    /// The elements that were left out, one ``Loss`` for each collection. Their number is not limited, because
    /// later paths depend on them.
    var losses: [Loss] = []
    /// The last value that failed after it had reported something; `nil` if another value has failed since.
    var failure: Failure?

    @inline(__always)
    var mark: Mark {
        Mark(
            kept: kept.count,
            omitted: omitted,
            omittedDrops: omittedDrops,
            omittedDiscarded: omittedDiscarded,
            losses: losses.count
        )
    }

    mutating func removeLast(_ count: Int) {
        if discarded > 0 { discarded -= kept.suffix(count).count(where: \.isDiscarded) }
        kept.removeLast(count)
    }

    /// Removes what is marked as discarded since a mark and before another mark. Removes the marks of the rest.
    mutating func settle(since mark: Mark, before end: Mark) {
        // Bounded, because a task that inherits the binding may have changed the log.
        func range<Element>(of list: [Element], _ start: Int, _ end: Int) -> Range<Int> {
            min(start, list.count)..<min(max(start, end), list.count)
        }
        let caught = range(of: kept, mark.kept, end.kept)
        discarded -= kept[min(mark.kept, kept.count)...].count(where: \.isDiscarded)
        kept.replaceSubrange(caught, with: kept[caught].filter { !$0.isDiscarded })
        // By position, because an issue is large to copy.
        for position in kept.indices.dropFirst(mark.kept) { kept[position].isDiscarded = false }
        let caughtLosses = range(of: losses, mark.losses, end.losses)
        losses.replaceSubrange(caughtLosses, with: losses[caughtLosses].filter { !$0.isDiscarded })
        for position in losses.indices.dropFirst(mark.losses) { losses[position].isDiscarded = false }
        omitted -= max(0, end.omittedDiscarded - mark.omittedDiscarded)
        omittedDiscarded = min(omittedDiscarded, mark.omittedDiscarded)
        failure = nil
    }

    /// The elements that were left out of one array.
    struct Loss {
        var localPath: JsonPath
        /// Ascending.
        let indices: [Int]
        /// Whether the array is in a value that has failed.
        var isDiscarded = false
    }

    /// A point in the log. Entries from before a mark in use are never removed, so everything added since the mark is
    /// at the ends of the lists. Work on the additions takes time in proportion to their number, not to the length of
    /// the lists.
    @usableFromInline
    struct Mark: Equatable, Sendable {
        @usableFromInline let kept: Int
        @usableFromInline let omitted: Int
        let omittedDrops: Int
        let omittedDiscarded: Int
        let losses: Int

        /// The mark of an empty log.
        @usableFromInline static var start: Mark {
            Mark(kept: 0, omitted: 0, omittedDrops: 0, omittedDiscarded: 0, losses: 0)
        }

        func isBefore(_ other: Mark) -> Bool {
            kept < other.kept || omitted < other.omitted || losses < other.losses
        }
    }

    /// A value that has failed after it had reported something.
    struct Failure {
        /// The mark from before the value. Everything since then is from the value.
        let start: Mark
        /// The first issue of the value's error; `nil` for a cancel. It is changed as the issues of the log are.
        private var issue: MappingIssue?

        init(since start: Mark, by error: any Error) {
            self.start = start
            issue = Self.issue(of: error)
        }

        mutating func change(_ change: (inout MappingIssue) -> Void) {
            if var issue {
                change(&issue)
                self.issue = issue
            }
        }

        /// Whether an error is the error of this value. Errors have no identity, so the places and the kinds of their
        /// first issues are compared.
        func isReason(for error: any Error) -> Bool {
            let other = Self.issue(of: error)
            return issue?.localPath == other?.localPath && issue?.kind == other?.kind
                && issue?.expected == other?.expected && issue?.detail == other?.detail
        }

        private static func issue(of error: any Error) -> MappingIssue? {
            error is CancellationError ? nil : MappingError(wrapping: error).issues.first
        }
    }
}
