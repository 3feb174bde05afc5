public import Foundation

/// Receives the issues of mappings and the failures of calls.
///
/// Set a reporter on a client for production, or pass it to one call in a test. It receives at most one report for each
/// side of a call (``MappingReport/Side-swift.enum``), also when the call fails. A stream and a WebSocket also have a
/// report for each element and message with issues. A stream, a download and a WebSocket can have one more report for
/// the error that ends them. These are the reports of a call:
///
/// | The call | The side | The issues |
/// |---|---|---|
/// | has no issue, also after attempts that failed | none | |
/// | accepts a value of the body that it sends | request | the issue, with its path in that body |
/// | accepts a value of the response | response | the issue, with its path in the response |
/// | fails in the mapping of the request | request | those of the ``MappingError`` |
/// | makes no request: no address, a node that throws | request | one, `failed` at `$` |
/// | gets no response: transport, middleware, the wait of a retry, all attempts | transport | one, `failed` at `$` |
/// | fails because of a status other than 2xx, with any body | response | one, `failed` at `$` |
/// | has a body of another format, a node that throws | response | one, `failed` at `$` |
/// | fails in the mapping of the response | response | those of the ``MappingError`` |
/// | is a stream, a download or a WebSocket whose loop ends with an error, also after its head | that of the error | as above |
/// | is one of these, and goes on after an error: its connection is opened again | none | |
/// | is a download whose file the app's check refuses | response | one, `failed` at `$` |
/// | is a download that cannot write its file | none | |
/// | is one of a page whose position of the next page is wrong (``PageError``) | response | one more report: those of the ``MappingError``, or one, `failed` at `$` |
/// | is cancelled | each side with issues so far | those accepted before the cancellation |
///
/// `failed` is the kind ``MappingIssue/Kind-swift.struct/foreign``; the issue's ``MappingIssue/underlyingError`` has
/// the reason. In a report, errors come before warnings. A call that a stage makes is a separate call with its own
/// reports. A GraphQL response that fails because of its `errors` has the issues of its ``GraphQLFailure``. If the
/// response has the media type `application/graphql-response+json`, this is so with any status.
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
///         // A failed call is reported, too: a lost connection has the side `transport`, a status its own error.
///         if report.side == .transport { return }
///         for issue in report.issues where !(issue.underlyingError is StatusError) {
///             print("contract breach", issue.groupingKey, report.endpoint?.name ?? "-")
///         }
///     }
/// }
/// ```
public protocol MappingReporter: Sendable {
    /// Receives a report. This function is called once for each of the following that has issues: a side of a call, an
    /// element of a stream, a message that a WebSocket receives or sends, a mapping outside a call. It
    /// runs inside the call or mapping, so it should return soon.
    /// - Parameter report: The issues and their call.
    func report(_ report: MappingReport)
}

/// The issues of one side of a call, with the call; or the issues of a mapping outside a call.
public struct MappingReport: Sendable {
    /// The part of a call that a report describes.
    public enum Side: String, Sendable, Hashable {
        /// From the model to the request: paths are those of the request's body.
        case request
        /// From the request to the response: the path `$` stands for the call.
        case transport
        /// From the response to the model: paths are those of the response's body.
        case response
    }

    /// The part of the call.
    public let side: Side
    /// The issues: errors first, then warnings, then infos. Issues of one severity are in the order in which they were
    /// found. For a response, those of the entry come before those of the model.
    public internal(set) var issues: [MappingIssue]
    /// The number of further issues beyond ``MappingPolicy/issueLimit``. A value of an entry may be read several times,
    /// for example by a class and its superclass. Its issue is then kept once, but beyond the limit it is counted each
    /// time. While the value is read, repeated issues count against the limit. A model that converts a value twice has
    /// the issues of the conversion twice.
    public let omittedIssueCount: Int
    /// Whether the mapping collected errors and stopped at the ``MappingPolicy/issueLimit``. The JSON may then have
    /// more errors, which are not counted.
    public let mayHaveMoreErrors: Bool
    /// The number of errors among the omitted issues.
    let omittedErrorCount: Int
    /// The subject of a mapping outside a call: the name of a type or a screen.
    public let subject: String?
    /// The endpoint of the call; `nil` outside of a call, and for a chain run by hand.
    public let endpoint: Endpoint?
    /// The request as sent; `nil` if none was made.
    public let request: HTTPRequest?
    /// The response; `nil` if none was received.
    public let response: HTTPResponse?
    /// The call's id; a new id for each mapping outside of a call.
    public let callID: UUID

    /// Makes a report.
    init(
        issues: [MappingIssue],
        omittedIssueCount: Int,
        mayHaveMoreErrors: Bool = false,
        omittedErrorCount: Int = 0,
        subject: String?,
        side: Side,
        call: ReportedCall
    ) {
        let rank: [MappingIssue.Severity: Int] = [.error: 0, .warning: 1, .info: 2]
        // The index keeps the order within a severity: `sort` is not guaranteed to be stable.
        self.issues = issues.enumerated()
            .sorted { (rank[$0.element.severity] ?? 0, $0.offset) < (rank[$1.element.severity] ?? 0, $1.offset) }
            .map(\.element)
        self.omittedIssueCount = omittedIssueCount
        self.mayHaveMoreErrors = mayHaveMoreErrors
        self.omittedErrorCount = omittedErrorCount
        self.subject = subject
        self.side = side
        endpoint = call.endpoint
        request = call.request
        response = call.response
        callID = call.id
    }
}

/// The properties of a call that its report contains.
struct ReportedCall {
    var id = UUID()
    var endpoint: Endpoint?
    var request: HTTPRequest?
    var response: HTTPResponse?
}

extension MappingReporter {
    /// Runs a mapping outside a call, and reports its issues.
    ///
    /// ```swift
    /// let products = try reporter.mapping("Catalogue", policy: .salvaging) { try [Product].from(dto: fragments) }
    /// ```
    /// If `body` makes entries and their models, and elements are left out of the entries' arrays, the issues of the
    /// models have the indices of the shortened arrays. The built-in stages of a client's call report the server's
    /// indices.
    /// - Parameters:
    ///   - subject: The subject of the mapping, for the report.
    ///   - policy: The strictness of the mapping.
    ///   - conventions: The server's conventions for keys and formats of `Codable` entries.
    ///   - body: The mapping.
    /// - Returns: The result of the mapping.
    /// - Throws: The error of the mapping.
    public func mapping<Value>(
        _ subject: String? = nil,
        policy: MappingPolicy = .standard,
        conventions: CodingConventions = CodingConventions(),
        _ body: () throws -> Value
    ) throws -> Value {
        let session = MappingSession(policy: policy, conventions: conventions)
        do {
            let value = try MappingSession.with(session, body)
            session.settleAside(since: .start)
            session.removeRepeatedInTexts()
            deliver(session, failure: nil, subject: subject, call: ReportedCall())
            return value
        } catch {
            session.settleAside(since: .start, after: error)
            session.removeRepeatedInTexts()
            let error = session.named(error)
            deliver(session, failure: error, subject: subject, call: ReportedCall())
            throw error
        }
    }

    /// Reports the issues of a session and of a failure, if there are any. Only then `call` is evaluated: it makes the
    /// call's id, which opens the system's random device on Linux.
    func deliver(
        _ session: MappingSession,
        failure: (any Error)?,
        subject: String?,
        call: @autoclosure () -> ReportedCall,
        side: MappingReport.Side = .response
    ) {
        session.nameKeysInDocument()
        let errors = failure.map(issues) ?? []
        // A call may have mapped several times, and the error of one mapping has ended it.
        session.settleAside(since: .start, after: errors.first.map { MappingError($0) } ?? failure)
        let (tolerated, omitted) = session.take()
        let found = errors + tolerated
        if found.isEmpty, omitted == 0 { return }
        let issues = Array(found.prefix(session.policy.issueLimit))
        report(
            MappingReport(
                issues: issues,
                omittedIssueCount: omitted + found.count - issues.count,
                mayHaveMoreErrors: session.policy.collectsAll
                    && (errors.count >= session.policy.issueLimit || errors.contains(where: \.endsSearch)),
                omittedErrorCount: max(0, errors.count - issues.count),
                subject: subject,
                side: side,
                call: call()
            )
        )
    }

    /// Returns the issues of a failure: the issues that the failure contains, or one issue for any other error. A
    /// cancellation has no issues.
    private func issues(of failure: any Error) -> [MappingIssue] {
        switch failure {
        case is CancellationError: []
        case let failure as any Headlined: failure.reasons
        default: MappingError(wrapping: failure).issues
        }
    }
}

extension MappingReport: Redacted {}
