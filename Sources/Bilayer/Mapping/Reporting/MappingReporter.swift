public import Foundation

/// Hears of every problem that a mapping met: what failed and what was forgiven.
///
/// Give one to a client, for production, or to a call, for a test; it gets one report for each response that had any issue,
/// also when the call failed.
///
/// ```swift
/// client.reporter = .log
/// let users = try await client.fetch(.users, reporter: CollectingReporter())
/// ```
///
/// Write your own to feed an analytics service:
///
/// ```swift
/// struct AnalyticsReporter: MappingReporter {
///     func report(_ report: MappingReport) {
///         for issue in report.issues { print("contract breach", issue.groupingKey, report.route?.name ?? "-") }
///     }
/// }
/// ```
public protocol MappingReporter: Sendable {
    /// Takes a report. Called once for each response with issues, on the call's own executor: return soon.
    /// - Parameter report: The issues and their call.
    func report(_ report: MappingReport)
}

/// Everything that one response's mapping met, with its call.
public struct MappingReport: Sendable {
    /// The issues: errors first, then what was forgiven, each in document order.
    public internal(set) var issues: [MappingIssue]
    /// How many more there were, beyond ``MappingPolicy/issueLimit``.
    public let omittedIssueCount: Int
    /// What the mapping was about, for a mapping outside of any call: a type's name, a screen's.
    public let subject: String?
    /// The call's route.
    public let route: Endpoint?
    /// The request as sent.
    public let request: HTTPRequest?
    /// The response.
    public let response: HTTPResponse?
    /// The call's id.
    public let callID: UUID

    /// Makes a report by hand, for tests of a reporter.
    public init(
        issues: [MappingIssue],
        omittedIssueCount: Int = 0,
        subject: String? = nil,
        context: CallContext = CallContext()
    ) {
        let rank: [MappingIssue.Severity: Int] = [.error: 0, .warning: 1, .info: 2]
        // The index keeps document order within a severity: `sort` makes no promise about equals.
        self.issues = issues.enumerated()
            .sorted { (rank[$0.element.severity] ?? 0, $0.offset) < (rank[$1.element.severity] ?? 0, $1.offset) }
            .map(\.element)
        self.omittedIssueCount = omittedIssueCount
        self.subject = subject
        route = context.route
        request = context.sentRequest
        response = context.receivedResponse
        callID = context.id
    }
}

extension MappingReporter {
    /// Runs a mapping outside of any call, and reports what it met.
    ///
    /// ```swift
    /// let products = try reporter.mapping("Catalogue", policy: .salvaging) { try [Product].from(dto: fragments) }
    /// ```
    /// - Parameters:
    ///   - subject: What the mapping is about, for the report.
    ///   - policy: How strict it is.
    ///   - spelling: How the server spells what `Codable` entries leave open.
    ///   - body: The mapping.
    /// - Returns: What the mapping gave.
    /// - Throws: What the mapping threw.
    public func mapping<Value>(
        _ subject: String? = nil,
        policy: MappingPolicy = .standard,
        spelling: EntrySpelling = EntrySpelling(),
        _ body: () throws -> Value
    ) throws -> Value {
        let session = MappingSession(policy: policy, spelling: spelling)
        do {
            let value = try MappingSession.with(session, body)
            deliver(session, failure: nil, subject: subject, context: CallContext())
            return value
        } catch {
            // Whatever ends a mapping is a problem of it; only a call has other ends.
            let failure = error is CancellationError || error is CallError ? error : MappingError(wrapping: error)
            deliver(session, failure: failure, subject: subject, context: CallContext())
            throw error
        }
    }

    func deliver(_ session: MappingSession, failure: (any Error)?, subject: String?, context: CallContext) {
        session.nameKeysInDocument()
        let (forgiven, omitted) = session.take()
        let issues = ((failure as? MappingError)?.issues ?? (failure as? CallError)?.issues ?? []) + forgiven
        if issues.isEmpty { return }
        report(MappingReport(issues: issues, omittedIssueCount: omitted, subject: subject, context: context))
    }
}
