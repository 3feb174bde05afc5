extension IssueLog {
    /// Removes repeated issues since a mark. An entry may read a value several times. A superclass and a subclass may
    /// read the same key, and a search for errors reads parts again.
    func removeRepeated(since mark: Mark) {
        let end = self.mark
        guard end.kept > mark.kept + 1 || end.aside > mark.aside else { return }
        removeInEachPart(since: mark) {
            var seen: Set<ReportIdentity> = []
            return { !seen.insert(ReportIdentity($0)).inserted }
        }
    }

    /// Removes repeated issues of values that are parts of a text, at the end of a mapping. A `from(raw:)` by hand may
    /// read a value several times. Issues of values that are not parts of a text stay, because different values may
    /// have the same path.
    func removeRepeatedInTexts() {
        guard self.mark.kept > 1 else { return }
        var seen: Set<ReportIdentity> = []
        remove(since: .start) { $0.origin != nil && !seen.insert(ReportIdentity($0)).inserted }
    }
}

/// The properties of an issue that are equal if the same problem is reported twice.
private struct ReportIdentity: Hashable {
    let kind: MappingIssue.Kind
    let path: JsonPath
    let severity: MappingIssue.Severity
    let expected: String?
    let detail: String?
    let owner: String?
    /// The value at which the path begins, if it is known.
    let document: ObjectIdentifier?
    let position: Int?

    init(_ issue: MappingIssue) {
        kind = issue.kind
        path = issue.localPath
        severity = issue.severity
        expected = issue.expected
        detail = issue.detail
        owner = issue.owner
        if case .view(let document, let position)? = issue.origin?.storage {
            self.document = ObjectIdentifier(document)
            self.position = position
        } else {
            document = nil
            position = nil
        }
    }
}
