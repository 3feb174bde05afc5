import Foundation

/// The state that the stages of a call share with each other and with its error: the request, the response, the notes.
///
/// A call has one record. A pipeline that runs inside a running pipeline of the call has a separate record below it.
/// Each attempt of a middleware around the transport has a separate record, too. So concurrent parts do not mix. An
/// attempt also writes its request to the record of the pipeline's run. That record keeps the last request, and the
/// response of the transport stage.
///
/// A request that several calls share has a record below the record of the call that started it. The requests,
/// responses and events of the shared request are written to the starting call's record, until that call stops waiting.
// Sendable: every access to the variables happens under `lock`.
final class CallRecord: @unchecked Sendable {
    private static let maximumEvents = 256
    private static let maximumTransfers = 64

    /// The kind of the record.
    enum Kind {
        /// The record of the call. A run of a pipeline uses it, too, unless another run uses it already.
        case call
        /// A pipeline that runs inside a running pipeline of the call.
        case run
        /// One run of the node inside a middleware around the transport.
        case attempt
        /// A request that several calls share.
        case shared
    }

    private let start = ContinuousClock.now
    private let parent: CallRecord?
    private let kind: Kind
    /// For a shared request: the record of the call that started it, until that call leaves.
    private var starter: CallRecord?
    private var identifier: UUID?
    /// The last events of the call. Two kinds of records have events: the record of a call, and the record of a shared
    /// request whose starting call has left.
    private var storedEvents: [CallEvent] = []
    /// The figures of the call's last transfers, in the record that has the events.
    private var storedTransfers: [TransferMetrics] = []
    private var lastRequest: HTTPRequest?
    private var lastResponse: HTTPResponse?
    /// The request that opens the call's stream, download or WebSocket, as the client has made it.
    private var openedBy: HTTPRequest?
    /// The last run that failed to open the connection, until the connection is opened again.
    private var failedOpening: FailedOpening?
    private var isRunning = false
    private var runIdentity: AttemptIdentity?
    private var attempts = CallAttempts()
    private var mappedPart = MappedPart()
    private let ownObserver: (any CallObserver)?
    /// The figures of an observed call.
    private var storedMetrics: CallMetrics?
    /// Whether a transport has sent a request, and has not returned yet.
    private var hasOpenExchange = false
    private var outlivesHead = false
    private var deadline: CallDeadline?
    /// The users for whom the requests of this run are sent. The key is the ``UserSource/sourceNumber`` of the user's
    /// source of credentials, such as ``BearerTokens``.
    private var users: [Int: UserMark] = [:]
    /// The requests that transports have sent since a middleware last began to watch; `nil` before that.
    private var watched: SentRequests?
    /// The facts that middlewares have recorded for this run; `nil` if there are none. Used under `lock` only.
    private var runState: RunState?

    /// Makes the record of a new call.
    /// - Parameters:
    ///   - id: The call's id. `nil` makes an id when it is first read.
    ///   - observer: Receives the events of the call.
    init(id: UUID?, observer: (any CallObserver)? = nil) {
        identifier = id
        ownObserver = observer
        storedMetrics = observer == nil ? nil : CallMetrics()
        parent = nil
        kind = .call
    }

    /// Makes a record for a part of a call.
    /// - Parameters:
    ///   - parent: The record that the part belongs to.
    ///   - kind: Whether the part is a separate run, an attempt of a run, or a request that further calls may join.
    init(below parent: CallRecord, as kind: Kind) {
        self.kind = kind
        self.parent = kind == .shared ? nil : parent
        starter = kind == .shared ? parent : nil
        ownObserver = nil
    }

    /// The record above this record; `nil` for the record of a call, and for a shared request that its call has left.
    var above: CallRecord? { kind == .shared ? lock.withLock { starter } : parent }

    /// The call's record.
    private var call: CallRecord { above?.call ?? self }

    /// The record of the pipeline's run that this record belongs to.
    var run: CallRecord { kind == .attempt ? parent?.run ?? self : self }

    /// The record whose time limit ends the work of this record. No call limits a shared request, because other calls
    /// may wait for the request.
    private var deadlineOwner: CallRecord { kind == .shared ? self : parent?.deadlineOwner ?? self }

    /// Separates a shared request from the call that started it. Later events are written to no call's record.
    func leave() {
        let id = id
        // Released after the lock, because releasing a request may run code of the app.
        var left: CallRecord?
        lock.withLock {
            identifier = id
            swap(&left, &starter)
        }
    }

    var id: UUID { call.madeID }

    private var madeID: UUID {
        lock.withLock {
            let id = identifier ?? UUID()
            identifier = id
            return id
        }
    }

    /// Begins a run in this record, unless another run uses the record, or the record belongs to an attempt or a shared
    /// request.
    /// - Returns: Whether the run began. A run that did not begin here needs a separate record.
    func beginRun() -> Bool {
        guard kind == .call || kind == .run else { return false }
        let isFirst = lock.withLock {
            if isRunning { return false }
            isRunning = true
            runIdentity = nil
            mappedPart = MappedPart()
            return true
        }
        if isFirst {
            set(nil, nil)
            var none = CallAttempts()
            lock.withLock { swap(&attempts, &none) }
        }
        return isFirst
    }

    /// Ends the run, so that the next one may use the record.
    func endRun() {
        lock.withLock { isRunning = false }
    }

    /// The identity of the run that this record belongs to.
    var identity: AttemptIdentity {
        let run = run
        return run.lock.withLock {
            let identity = run.runIdentity ?? AttemptIdentity()
            run.runIdentity = identity
            return identity
        }
    }
}

// All records share a few locks, because a separate lock would make each record larger. No lock is taken while another
// one is held.
extension CallRecord {
    private static let locks = (0..<16).map { _ in NSLock() }

    private var lock: NSLock {
        let address = UInt(bitPattern: ObjectIdentifier(self))
        return Self.locks[Int((address >> 6) % UInt(Self.locks.count))]
    }
}

extension CallRecord {
    var events: [CallEvent] {
        let call = call
        return call.lock.withLock { call.storedEvents }
    }

    var observer: (any CallObserver)? { call.ownObserver }

    /// Whether this is the record of the call itself, and not of a part of the call.
    var isOfCall: Bool { kind == .call }

    /// The figures so far. The duration is measured now: in a stream the last event can be long ago.
    var metrics: CallMetrics {
        let call = call
        var metrics = call.lock.withLock { call.storedMetrics ?? CallMetrics() }
        metrics.duration = call.start.duration(to: .now)
        return metrics
    }

    /// Whether the call goes on after the head of its response.
    var isLong: Bool { lock.withLock { outlivesHead } }

    func markOutlivingHead() { lock.withLock { outlivesHead = true } }

    /// Begins to count the chunks of the last response.
    func beginChunks() { lock.withLock { storedMetrics?.beginChunks() } }

    /// Counts a chunk of a stream or a download.
    func countReceived(_ bytes: Int) { lock.withLock { storedMetrics?.countChunk(bytes) } }

    func append(_ kind: CallEvent.Kind) -> CallEvent { call.add(kind) }

    private func add(_ kind: CallEvent.Kind) -> CallEvent {
        let event = CallEvent(time: start.duration(to: .now), kind: kind)
        var oldest: CallEvent?
        lock.withLock {
            // Released after the lock, because releasing a request may run code of the app.
            if storedEvents.count == Self.maximumEvents { oldest = storedEvents.removeFirst() }
            storedEvents.append(event)
            storedMetrics?.count(kind, at: event.time)
        }
        _ = oldest
        return event
    }

    /// Records that a transport has sent a request.
    func beginExchange() { lock.withLock { hasOpenExchange = true } }

    /// Records that the transport has returned or failed.
    /// - Returns: Whether a transport had sent a request, and had not returned yet.
    func endExchange() -> Bool {
        lock.withLock {
            defer { hasOpenExchange = false }
            return hasOpenExchange
        }
    }
}

extension CallRecord {
    /// Whether a time limit covers the whole call.
    var hasDeadline: Bool { callDeadline != nil }

    /// The time limit that has ended the call; `nil` before the limit is reached, and if the caller has cancelled the
    /// call.
    var passedDeadline: CallDeadline? { callDeadline.flatMap { $0.hasEndedCall ? $0 : nil } }

    /// The limit of the whole call.
    private var callDeadline: CallDeadline? {
        let deadlineOwner = deadlineOwner
        return deadlineOwner.lock.withLock { deadlineOwner.deadline }
    }

    /// Records that a time limit covers the whole call.
    func begin(_ deadline: CallDeadline) { lock.withLock { self.deadline = deadline } }
}

extension CallRecord {
    var transfers: [TransferMetrics] {
        let call = call
        return call.lock.withLock { call.storedTransfers }
    }

    func recordTransfer(_ metrics: TransferMetrics) {
        let call = call
        call.lock.withLock {
            if call.storedTransfers.count == Self.maximumTransfers { call.storedTransfers.removeFirst() }
            call.storedTransfers.append(metrics)
        }
    }
}

extension CallRecord {
    var request: HTTPRequest? { lock.withLock { lastRequest } }
    var response: HTTPResponse? { lock.withLock { lastResponse } }

    /// The request that opens the call's stream, download or WebSocket, as the client has made it.
    var opening: HTTPRequest? {
        let call = call
        return call.lock.withLock { call.openedBy }
    }

    /// Records the request that opens the call's stream, download or WebSocket.
    func recordOpening(_ request: HTTPRequest) {
        let call = call
        var request: HTTPRequest? = request
        // The previous request is released after the lock, because its `deinit` may run code of the app.
        call.lock.withLock { swap(&call.openedBy, &request) }
    }

    /// Keeps a run that failed to open the connection.
    func keep(_ failed: FailedOpening) { _ = replaceFailedOpening(with: failed) }

    /// Removes and returns the last run that failed to open the connection.
    func takeFailedOpening() -> FailedOpening? { replaceFailedOpening(with: nil) }

    private func replaceFailedOpening(with failed: FailedOpening?) -> FailedOpening? {
        let call = call
        var failed = failed
        call.lock.withLock { swap(&call.failedOpening, &failed) }
        return failed
    }

    /// Records a request, and clears the previous response, which belongs to the previous request.
    /// - Parameters:
    ///   - request: The request.
    ///   - isByTransport: Whether a transport sends the request now. `false` if a middleware only passes it on.
    func recordSent(_ request: HTTPRequest, byTransport isByTransport: Bool = false) {
        set(request, nil)
        if isByTransport { lock.withLock { watched?.add(request) } }
        if request.streamsResponse, kind != .attempt { keepForStream(request, isByTransport) }
        copyTarget?.recordSent(request, byTransport: isByTransport)
    }

    /// The record above that also stores the requests and responses of this record. For an attempt it is the record of
    /// the attempt around it, or else of the run. For a shared request it is the record in which the request began.
    var copyTarget: CallRecord? { kind == .attempt || kind == .shared ? above : nil }

    /// Stores a response, and the request of its attempt.
    func recordReceived(_ response: HTTPResponse) {
        adoptRequest(of: .response(response))
        // The exchange ends when the reader releases the stream. A record that kept the stream would prevent that.
        keep(response.withoutStream, to: request)
    }

    private func keep(_ response: HTTPResponse, to request: HTTPRequest?) {
        set(request, response)
        copyTarget?.keep(response, to: request)
    }

    /// Sets both values. The previous values are released after the lock, because their `deinit` may run code of the
    /// app.
    private func set(_ request: HTTPRequest?, _ response: HTTPResponse?) {
        var (request, response) = (request, response)
        lock.withLock {
            swap(&lastRequest, &request)
            swap(&lastResponse, &response)
        }
    }

    /// The part of the received text that is mapped: the whole text, an element of a stream, or the part that a node
    /// has chosen.
    var mapped: MappedPart {
        get { lock.withLock { mappedPart } }
        set { lock.withLock { mappedPart = newValue } }
    }

    /// Records that an attempt below this record begins.
    func beginAttempt() -> CallAttempts.Begun {
        lock.withLock { attempts.begin() }
    }

    /// Records the outcome of an attempt below this record.
    func end(_ attempt: CallAttempts.Begun, _ record: CallRecord, _ outcome: AttemptOutcome) {
        record.adoptRequest(of: outcome)
        let request = record.request
        let wasCancelled = Task.isCancelled
        _ = lock.withLock { attempts.end(attempt, request, failure: outcome.failure, wasCancelled: wasCancelled) }
        if let error = outcome.failure, error.leavesChangeUnknown { recordLoss() }
    }

    /// Takes over the request of the attempt that ended with this outcome. Without such an attempt the last request
    /// stays.
    func adoptRequest(of outcome: AttemptOutcome) {
        let ended = lock.withLock { attempts }
        guard !ended.isEmpty, let request = ended.request(of: outcome) else { return }
        set(request, nil)
    }
}

// The users of the call, and the requests that were sent.
extension CallRecord {
    /// Returns the number of the user for whom the requests of the run are sent. The first user that is noted for a
    /// source stays.
    func userNumber(noting mark: UserMark) -> Int {
        let id = mark.source.sourceNumber
        let found = knownUser(id) ?? mark
        let run = run
        return run.lock.withLock {
            let known = run.users[id] ?? found
            run.users[id] = known
            return known.userNumber
        }
    }

    /// The users that were noted for the run of this record, or for a run around it.
    var knownUsers: [UserMark] {
        var known: [Int: UserMark] = [:]
        var record: CallRecord? = self
        while let next = record {
            known.merge(next.lock.withLock { next.users }) { inner, _ in inner }
            record = next.above
        }
        return Array(known.values)
    }

    private func knownUser(_ id: Int) -> UserMark? {
        lock.withLock { users[id] } ?? above?.knownUser(id)
    }

    /// The request of the last attempt that ended with a response, or with an error that leaves the effect of the
    /// request unknown; `nil` if there is none. The ended attempts of this record are searched first, then the attempts
    /// of the record above (``copyTarget``).
    var lastSent: HTTPRequest? { lock.withLock { attempts }.lastSent ?? copyTarget?.lastSent }

    func watchRequests() { lock.withLock { watched = SentRequests() } }

    var watchedRequests: SentRequests { lock.withLock { watched } ?? SentRequests() }

    func recordMove(from base: URL, to other: URL) {
        addMove(from: base, to: other)
        choose(other)
    }

    private func addMove(from base: URL, to other: URL) {
        lock.withLock { watched?.addMove(from: base, to: other) }
        copyTarget?.addMove(from: base, to: other)
    }

    /// Records fields that a middleware has set for a user.
    func recordFields(_ fields: [HTTPHeaders.Name: UserField]) {
        let run = run
        run.lock.withLock { run.madeState.userFields.merge(fields) { $1 } }
    }

    /// Records an address that a middleware has changed for a user.
    func recordAddress(_ url: URL, of address: UserAddress) {
        let run = run
        run.lock.withLock { run.madeState.userAddresses[url] = address }
    }

    /// The addresses that middlewares have changed for users in the run.
    var userAddresses: [URL: UserAddress] {
        let run = run
        return run.lock.withLock { run.runState?.userAddresses ?? [:] }
    }

    /// The state of the run; made on first use. Used under `lock` only.
    private var madeState: RunState {
        let made = runState ?? RunState()
        runState = made
        return made
    }

    /// Keeps a request whose response is to be streamed. The request that a transport sends replaces the request that
    /// was passed on, because a node may have changed it in between. Further requests of the transport follow
    /// redirects, and are not kept.
    private func keepForStream(_ request: HTTPRequest, _ isByTransport: Bool) {
        lock.withLock {
            let state = madeState
            if isByTransport, state.isStreamRequestSent { return }
            state.streamRequest = HTTPRequest(method: request.method, url: request.url, headers: request.headers)
            state.isStreamRequestSent = isByTransport
        }
    }

    /// The last request of the run that asks for a stream, before redirects.
    var streamRequest: HTTPRequest? {
        let run = run
        return run.lock.withLock { run.runState?.streamRequest }
    }

    /// The fields that middlewares have set for users in the run.
    var userFields: [HTTPHeaders.Name: UserField] {
        let run = run
        return run.lock.withLock { run.runState?.userFields ?? [:] }
    }

    /// Records the base address that a middleware has chosen for a request of the run.
    private func choose(_ base: URL) {
        let run = run
        run.lock.withLock {
            run.madeState.bases.removeAll { $0 == base }
            run.madeState.bases.append(base)
        }
        run.copyTarget?.choose(base)
    }

    /// Returns the base address of `bases` that was chosen last for a request of the run; `nil` if none was chosen.
    func lastChoice(of bases: [URL]) -> URL? {
        let run = run
        let last = run.lock.withLock { run.runState?.bases.last { bases.contains($0) } }
        return last ?? run.copyTarget?.lastChoice(of: bases)
    }

    /// Records that the effect of a sent request is unknown.
    func recordLoss() {
        lock.withLock { watched?.hasLoss = true }
        copyTarget?.recordLoss()
    }
}
