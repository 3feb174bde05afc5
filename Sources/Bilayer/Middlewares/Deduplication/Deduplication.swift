/// A middleware that sends one request for equal calls in flight: the first call sends it, the others wait for the same
/// response.
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: .retry(.exponential(attempts: 3)))
///     .wrapped(by: .deduplication)
///     .wrapped(by: .deadline(.seconds(20)))
/// ```
///
/// Calls are equal if their requests have equal methods, addresses, header fields, bodies and time limits, and if the
/// calls have equal options (``CallOption``) and clients with equal base addresses. So calls with different
/// `Authorization` fields share no request. An option that is not `Hashable` counts as a new option each time that it
/// is set on a client or a route. Use ``init(methods:ignoring:)`` to ignore header fields that differ with each call,
/// such as a trace id. The request that is sent has the fields of the first call.
///
/// Each call gets the same response or error. A cancelled call leaves at once. If the last call that waits is
/// cancelled, it cancels the request and waits until the request has ended. The request uses the clock of the first
/// call, and a retry inside waits only as long as the first call has time.
///
/// The first call receives the events of the request as they happen: notes, attempts, measurements. A call that joins
/// has two notes: that it has joined, and later the first call's id and the outcome. If the first call leaves and
/// others go on, no call receives the further events.
///
/// Two more things separate calls:
///
/// - The user of an ``Authentication``, a ``BasicAuthentication`` or a ``Signing`` inside: no call joins a request of
///   another user. A call that begins after a ``BearerTokens/replace(with:)`` joins no request from before. If a
///   closure or a node of your own is between the deduplication and the authentication, the user is unknown. Then add
///   the authentication outside of the deduplication. Fields that a ``HeaderProvider`` or a node of your own adds
///   inside are not compared. Add such a node outside if its fields identify a user.
/// - A change: after a request that may change something has ended, no call joins an older request to the same host.
///   The older request may return the state before the change. A GraphQL mutation may change something. So may a
///   request whose method is not safe (RFC 9110 §9.2.1) and not one of the shared methods.
///
/// Responses are not stored: a call that begins after the response sends a new request. An ``HTTPCache`` stores
/// responses. A request whose response is streamed, a WebSocket and a GraphQL mutation are not shared.
public struct Deduplication: Middleware {
    private let methods: Set<HTTPMethod>
    private let ignored: Set<HTTPHeaders.Name>
    private let inProgress = SharedWork<RequestIdentity, SharedResponse>()
    private let changes = Locked(ChangesOfHosts())

    /// How many calls wait for a response now. For tests.
    var waiting: Int { inProgress.waiting }

    /// Makes the middleware. Copies share the requests in flight.
    /// - Parameters:
    ///   - methods: The methods whose requests are shared.
    ///   - ignored: The header fields that may differ between equal calls.
    public init(methods: Set<HTTPMethod> = [.get, .head], ignoring ignored: Set<HTTPHeaders.Name> = []) {
        self.methods = methods
        self.ignored = ignored
    }

    /// Sends the request, or waits for the response to an equal request.
    /// - Throws: The error of the request, or `CancellationError` when the calling task was cancelled.
    ///   ``AuthenticationError`` if the request needs a token, and the call is part of the refresh of that token.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let host = request.hostAndPort
        let mayChange = mayChange(request, in: context)
        defer { if mayChange { changes.withLock { $0.add(at: host) } } }
        guard methods.contains(request.method), !mayChange, !request.streamsResponse, !request.opensWebSocket else {
            return try await next.process(request, in: context)
        }
        let users = context.users(of: next)
        try context.checkWait(for: users, by: request)
        let identity = RequestIdentity(
            request,
            ignoring: ignored,
            of: users,
            after: changes.withLock { $0.last(at: host) },
            in: context
        )
        // Identifies the request that this call starts. A call that joins gets the response with another identity.
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

    /// Whether the request may change something on the server. After such a request, no call joins an older request.
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
