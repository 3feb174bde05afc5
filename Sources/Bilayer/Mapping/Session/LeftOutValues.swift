/// The values that the first layer of a call has left out, by their paths in the document, with the reasons.
///
/// The second layer finds such a value missing, although the server has sent it. Its issue gets the reasons of the first
/// layer instead, and the first layer's issue is then removed. So one problem of the response is one issue, and counts
/// distinguish it from a value that the server has left out:
///
///     $[1]: dropped: $[1].offerId: wrong type: expected String, found number in ProductFragment
struct LeftOutValues {
    private var reasons: [JsonPath: [MappingIssue]] = [:]

    /// - Returns: `nil` if no value was left out. Elements of arrays do not count, because the second layer never gets
    ///   them.
    init?(in issues: [MappingIssue]) {
        for issue in issues where issue.isOfLeftOutMember { reasons[issue.path] = issue.causes }
        if reasons.isEmpty { return nil }
    }

    /// Returns the issues of both layers, with the reasons of values that the first layer has left out.
    func joining(_ issues: [MappingIssue]) -> [MappingIssue] {
        let explained = explaining(issues)
        var told: Set<Reason> = []
        for issue in explained where !issue.isOfLeftOutMember { issue.addReasons(to: &told) }
        return explained.filter { issue in
            guard issue.isOfLeftOutMember, let reason = issue.causes.first else { return true }
            return !told.contains(Reason(reason))
        }
    }

    /// Returns issues of the second layer, with the first layer's reasons in place of errors about missing values.
    func explaining(_ issues: [MappingIssue]) -> [MappingIssue] {
        issues.flatMap { issue -> [MappingIssue] in
            if issue.kind == .missing, issue.severity == .error, let reasons = reasons(for: issue.path) {
                return reasons
            }
            var issue = issue
            issue.causes = explaining(issue.causes)
            return [issue]
        }
    }

    /// Returns the reasons for which the value at a path, or a value around it, was left out.
    private func reasons(for path: JsonPath) -> [MappingIssue]? {
        var path = path
        while !path.isRoot {
            if let reasons = reasons[path] { return reasons }
            path.components.removeLast()
        }
        return nil
    }
}

/// The identity of a problem in issues of both layers.
private struct Reason: Hashable {
    let kind: MappingIssue.Kind
    let path: JsonPath

    init(_ issue: MappingIssue) {
        kind = issue.kind
        path = issue.path
    }
}

extension MappingIssue {
    /// Whether the issue is about a member of an object that was left out.
    fileprivate var isOfLeftOutMember: Bool {
        kind == .dropped && !causes.isEmpty && localPath.components.last?.key != nil
    }

    fileprivate func addReasons(to reasons: inout Set<Reason>) {
        reasons.insert(Reason(self))
        for cause in causes { cause.addReasons(to: &reasons) }
    }
}

extension MappingSession {
    /// Returns the error of a stage, with the reasons of values that an earlier stage has left out.
    func explained(_ error: any Error) -> any Error {
        guard policy.leavesOut, let error = error as? MappingError, let leftOut = LeftOutValues(in: issues) else {
            return error
        }
        let explained = leftOut.explaining(error.issues)
        return explained.first.map { MappingError($0, Array(explained.dropFirst())) } ?? error
    }
}
