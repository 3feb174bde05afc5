/// What the parts of a value that is written by hand report, with a log. A part is a member or element, or an object or
/// array.
///
/// The issues of a part have paths that begin at the part, until its key or index is put in front of them.
final class WrittenIssues {
    private let log: IssueLog
    /// For each level, the end of the log when its last part began. The levels above that of the running part are left
    /// over from parts that have ended.
    private var marks: [IssueLog.Mark] = []
    /// Where the issues of the last part that failed are in the log. If another part begins directly behind them, code
    /// has caught the error, and they are removed. If none begins, they stay marked as discarded, and are removed at
    /// the end of a mapping that succeeds.
    private var failed: (start: IssueLog.Mark, end: IssueLog.Mark)?

    init(_ log: IssueLog) { self.log = log }

    func begin(_ level: Int) {
        if let failed, failed.end == log.mark { log.remove(since: failed.start) }
        failed = nil
        let mark = log.mark
        marks.removeLast(max(0, marks.count - level))
        marks += repeatElement(mark, count: level + 1 - marks.count)
    }

    /// Ends a part that was written.
    func end(_ level: Int, at component: JsonPath.Component) {
        if log.hasIssues(since: marks[level]) { log.prefix(since: marks[level], by: component) }
    }

    /// Ends a part that failed: its issues are discarded if the error is caught.
    func fail(_ level: Int, at component: JsonPath.Component? = nil) {
        log.prefix(since: marks[level], by: component)
        log.markDiscarded(since: marks[level])
        failed = (marks[level], log.mark)
    }
}
