/// Sends one request for equal calls in flight: the first call sends it, the others wait for the same response.
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: .retry(.exponential(attempts: 3)))
///     .wrapped(by: .deduplication)
///     .wrapped(by: .deadline(.seconds(20)))
/// ```
///
/// Requests are equal if their method, address, header fields, body and time limit are equal, and the options of their
/// calls (``CallOption``). So calls of two users with two `Authorization` fields are not mixed. An option that is not
/// `Hashable` is equal to itself only. Header fields that differ with each call, such as a trace id, are left out of
/// the comparison by ``init(methods:ignoring:)``; the request that is sent has those of the first call.
///
/// Each call gets the same response or error. A call that is cancelled leaves at once; the last one cancels the
/// request, and leaves when that has ended. It uses the clock of the first call, and a retry inside waits no longer
/// than that call has time.
///
/// The call that started the request has its events as they happen: notes, attempts, figures. A call that joined has a
/// note when it joins, and one with the first call's id and the response. When the first call leaves and others go on,
/// the further events are those of no call.
///
/// Two more things separate calls:
///
/// - The user of an ``Authentication``, a ``BasicAuthentication`` or a ``Signing`` inside: no call joins a request of
///   another user, nor one from before a ``BearerTokens/replace(with:)``. A closure, or a node of your own, between
///   both hides the user; then put the authentication outside. Fields that a ``HeaderProvider`` or a node of your own
///   adds inside are not compared: put one that adds a user's session or key outside.
/// - A change: after the end of a request that may change something, no call joins an older request to its host,
///   which may get the old state. Such a request is one whose method is not safe (RFC 9110 §9.2.1) and not among the
///   shared ones, and a mutation of GraphQL.
///
/// A response is not stored: a call that comes after it sends a request. That is the work of a cache. A request whose
/// response is streamed is not shared, nor is a WebSocket, nor a mutation of GraphQL.
public struct Deduplication: Middleware {
    private let methods: Set<HTTPMethod>
    private let ignored: Set<HTTPHeaders.Name>
    private let inProgress = SharedWork<RequestIdentity, SharedResponse>()
    /// The ended requests that may have changed something, by their host.
    private let changes = Locked<[String: Int]>([:])

    /// How many calls wait for a response now.
    var waiting: Int { inProgress.waiting }

    /// Makes the middleware. Copies share the requests in flight.
    /// - Parameters:
    ///   - methods: The methods whose requests are shared.
    ///   - ignored: The header fields that may differ.
    public init(methods: Set<HTTPMethod> = [.get, .head], ignoring ignored: Set<HTTPHeaders.Name> = []) {
        self.methods = methods
        self.ignored = ignored
    }

    /// Sends the request, or waits for the response of an equal one.
    /// - Throws: The error of the shared request, or `CancellationError` when the calling task was cancelled.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let host = request.hostAndPort
        let mayChange = mayChange(request, in: context)
        defer { if mayChange { changes.withLock { $0[host, default: 0] += 1 } } }
        guard methods.contains(request.method), !mayChange, !request.streamsResponse, !request.opensWebSocket else {
            return try await next.process(request, in: context)
        }
        let users = context.users(of: next)
        try context.checkWait(for: users, by: request)
        let identity = RequestIdentity(
            request,
            ignoring: ignored,
            of: users,
            after: changes.withLock { $0[host] ?? 0 },
            in: context
        )
        let own = AttemptIdentity()
        let shared = try await context.sharing { inner in
            try await inProgress.value(for: identity) {
                await SharedResponse(of: request, from: next, in: inner, startedBy: own)
            } onJoin: {
                context.note("joined an equal request in flight")
            }
        }
        return try shared.result(for: context, isFirst: shared.starter === own)
    }

    private func mayChange(_ request: HTTPRequest, in context: CallContext) -> Bool {
        if let repetition = context.options[CallRepetition.self] { return !repetition.isAllowed }
        return !request.method.isSafe && !methods.contains(request.method)
    }
}

extension Middleware where Self == Deduplication {
    /// Sends one request for equal `GET` and `HEAD` calls in flight.
    ///
    /// Each use makes a separate middleware: calls are equal only within one transport.
    public static var deduplication: Deduplication { Deduplication() }
}

extension Deduplication: Redacted {}
