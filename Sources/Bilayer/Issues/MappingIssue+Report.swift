extension MappingIssue {
    /// Reports the issue to the mapping in progress. Call it in custom tools that return a value despite a problem.
    ///
    /// The path is relative to the current value, and the enclosing containers complete it. Without a mapping in
    /// progress, the call has no effect.
    ///
    /// ```swift
    /// MappingIssue(.usedDefault, severity: .info, path: [.key("reviews")], found: .init(type: "nothing")).report()
    /// ```
    public func report() {
        IssueLog.current?.add(self)
    }

    /// Reports the issue, or throws it if the policy treats warnings as errors. Without a mapping in progress, the call
    /// has no effect.
    /// - Throws: This issue as a ``MappingError``, under a policy that treats warnings as errors.
    public func reportOrThrow() throws {
        guard let log = IssueLog.current else { return }
        if log.policy.treatsWarningsAsErrors, let error = MappingError(refusing: [self]) { throw error }
        log.add(self)
    }
}
