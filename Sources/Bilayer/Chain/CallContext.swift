public import Foundation

/// What every node of a call is handed beside its input: which call this is, what it asked for, and where to leave a
/// note.
///
/// A context is a small value over one shared record: copies belong to the same call, and what one stage notes the
/// others and the error can read. It travels as an argument, never as a task-local value, so a detached task keeps it.
///
/// ```swift
/// struct Stopwatch<Input, Output>: Middleware {
///     func intercept(
///         _ input: Input, in context: CallContext, next: some Node<Input, Output>
///     ) async throws -> Output {
///         let start = ContinuousClock.now
///         defer { context.note("took \(start.duration(to: .now))") }
///         return try await next.process(input, in: context)
///     }
/// }
/// ```
public struct CallContext: Sendable {
    /// What the call asked for; `nil` for a chain run by hand.
    public let route: Endpoint?
    /// The clock that every wait of the call uses; tests bring their own.
    public let clock: any Clock<Duration>
    /// Receives the mapping's issues; `nil` disables reporting.
    public let reporter: (any MappingReporter)?
    /// How strict the mapping is.
    public let mappingPolicy: MappingPolicy
    private var record: CallRecord
    private var session: MappingSession?

    /// Makes the context of a new call.
    /// - Parameters:
    ///   - id: The call's id; a new one if left out.
    ///   - route: What the call asks for.
    ///   - clock: The clock that waits use.
    ///   - reporter: Receives the mapping's issues.
    ///   - mapping: How strict the mapping is.
    ///   - conventions: How the server spells what `Codable` entries leave open.
    public init(
        id: UUID? = nil,
        route: Endpoint? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy = .standard,
        conventions: CodingConventions = CodingConventions()
    ) {
        record = CallRecord(id: id)
        self.route = route
        self.clock = clock
        self.reporter = reporter
        mappingPolicy = mapping
        let isPlain = reporter == nil && mapping == .standard && conventions.isPlain
        session = isPlain ? nil : MappingSession(policy: mapping, conventions: conventions)
    }

    /// The call's own id, for logs on both sides of the wire.
    public var id: UUID { record.id }

    /// Runs a synchronous mapping under the call's policy, and gathers its issues for the report. Stages that map call
    /// this; a mapping stage of your own does, too.
    ///
    /// ```swift
    /// let products = try context.mapping { try [Product].from(dto: fragments) }
    /// ```
    /// - Parameter body: The mapping.
    /// - Returns: What the mapping gave.
    /// - Throws: What the mapping threw.
    public func mapping<Value>(_ body: () throws -> Value) throws -> Value {
        guard let session else { return try body() }
        if MappingSession.inProgress?.isPart(of: session) == true { return try body() }
        let part = session.makePart()
        defer { session.take(over: part) }
        do {
            return try MappingSession.with(part, body)
        } catch {
            throw part.named(error)
        }
    }

    /// Gives the reporter the issues of one side of the call, and begins anew for the next side.
    @usableFromInline
    func deliverReport(of side: MappingReport.Side, failure: (any Error)? = nil) {
        guard let session, let reporter else { return }
        reporter.deliver(session, failure: failure, subject: nil, call: reported, side: side)
    }

    /// The context of a pipeline that begins to run: this one, or while another one runs in the call one with a record
    /// and issues of its own.
    @usableFromInline
    func beginRun() -> CallContext {
        if record.beginRun() { return self }
        var context = self
        context.record = CallRecord(below: record, isAttempt: false)
        _ = context.record.beginRun()
        context.session = session.map { MappingSession(policy: $0.policy, conventions: $0.conventions) }
        return context
    }

    /// Ends what ``beginRun()`` began.
    @usableFromInline
    func endRun() {
        record.endRun()
    }

    /// An attempt that begins, with a context and a record of its own.
    func beginAttempt() -> Attempt {
        var context = self
        context.record = CallRecord(below: record, isAttempt: true)
        return Attempt(begun: record.beginAttempt(), context: context)
    }

    /// Notes the outcome of an attempt.
    func end(_ attempt: Attempt, _ outcome: AttemptOutcome) {
        record.end(attempt.begun, attempt.context.record, outcome)
    }

    /// Makes the request of the attempt that failed like this the one that the error shows.
    func settle(on failure: any Error) {
        record.settle(on: .failure(failure))
    }

    /// Tells the runs of calls apart.
    var run: AttemptMark { record.identity }

    /// Leaves a note in the call's log, for the error and for ``events``. No payload values, no secrets.
    /// - Parameter text: One line.
    public func note(_ text: String) {
        record.note(text)
    }

    /// The notes so far, oldest first; of very many only the last 256.
    public var events: [CallEvent] { record.events }

    /// Says what is about to go over the wire, after every change that middlewares made. A transport calls this right
    /// before it sends, so that an error shows the request as sent; the last one counts.
    /// - Parameter request: The request in its last form.
    public func recordSent(_ request: HTTPRequest) {
        record.sent(request)
    }

    /// The request as it was last sent, if any was.
    public var sentRequest: HTTPRequest? { record.request }

    /// The last response that came out of the transport, if any did.
    public var receivedResponse: HTTPResponse? { record.response }

    @usableFromInline
    func recordReceived(_ response: HTTPResponse) {
        record.received(response)
    }
}

/// An attempt of a call, with its own context.
struct Attempt {
    fileprivate let begun: CallAttempts.Begun
    let context: CallContext

    var mark: AttemptMark { begun.mark }
}

/// A note from one stage of a call.
public struct CallEvent: Sendable, Hashable {
    /// The time from the call's start to the note.
    public let time: Duration
    /// The note.
    public let text: String
}

extension Duration {
    /// Seconds with three digits: `0.012 s`.
    var formattedSeconds: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
    }
}
