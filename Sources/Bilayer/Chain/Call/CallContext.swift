public import Foundation

/// The call that a node runs in: its id, its endpoint, its clock, and its notes.
///
/// Every node receives it as an argument. A context is a small value that refers to one shared record. All copies
/// belong to the same call, and the notes of a stage are visible to the other stages and to the error. The context is
/// not a task-local value, so a detached task can use it.
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
    /// The endpoint of the call; `nil` if the context was made without one.
    public let endpoint: Endpoint?
    /// The clock for the waits of the call; tests can pass another clock. Objects that several calls share, such as a
    /// ``RateLimit``, have clocks of their own.
    public let clock: any Clock<Duration>
    /// Receives the mapping's issues and the failure of the call; `nil` disables reporting.
    public let reporter: (any MappingReporter)?
    /// How strict the mapping is.
    public let mappingPolicy: MappingPolicy
    /// The settings of the call for its nodes and middlewares.
    public private(set) var options: CallOptions
    /// The base address of the client; `nil` if no client made the context. ``Authentication`` and
    /// ``BasicAuthentication`` add credentials only to requests to the origin of this address (scheme, host and port).
    var baseURL: URL?
    /// Returns the time left for work in this context; `nil` without a limit.
    private var readTimeLeft: (@Sendable () -> Duration)?
    /// The conditions that the middlewares around the current node have set for sending the request.
    var sendConditions: [any SendCondition] = []
    /// The path of the stream's element that the stages map; `nil` if they map a whole response.
    var elementPath: JsonPath?
    /// The part that the run has in a ``LongCall``, if it opens the call's connection; `nil` for all other runs.
    var opening: OpeningRun?
    private(set) var record: CallRecord
    private var session: MappingSession?

    /// Makes the context of a new call.
    /// - Parameters:
    ///   - id: The call's id. By default a new id is made.
    ///   - endpoint: The endpoint of the call.
    ///   - clock: The clock that waits use.
    ///   - reporter: Receives the mapping's issues.
    ///   - mapping: How strict the mapping is.
    ///   - conventions: The server's conventions for keys and formats of `Codable` entries.
    ///   - options: The settings of the call for its nodes and middlewares.
    ///   - observer: Receives the events of the call.
    public init(
        id: UUID? = nil,
        endpoint: Endpoint? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy = .standard,
        conventions: CodingConventions = CodingConventions(),
        options: CallOptions = CallOptions(),
        observer: (any CallObserver)? = nil
    ) {
        record = CallRecord(id: id, observer: observer)
        self.endpoint = endpoint
        self.clock = clock
        self.reporter = reporter
        mappingPolicy = mapping
        self.options = options
        let isPlain = reporter == nil && mapping == .standard && conventions.isPlain
        session = isPlain ? nil : MappingSession(policy: mapping, conventions: conventions)
    }

    /// The call's id, for logs of the client and the server.
    public var id: UUID { record.id }

    /// Runs a synchronous mapping under the call's policy, and collects its issues for the report. The built-in mapping
    /// stages call this function. Call it in a custom mapping stage, too.
    ///
    /// ```swift
    /// let products = try context.mapping { try [Product].from(dto: fragments) }
    /// ```
    /// - Parameter body: The mapping.
    /// - Returns: The result of the mapping.
    /// - Throws: The error of the mapping.
    public func mapping<Value>(_ body: () throws -> Value) throws -> Value {
        guard let session else { return try body() }
        return try mapping(in: session, mapsResponse: false, body)
    }

    /// Runs a stage that maps the response. Paths of its errors and issues start at the root of the received text.
    /// - Parameters:
    ///   - path: The path of the result, relative to the mapped value.
    ///   - body: The mapping.
    /// - Returns: The result of the mapping.
    /// - Throws: The error of the mapping. If the policy left out the whole response, the error that led to this.
    func mappingResponse<Value>(at path: JsonPath = .root, _ body: () throws -> Value) throws -> Value {
        if let session {
            return try mapping(in: session, mapsResponse: true) {
                let value = try body()
                try MappingSession.inProgress?.checkResponse(value, at: path)
                return value
            }
        }
        do {
            return try body()
        } catch {
            throw record.run.mapped.locatedInDocument(error)
        }
    }

    /// Runs a mapping as a part of the session, which collects the issues of the call. At the end of the mapping, the
    /// session takes over the mapping's issues. If the mapping maps the response, its issues and errors get paths in
    /// the received text. A mapping that begins inside another mapping of the session belongs to the outer one.
    private func mapping<Value>(
        in session: MappingSession,
        mapsResponse: Bool,
        _ body: () throws -> Value
    ) throws -> Value {
        if MappingSession.inProgress?.isPart(of: session) == true { return try body() }
        let part = session.makePart(mapsResponse: mapsResponse)
        // A mapping that is no stage, but begins after the response has arrived, is one of a node.
        let isOfNode = !mapsResponse && receivedResponse != nil
        func locateIssues() {
            if isOfNode { return part.rewrite(since: .start) { locate(&$0) } }
            part.locateInDocument(as: mapsResponse ? record.run.mapped : MappedPart())
        }
        do {
            let value = try MappingSession.with(part, body)
            part.settleAside(since: .start)
            part.removeRepeatedInTexts()
            locateIssues()
            session.merge(part, mapsResponse: mapsResponse)
            return value
        } catch {
            part.settleAside(since: .start, after: error)
            part.removeRepeatedInTexts()
            locateIssues()
            // The node may catch its error, and prepend components to its path. So the path becomes whole at the end of
            // the stage.
            let mapped = mapsResponse ? record.run.mapped : MappedPart()
            let error = isOfNode ? part.renamed(error) : part.locatedInDocument(error, as: mapped)
            session.merge(part, mapsResponse: mapsResponse, failedBy: error)
            throw error
        }
    }

    /// Throws `CancellationError` if the call's task is cancelled. There is one exception: a call whose time limit has
    /// passed goes on with a stored response, unless the caller has cancelled the call.
    @usableFromInline
    func endIfCancelled() throws {
        guard Task.isCancelled else { return }
        guard passedDeadline != nil, receivedResponse?.replaced != nil else { throw CancellationError() }
    }

    /// Records the value that is mapped, so that errors and issues get paths from the root of the received text.
    func begin(mapping raw: Json?) {
        let path = raw?.pathInDocument
        record.run.mapped = MappedPart(
            path: elementPath.map { (path ?? .root).prefixed(by: $0) } ?? path,
            value: raw,
            textPath: elementPath
        )
        MappingSession.inProgress?.begin(raw?.documentRoot)
    }

    /// Records the path of the entry in the mapped value. Errors and issues of its nodes and of its conversion then get
    /// complete paths.
    func beginEntry(at path: JsonPath) { record.run.mapped.entry = path }

    /// Returns a context for work with a time limit that begins now.
    func limited(to limit: Duration) -> CallContext {
        let (watch, outer) = (Stopwatch(clock), readTimeLeft)
        var context = self
        context.readTimeLeft = {
            let left = limit - watch.elapsed
            return outer.map { min(left, $0()) } ?? left
        }
        return context
    }

    /// The time left until the earliest time limit of this context; `nil` without a limit.
    var timeLeft: Duration? { readTimeLeft?() }

    /// Returns the context for the stages of an element of a stream.
    func ofElement(at path: JsonPath) -> CallContext {
        record.run.mapped = MappedPart(path: path)
        var context = self
        context.elementPath = path
        return context
    }

    /// Returns the error of a stage. Issues of a ``MappingError`` that a node of the app threw get paths in the received
    /// text: the paths begin with the element of the stream and with the path of the entry. Issues of the built-in
    /// mappings have such paths already. Errors of other types are returned unchanged.
    func located(_ error: any Error, in stage: CallStage) -> any Error {
        guard stage.mapsResponse, let error = error as? MappingError else { return error }
        let isBodyEmpty = stage == .rawMapping && receivedResponse?.body.isEmpty == true
        return error.updatingIssues { issue in
            locate(&issue)
            if isBodyEmpty { issue.nameEmptyBody() }
        }
    }

    /// Changes the path of an issue to the path in the received text.
    private func locate(_ issue: inout MappingIssue) {
        switch issue.pathState {
        case .whole: break
        case _ where issue.origin != nil:
            issue.resolveOrigin()
            if let elementPath { issue.prefix(by: elementPath) }
            issue.pathState = .whole
        case .relative where session != nil: session?.locate(&issue, as: record.run.mapped)
        case .relative, .renamed: record.run.mapped.locateInDocument(&issue) { _ in }
        }
    }

    /// Records the server's reasons for missing values. The errors and issues of this stage and of later stages name
    /// these reasons.
    /// - Parameters:
    ///   - failure: The error that the server has reported. If a mapping stage fails, its error also contains this one.
    ///   - reason: Returns the reason for a path in the mapped value, or `nil` if there is none.
    func explainMissing(by failure: any Error, _ reason: @escaping @Sendable (JsonPath) -> String?) {
        record.run.mapped.reported = failure
        record.run.mapped.reason = reason
    }

    /// Passes the issues of one side of the call (request, transport or response) to the reporter, and removes them
    /// from the session that collects them. A run that opens the connection of a ``LongCall`` only keeps its failure for
    /// the end of the call, because the connection may be opened again. What such a run accepts is reported once.
    @usableFromInline
    func deliverReport(of side: MappingReport.Side, failure: (any Error)? = nil) {
        guard let session, let reporter else { return }
        if let opening {
            if failure != nil { return record.keep(FailedOpening(side: side, session: session, call: reported)) }
            if opening.isRepeated { return session.discardIssues() }
        }
        reporter.deliver(session, failure: failure, subject: nil, call: reported, side: side)
    }

    /// Reports the error that ends a ``LongCall``: with the issues of the run that failed to open the connection, or
    /// after the head of a response.
    func deliverLastReport(of side: MappingReport.Side, failure: any Error, about call: @autoclosure () -> ReportedCall)
    {
        guard let session, let reporter else { return }
        if let failed = record.takeFailedOpening() {
            reporter.deliver(failed.session, failure: failure, subject: nil, call: failed.call, side: failed.side)
        } else {
            reporter.deliver(session, failure: failure, subject: nil, call: call(), side: side)
        }
    }

    /// Forgets the run that failed to open the connection, because the connection is opened again.
    func discardFailedOpening() { record.takeFailedOpening()?.session.discardIssues() }

    /// Returns the context for a run of a pipeline. It has a separate record and separate issues if a pipeline of the
    /// call is running already, or if this context belongs to an attempt or a shared request. Otherwise it is this
    /// context.
    @usableFromInline
    func beginRun() -> CallContext {
        var context = self
        context.opening = opening?.begun
        if record.beginRun() { return context }
        // A pipeline that a node runs for an element of a stream maps a response of its own.
        context.elementPath = nil
        context.record = CallRecord(below: record, as: .run)
        _ = context.record.beginRun()
        context.session = session.map { MappingSession(policy: $0.policy, conventions: $0.conventions) }
        return context
    }

    /// Ends the run that ``beginRun()`` began.
    @usableFromInline
    func endRun() {
        record.endRun()
    }

    /// Begins an attempt with a separate context and record.
    func beginAttempt() -> Attempt {
        var context = self
        context.record = CallRecord(below: record, as: .attempt)
        return Attempt(begun: record.beginAttempt(), context: context)
    }

    /// Records the outcome of an attempt.
    func end(_ attempt: Attempt, _ outcome: AttemptOutcome) {
        record.end(attempt.begun, attempt.context.record, outcome)
    }

    /// Takes over the request of the attempt with this outcome, so that the call's error shows that request.
    func adoptRequest(of outcome: AttemptOutcome) {
        record.adoptRequest(of: outcome)
    }

    /// Whether a time limit covers the whole call.
    var hasDeadline: Bool { record.hasDeadline }

    /// The time limit that has ended the call; `nil` before the limit is reached, and if the caller has cancelled the
    /// call.
    var passedDeadline: CallDeadline? { record.passedDeadline }

    /// Records that a time limit covers the whole call.
    func begin(_ deadline: CallDeadline) { record.begin(deadline) }

    /// Waits for a request that further calls may join.
    ///
    /// The request runs in a context with the id, endpoint, clock, options, users, base address, conditions for sending
    /// and remaining time of this call.
    /// Events of the request are recorded in this call, too, until the wait ends. Later events are not recorded in this
    /// call, because the request may go on for other calls.
    /// - Parameter wait: Starts or joins the request, and waits for it.
    /// - Returns: The result of the wait.
    /// - Throws: The error of the wait.
    func sharing<Value>(_ wait: (CallContext) async throws -> Value) async throws -> Value {
        var context = ofAnotherCall()
        let shared = CallRecord(below: record, as: .shared)
        // The shared request belongs to this call's users even after this call has left it.
        for mark in record.knownUsers { _ = shared.userNumber(noting: mark) }
        context.record = shared
        context.readTimeLeft = readTimeLeft
        defer { shared.leave() }
        return try await wait(context)
    }

    /// Returns a copy of the context with another value of an option, for an inner node.
    func with(option: some CallOption) -> CallContext {
        var context = self
        context.options.set(option)
        return context
    }

    /// Returns the context for a separate call with the endpoint, clock, options, base address and conditions for
    /// sending of this call.
    func ofAnotherCall() -> CallContext {
        var context = CallContext(endpoint: endpoint, clock: clock, options: options)
        // An authentication adds credentials only to requests to the origin of this address.
        context.baseURL = baseURL
        context.sendConditions = sendConditions
        return context
    }

    /// The identity of the pipeline's run, by which a ``CallError`` of this run is recognized.
    var run: AttemptIdentity { record.identity }

    /// The notes so far, oldest first. If the call has an observer, all other events are included. At most the last 256
    /// events are kept.
    public var events: [CallEvent] { record.events }

    /// Records a request that goes to the next node.
    @usableFromInline
    func recordRequest(_ request: HTTPRequest) {
        record.recordSent(request)
    }

    /// Records a transport's measurement of an exchange, also if the exchange failed. The measurement of a cancelled
    /// exchange may be missing, because the call does not wait for the end of that exchange.
    /// - Parameter metrics: The measurement.
    public func recordTransfer(_ metrics: TransferMetrics) {
        record.recordTransfer(metrics)
    }

    /// The measurements of the transport, in the order in which the exchanges ended; at most the last 64. A cancelled
    /// exchange may have none. Empty if the transport does not measure.
    public var transferMetrics: [TransferMetrics] { record.transfers }

    /// The last request, as a transport sent it. If no transport has recorded it, the request as it was passed on last.
    /// After the transport stage, the request that led to its outcome: in a race of attempts, that is not always the
    /// last one. `nil` before a request is made.
    public var sentRequest: HTTPRequest? { record.request }

    /// The request that opens a stream, a download or a WebSocket as the client has made it, before middlewares and
    /// redirects change it. `nil` for other calls, and until the request is made.
    var openingRequest: HTTPRequest? { record.opening }

    /// Records the request that opens a stream, a download or a WebSocket.
    func recordOpening(_ request: HTTPRequest) { record.recordOpening(request) }

    /// The response of the transport stage; `nil` until that stage has returned one, and after a later request in this
    /// context. For an element of a stream, its body is the element.
    public var receivedResponse: HTTPResponse? { record.response }

    @usableFromInline
    func recordReceived(_ response: HTTPResponse) {
        record.recordReceived(response)
    }

    /// Receives the events of the call.
    var observer: (any CallObserver)? { record.observer }

    /// The figures of an observed call so far.
    var metrics: CallMetrics { record.metrics }

    /// Whether the call goes on after the head of its response (``LongCall``).
    var isLong: Bool { record.isLong }

    /// Records that the call goes on after the head of its response.
    func markOutlivingHead() { record.markOutlivingHead() }

    /// Begins to count the chunks of the last response for the observer.
    func beginChunks() { record.beginChunks() }

    /// Counts a chunk of a stream or a download for the observer.
    func countReceived(_ bytes: Int) { record.countReceived(bytes) }

    /// Whether this context belongs to the call itself, and not to an inner run, an attempt or a shared request.
    var isOfCall: Bool { record.isOfCall }

    /// Adds an event to the record.
    func append(_ kind: CallEvent.Kind) -> CallEvent { record.append(kind) }

    /// Records that a transport has sent a request.
    func beginExchange() { record.beginExchange() }

    /// Records that the transport has returned or failed.
    /// - Returns: Whether a transport had sent a request, and had not returned yet.
    func endExchange() -> Bool { record.endExchange() }
}

/// An attempt of a call, with its own context.
struct Attempt {
    fileprivate let begun: CallAttempts.Begun
    let context: CallContext

    var identity: AttemptIdentity { begun.identity }
}

extension CallContext: Redacted {
    /// The name of the endpoint and the call's id.
    public var description: String { "\(endpoint?.name ?? "call") \(id)" }
}
