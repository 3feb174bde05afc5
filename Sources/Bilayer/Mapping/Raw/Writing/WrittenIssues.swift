/// The issues that are reported while a ``JsonWriter`` writes a value and an issue log is bound. Each issue belongs to
/// a part of the value: a member, an element, an object or an array.
///
/// The paths of a part's issues begin at the part, until the part's key or index is prepended.
final class WrittenIssues {
    private let log: IssueLog
    /// For each level, the end of the log when the level's last part began. Levels deeper than the running part have
    /// marks of parts that have ended.
    private var marks: [IssueLog.Mark] = []

    init(_ log: IssueLog) { self.log = log }

    func begin(_ level: Int) {
        let mark = log.mark
        marks.removeLast(max(0, marks.count - level))
        marks += repeatElement(mark, count: level + 1 - marks.count)
    }

    /// Ends a part that was written.
    func end(_ level: Int, at component: JsonPath.Component) {
        if log.hasAdditions(since: marks[level]) { log.prefix(since: marks[level], by: component) }
    }

    /// Ends a part that failed, and sets its issues aside (``IssueLog/setAside(since:failedBy:)``).
    /// - Parameters:
    ///   - level: The level of the part.
    ///   - component: The part's key or index, which the error does not have yet.
    ///   - error: The error.
    func fail(_ level: Int, at component: JsonPath.Component? = nil, by error: any Error) {
        log.setAside(since: marks[level], failedBy: error)
        log.prefix(since: marks[level], by: component)
    }
}
