public import Foundation

/// The call that a node runs in: its id, its endpoint, its clock, and its notes.
///
/// Every node receives it as an argument. A context is a small value that refers to one shared record. Copies belong to
/// one call, and the notes of a stage are visible to the other stages and to the error. It is not a task-local value,
/// so a detached task can use it.
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
    /// The endpoint of the call; `nil` for a chain run by hand.
    public let endpoint: Endpoint?
    /// The clock that every wait of the call uses; tests can pass another one.
    public let clock: any Clock<Duration>
    /// Receives the mapping's issues; `nil` disables reporting.
    public let reporter: (any MappingReporter)?
    /// How strict the mapping is.
    public let mappingPolicy: MappingPolicy
    /// The settings of the call for its middlewares.
    public private(set) var options: CallOptions
    /// The base address of the client; `nil` for a chain run by hand. Credentials go to its origin only.
    var baseURL: URL?
    /// The time that is left for what runs in this context; `nil` without a limit.
    private var readTimeLeft: (@Sendable () -> Duration)?
    /// The path of a stream's element; `nil` for a whole response.
    var elementPath: JsonPath?
    private(set) var record: CallRecord
    private var session: MappingSession?

    /// Makes the context of a new call.
    /// - Parameters:
    ///   - id: The call's id; a new one if left out.
    ///   - endpoint: The endpoint of the call.
    ///   - clock: The clock that waits use.
    ///   - reporter: Receives the mapping's issues.
    ///   - mapping: How strict the mapping is.
    ///   - conventions: The server's conventions for keys and formats of `Codable` entries.
    ///   - options: The settings of the call for its middlewares.
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

    /// Runs a synchronous mapping under the call's policy, and collects its issues for the report. Stages that map call
    /// this; a custom mapping stage calls it, too.
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

    /// Runs a stage over the response: its paths are those of the received text.
    /// - Parameters:
    ///   - path: The path of what is made, from the value that is mapped.
    ///   - body: The mapping.
    /// - Returns: The result of the mapping.
    /// - Throws: The error of the mapping.
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

    private func mapping<Value>(
        in session: MappingSession,
        mapsResponse: Bool,
        _ body: () throws -> Value
    ) throws -> Value {
        if MappingSession.inProgress?.isPart(of: session) == true { return try body() }
        let part = session.makePart(mapsResponse: mapsResponse)
        /// Not read earlier, because the closure sets it.
        func mapped() -> MappedPart { mapsResponse ? record.run.mapped : MappedPart() }
        defer {
            part.locateInDocument(as: mapped())
            session.take(over: part, mapsResponse: mapsResponse)
        }
        do {
            let value = try MappingSession.with(part, body)
            part.removeDiscarded()
            return value
        } catch {
            throw part.locatedInDocument(error, as: mapped())
        }
    }

    /// Ends the call if its task is cancelled. A stored response that came when the time of the call was up is mapped
    /// all the same, unless the caller has cancelled the call.
    @usableFromInline
    func endIfCancelled() throws {
        guard Task.isCancelled else { return }
        guard passedDeadline != nil, receivedResponse?.replaced != nil else { throw CancellationError() }
    }

    /// Records the value that is mapped, so that errors and issues get paths from the root of the received text.
    func begin(mapping raw: Json?) {
        let path = raw?.pathInDocument
        record.run.mapped = MappedPart(path: elementPath.map { (path ?? .root).prefixed(by: $0) } ?? path)
        MappingSession.inProgress?.begin(raw?.documentRoot)
    }

    /// Records the path of the entry in the mapped value, so that errors and issues of its conversion get whole paths.
    func beginConversion(at path: JsonPath) { record.run.mapped.entry = path }

    /// The context for work with a time limit that begins now.
    func limited(to limit: Duration) -> CallContext {
        let (watch, outer) = (Stopwatch(clock), readTimeLeft)
        var context = self
        context.readTimeLeft = {
            let left = limit - watch.elapsed
            return outer.map { min(left, $0()) } ?? left
        }
        return context
    }

    /// The time that is left until the next limit of what runs in this context; `nil` without a limit.
    var timeLeft: Duration? { readTimeLeft?() }

    /// The context for the stages of an element of a stream.
    func ofElement(at path: JsonPath) -> CallContext {
        record.run.mapped = MappedPart()
        var context = self
        context.elementPath = path
        return context
    }

    /// Returns the error of a stage of an element with the element's path in front. The paths of a mapping have it
    /// already; those of a node before the mapping do not.
    func locatedInElement(_ error: any Error) -> any Error {
        guard let elementPath, record.run.mapped.path == nil, let error = error as? MappingError else { return error }
        return error.prefixed(by: elementPath)
    }

    /// Records the server's reasons for missing values. The errors and issues of this stage and of later ones name
    /// them.
    /// - Parameters:
    ///   - failure: What the server has reported, for the error of a stage that fails.
    ///   - reason: The reason for a path in the mapped value; `nil` if there is none.
    func explainMissing(by failure: any Error, _ reason: @escaping @Sendable (JsonPath) -> String?) {
        record.run.mapped.reported = failure
        record.run.mapped.reason = reason
    }

    /// Passes the issues of one side of the call to the reporter, and clears them for the next side.
    @usableFromInline
    func deliverReport(of side: MappingReport.Side, failure: (any Error)? = nil) {
        guard let session, let reporter else { return }
        reporter.deliver(session, failure: failure, subject: nil, call: reported, side: side)
    }

    /// The context for a run of a pipeline: this one, or one with a separate record and issues if another pipeline runs
    /// in the call.
    @usableFromInline
    func beginRun() -> CallContext {
        if record.beginRun() { return self }
        var context = self
        context.record = CallRecord(below: record, as: .run)
        _ = context.record.beginRun()
        context.session = session.map { MappingSession(policy: $0.policy, conventions: $0.conventions) }
        return context
    }

    /// Ends what ``beginRun()`` began.
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

    /// Makes the request of the attempt with this outcome the one that the error shows.
    func settle(on outcome: AttemptOutcome) {
        record.settle(on: outcome)
    }

    /// Whether a time limit covers the whole call.
    var hasDeadline: Bool { record.hasDeadline }

    /// The limit that has ended the call; `nil` while there is time, and if its caller has cancelled it.
    var passedDeadline: CallDeadline? { record.passedDeadline }

    /// Notes that a time limit covers the whole call.
    func begin(_ deadline: CallDeadline) { record.begin(deadline) }

    /// Waits for a request that further calls may join.
    ///
    /// The request runs in a context with the id, endpoint, clock, options, users and time of this call. Events of the
    /// request are recorded in this call, too, until the wait ends. Later events are not, because the request may go on
    /// for other calls.
    /// - Parameter wait: Starts or joins the request, and waits for it.
    /// - Returns: The result of the wait.
    /// - Throws: The error of the wait.
    func sharing<Value>(_ wait: (CallContext) async throws -> Value) async throws -> Value {
        var context = ofAnotherCall()
        let shared = CallRecord(below: record, as: .shared)
        // It is of this call's users also after this call has left.
        for mark in record.knownUsers { _ = shared.user(noting: mark) }
        context.record = shared
        context.readTimeLeft = readTimeLeft
        defer { shared.leave() }
        return try await wait(context)
    }

    /// Returns a copy of the context with another value of an option, for a node inside.
    func with(option: some CallOption) -> CallContext {
        var context = self
        context.options.set(option)
        return context
    }

    /// Returns the context for a separate call with the endpoint, clock and options of this one.
    func ofAnotherCall() -> CallContext {
        var context = CallContext(endpoint: endpoint, clock: clock, options: options)
        // Middlewares add credentials only to requests to this origin.
        context.baseURL = baseURL
        return context
    }

    /// The identity of the run.
    var run: AttemptIdentity { record.identity }

    /// The notes so far, oldest first, and all other events if the call has an observer; at most the last 256.
    public var events: [CallEvent] { record.events }

    /// Records a request that goes to the next node.
    @usableFromInline
    func recordRequest(_ request: HTTPRequest) {
        record.sent(request)
    }

    /// Records what a transport measured of an exchange, also of one that failed. An exchange that was cancelled may be
    /// left out: its call does not wait for it.
    /// - Parameter metrics: The measurement.
    public func recordTransfer(_ metrics: TransferMetrics) {
        record.transferred(metrics)
    }

    /// The measurements of the transport: one for each exchange that was not cancelled, in the order of their ends; at
    /// most the last 64. Empty if the transport does not measure.
    public var transferMetrics: [TransferMetrics] { record.transfers }

    /// The last request as sent, if there is one.
    public var sentRequest: HTTPRequest? { record.request }

    /// The request that opens a stream as the client has made it, before middlewares and redirects change it; `nil` for
    /// other calls, and before it was made.
    var openingRequest: HTTPRequest? { record.opening }

    /// Notes the request that opens a stream.
    func recordOpening(_ request: HTTPRequest) { record.opens(by: request) }

    /// The last response of the transport, if there is one.
    public var receivedResponse: HTTPResponse? { record.response }

    @usableFromInline
    func recordReceived(_ response: HTTPResponse) {
        record.received(response)
    }

    /// Receives the events of the call.
    var observer: (any CallObserver)? { record.observer }

    /// The figures of an observed call so far.
    var metrics: CallMetrics { record.metrics }

    /// Whether the call goes on after the head of its response (``LongCall``).
    var isLong: Bool { record.isLong }

    /// Notes that the call goes on after the head of its response.
    func becomeLong() { record.becomeLong() }

    /// Counts bytes of a streamed response for the observer.
    func countReceived(_ bytes: Int) { record.countReceived(bytes) }

    /// Whether this is the first run of the call, and not one inside of it.
    var isFirstRun: Bool { record.isCall }

    /// Adds an event to the record.
    func append(_ kind: CallEvent.Kind) -> CallEvent { record.append(kind) }

    /// Notes that a transport has sent a request.
    func beginExchange() { record.beginExchange() }

    /// Notes that the transport is done.
    /// - Returns: Whether it has sent a request.
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
