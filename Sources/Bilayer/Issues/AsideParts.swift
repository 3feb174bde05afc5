/// What a failed value has reported. It is set aside until it is known whether the value's error also ends the
/// enclosing value. If the error does not end it, the part is removed.
struct AsidePart {
    private(set) var part: IssueLogPart
    private(set) var reason: FailureReason
    /// The number of issues in the log before the value.
    let position: Int

    init(_ part: IssueLogPart, _ reason: FailureReason, at position: Int) {
        self.part = part
        self.reason = reason
        self.position = position
    }

    mutating func changeIssues(_ change: (inout MappingIssue) -> Void) {
        // By position, because an issue is large to copy.
        for position in part.issues.indices { change(&part.issues[position]) }
        for position in part.omittedClashes.indices { change(&part.omittedClashes[position]) }
        reason.change(change)
    }

    mutating func removeIssues(where isRemoved: (MappingIssue) -> Bool) {
        part.issues.removeAll(where: isRemoved)
        let count = part.omittedClashes.count
        part.omittedClashes.removeAll(where: isRemoved)
        part.omitted -= count - part.omittedClashes.count
    }

    mutating func changeLosses(_ change: (inout IssueLogPart.Loss) -> Void) {
        for position in part.losses.indices { change(&part.losses[position]) }
    }
}

/// The part of an error by which it is recognized after it has passed through enclosing values. Errors have no
/// identity, and each enclosing value adds to the error. So the first issues of two errors are compared: their paths,
/// their kinds and their texts.
struct FailureReason {
    /// `nil` for a cancellation.
    private var issue: MappingIssue?

    init(_ error: any Error) {
        issue =
            switch error {
            case is CancellationError: nil
            // Only the first issue of the error is copied, because this code runs at each level around a failed value.
            case let error as DecodingError: MappingIssue(error)
            default: MappingError(wrapping: error).issues.first
            }
    }

    func isEqual(to other: FailureReason) -> Bool {
        guard let issue, let other = other.issue else { return issue == nil && other.issue == nil }
        return issue.localPath == other.localPath && kind(of: issue) == kind(of: other)
            && issue.expected == other.expected && issue.detail == other.detail
            && issue.underlyingError.map { "\($0)" } == other.underlyingError.map { "\($0)" }
    }

    /// The kind of an issue, for a comparison. An issue of kind `wrong type` later gets the kind `null` if the JSON has
    /// a `null`, so the two kinds are equal here.
    private func kind(of issue: MappingIssue) -> MappingIssue.Kind { issue.kind == .null ? .wrongType : issue.kind }

    fileprivate mutating func change(_ change: (inout MappingIssue) -> Void) {
        guard var issue else { return }
        change(&issue)
        self.issue = issue
    }
}

/// The parts that are set aside. The error that ends a value is usually that of the last part. It is the error of an
/// earlier part if code has tried alternatives, and then throws the first error.
struct AsideParts {
    private static var limit: Int { 32 }

    private var parts: [(number: Int, part: AsidePart)] = []
    /// The number of parts. If there are more than the limit, those in the middle are no longer in the list.
    private(set) var count = 0

    mutating func append(_ part: AsidePart) {
        if parts.count == Self.limit { parts.remove(at: Self.limit / 2) }
        parts.append((count, part))
        count += 1
    }

    mutating func change(since count: Int, _ change: (inout AsidePart) -> Void) {
        for position in positions(since: count) { change(&parts[position].part) }
    }

    /// Removes and returns the parts that were appended after the first `count` parts.
    @discardableResult
    mutating func removeAll(since count: Int) -> [AsidePart] {
        if self.count <= count { return [] }
        let positions = positions(since: count)
        let removed = parts[positions].map(\.part)
        parts.removeSubrange(positions)
        self.count = count
        return removed
    }

    private func positions(since count: Int) -> Range<Int> {
        (parts.firstIndex { $0.number >= count } ?? parts.endIndex)..<parts.endIndex
    }
}
