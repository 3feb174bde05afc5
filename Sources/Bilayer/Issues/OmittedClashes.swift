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

    /// Returns the clashes after a number of omitted issues, which is in each ``IssueLogContents/Mark``.
    func issues(after number: Int) -> [MappingIssue] { clashes[added(after: number)].map(\.issue) }

    /// Removes the clashes after a number of omitted issues.
    mutating func removeAll(after number: Int) { clashes.removeSubrange(added(after: number)) }

    /// Changes the clashes after a number of omitted issues.
    mutating func change(after number: Int, _ change: (inout MappingIssue) -> Void) {
        for position in added(after: number) { change(&clashes[position].issue) }
    }

    /// The positions of the clashes after a number of omitted issues. They are at the end of the list, so the search
    /// takes time in proportion to their number.
    private func added(after number: Int) -> Range<Int> {
        var start = clashes.endIndex
        while start > 0, clashes[start - 1].number > number { start -= 1 }
        return start..<clashes.endIndex
    }
}
