extension MappingReport {
    /// Makes a report by hand, for tests of a reporter.
    public init(
        issues: [MappingIssue],
        omittedIssueCount: Int = 0,
        subject: String? = nil,
        context: CallContext = CallContext(),
        side: Side = .response
    ) {
        self.init(
            issues: issues,
            omittedIssueCount: omittedIssueCount,
            subject: subject,
            side: side,
            call: context.reported
        )
    }
}

extension MappingReport.Side {
    /// The part of a call that a stage belongs to.
    @usableFromInline
    init(_ stage: CallStage) {
        self = stage == .requestEncoding ? .request : stage == .transport ? .transport : .response
    }
}

extension CallContext {
    /// The facts about this call for its reports.
    var reported: ReportedCall {
        ReportedCall(id: id, endpoint: endpoint, request: sentRequest, response: receivedResponse)
    }
}
