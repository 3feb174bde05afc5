/// The key clashes that an ``IssueLog`` has omitted because of its limit, under a policy that refuses clashes. They are
/// stored although the limit omits them, because they become errors at the end of their entry. Clashes within the limit
/// are in the list of issues.
struct OmittedClashes {
    private struct Clash {
        var issue: MappingIssue
        /// The number of omitted issues up to this one.
        let number: Int
    }

    /// The clashes by their numbers, ascending.
    private var clashes: [Clash] = []

    /// Adds a clash, after the log has counted it as omitted.
    mutating func add(_ issue: MappingIssue, number: Int) { clashes.append(Clash(issue: issue, number: number)) }

    /// Returns the clashes since a mark.
    func issues(since mark: IssueLogContents.Mark) -> [MappingIssue] { clashes[added(since: mark)].map(\.issue) }

    /// Removes the clashes since a mark.
    mutating func removeAll(since mark: IssueLogContents.Mark) { clashes.removeSubrange(added(since: mark)) }

    /// Changes the clashes since a mark.
    mutating func change(since mark: IssueLogContents.Mark, _ change: (inout MappingIssue) -> Void) {
        for position in added(since: mark) { change(&clashes[position].issue) }
    }

    /// The positions of the clashes since a mark. They are at the end of the list, so the search takes time in
    /// proportion to their number.
    private func added(since mark: IssueLogContents.Mark) -> Range<Int> {
        var start = clashes.endIndex
        while start > 0, clashes[start - 1].number > mark.omitted { start -= 1 }
        return start..<clashes.endIndex
    }
}
