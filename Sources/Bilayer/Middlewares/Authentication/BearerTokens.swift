/// The token of a session: stored, and fetched again when it is missing, expired or refused.
///
/// Make one object for all calls of a session, and pass it to ``Authentication``:
///
/// ```swift
/// struct TokenEntry: Codable, RawMappable, Sendable {
///     let accessToken: String
///     let refreshToken: String?
///     let expiresIn: Int
/// }
/// struct Refresh: Codable, RawMappable, Sendable { let refreshToken: String }
/// struct SignedOut: Error {}
/// var plain = Client(baseURL: url)                                      // without this authentication
/// plain.options[Deadline.self] = Deadline(.seconds(20))
/// let tokens = BearerTokens(
///     onChange: { token in print("keep \(token == nil ? "nothing" : "the token")") },     // in the keychain
///     renewingBy: { [plain] old in
///         guard let token = old?.refreshToken else { throw SignedOut() }
///         let body = Refresh(refreshToken: token)
///         let entry = try await plain.fetch(Route<TokenEntry>.post("session/refresh", body: body))
///         return BearerToken(
///             entry.accessToken,
///             expiresIn: .seconds(entry.expiresIn),
///             refreshToken: entry.refreshToken ?? token                    // a server may keep it: RFC 6749 §6
///         )
///     }
/// )
/// let client = Client(baseURL: url, transport: URLSessionTransport().wrapped(by: .authentication(tokens)))
/// ```
///
/// The closure that fetches a token must not store that token: if the user signs out during the refresh, the new token
/// is dropped. Store tokens in `onChange`. All calls that need a token wait for the closure, so give its client a
/// ``Deadline``.
///
/// - All callers wait for one refresh. A cancelled caller stops waiting at once. The refresh goes on even without
///   callers: the server may no longer accept the old refresh token, so the new refresh token is needed.
/// - If a refresh fails, all calls that wait for it get its error. So do calls that sent the old token before the
///   failure, and whose request is refused later. The next call may start another refresh.
/// - After `limit` bad refreshes in a period, no refresh starts until the period, counted from the first of them, is
///   over. So a server that refuses every token is not called in a loop. A refresh is bad if it fails, except if its
///   server could not be reached or did not respond. A refresh is also bad if the server refuses the new token in its
///   first response to a request with it. A login or logout by ``replace(with:)`` sets the count to zero.
/// - ``replace(with:)`` is a change of the user. A call that began before the change is never sent for the next user.
///   If its token is refused, the response is returned unchanged. The next attempt of the call, or its wait for a
///   refresh, fails with an ``AuthenticationError`` of the kind ``AuthenticationError/Kind-swift.struct/userChanged``.
///   Further calls that belong together with such a call fail, too. Examples are the pages of one loop, the routes of
///   ``Client/fetchAll(_:atMost:reporter:mapping:)``, and both sources of a ``Migrator``. There is one exception: a
///   call that began without a token continues with the token of a login. A ``Deduplication`` around the authentication
///   shares no request between calls from before and after the change. A refresh is not a change of the user.
/// - A token whose lifetime is known is replaced early: the first call in its last 30 seconds starts the refresh, or
///   the first call in the last tenth of its lifetime if that is less. Calls use the token until its replacement
///   arrives. They wait only if the token has expired or is refused.
/// - The closure must not send requests that need these tokens. Such a request fails with an ``AuthenticationError`` of
///   the kind ``AuthenticationError/Kind-swift.struct/refreshNeedsItself``, because the refresh would wait for itself.
///   A request of a detached task is not detected. A request of any other task that the closure starts is detected,
///   even after the closure has returned.
public final class BearerTokens: Sendable {
    let state: Locked<TokenState>
    private let refreshes = SharedWork<Int, Void>(runsWithoutCallers: true)
    private let watch: Stopwatch
    private let onChange: (@Sendable (BearerToken?) -> Void)?
    private let fetchToken: @Sendable (BearerToken?) async throws -> BearerToken

    let sourceNumber = nextSourceNumber()

    /// How many calls wait for a refresh now. For tests.
    var waiting: Int { refreshes.waiting }
    /// How many refreshes are in progress, with callers or without. For tests.
    var running: Int { refreshes.running }

    /// The ``BearerTokens`` objects in whose refresh the task runs.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    /// Makes tokens.
    /// - Parameters:
    ///   - token: The token of an earlier session, if there is one.
    ///   - limit: The most bad refreshes in a period, at least one.
    ///   - period: The period.
    ///   - clock: The clock that lifetimes and the period are measured on.
    ///   - onChange: Receives every later token, and `nil` after a logout, one at a time and in order. An app stores
    ///     the tokens here, with the dates at which they expire. Calls that wait for a refresh also wait for this
    ///     closure. There is one exception: if another task is already passing changes to the closure, neither these
    ///     calls nor ``replace(with:)`` wait for it.
    ///   - fetchToken: Fetches a token from the server. Receives the last token, which may have expired; `nil` if there
    ///     is none.
    public init(
        _ token: BearerToken? = nil,
        limit: Int = 5,
        per period: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: (@Sendable (BearerToken?) -> Void)? = nil,
        renewingBy fetchToken: @escaping @Sendable (BearerToken?) async throws -> BearerToken
    ) {
        watch = Stopwatch(clock)
        state = Locked(TokenState(token, limit: max(limit, 1), period: period, tellsChanges: onChange != nil))
        self.onChange = onChange
        self.fetchToken = fetchToken
    }

    /// Makes tokens whose lifetime is not known, from a server that needs no refresh token.
    /// - Parameters:
    ///   - token: The token of an earlier session, if there is one.
    ///   - limit: The most bad refreshes in a period, at least one.
    ///   - period: The period.
    ///   - clock: The clock that the period is measured on.
    ///   - fetchToken: Fetches a token from the server.
    public convenience init(
        _ token: String? = nil,
        limit: Int = 5,
        per period: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(),
        refreshingBy fetchToken: @escaping @Sendable () async throws -> String
    ) {
        self.init(
            token.map { BearerToken($0) },
            limit: limit,
            per: period,
            clock: clock,
            renewingBy: { _ in BearerToken(try await fetchToken()) }
        )
    }

    /// The current token of the session, with the time that is left until it expires; `nil` before the first token and
    /// after a logout.
    ///
    /// The time is negative for an expired token. Use the token for requests that do not go through a client, for
    /// example the requests of a web view:
    ///
    /// ```swift
    /// let tokens = BearerTokens("2YotnFZFEjr1zCsicMWpAA") { try await client.fetch(Route<String>.get("token")) }
    /// let field = tokens.current.map { "Bearer \($0.value)" }               // the value of `Authorization`
    /// ```
    public var current: BearerToken? { state.withLock { $0.current(at: watch.elapsed) } }

    /// Replaces the token after a login, or removes it after a logout.
    ///
    /// A refresh in progress goes on, but no call waits for it any more, and its result is dropped. Calls in flight are
    /// not sent again for the next user. Do not call this method with a new token of the same user: only the closure of
    /// the refresh returns such tokens.
    /// - Parameter token: The token of the next user; `nil` after a logout.
    public func replace(with token: BearerToken?) {
        state.withLock { $0.replace(with: token, at: watch.elapsed) }
        tellChanges()
        endOutdatedWaits()
    }

    /// Ends the waits for refreshes of replaced tokens. These refreshes go on, because the server may no longer accept
    /// the old refresh token.
    private func endOutdatedWaits() {
        let version = state.withLock { $0.versionSetByApp }
        refreshes.endWaits(with: ()) { $0 < version }
    }

    /// Passes the changes to `onChange`. The lock is not held meanwhile, because the closure may read or replace the
    /// token.
    private func tellChanges() {
        guard let onChange else { return }
        var isFirst = true
        while let change = state.withLock({ $0.nextChange(isFirst: isFirst) }) {
            isFirst = false
            onChange(change)
        }
    }

    /// Whether a new request starts or joins a refresh: there is no token, or it is about to expire.
    var needsRefresh: Bool { state.withLock { $0.isStale(at: watch.elapsed) } }

    /// Whether a call of the user with this number may still be sent.
    func isCurrent(_ user: Int) -> Bool { state.withLock { $0.isCurrent(user) } }

    /// Returns the last token, expired or not. Before the first token, the result has no value. Returns `nil` after a
    /// logout, and for a call of an earlier user.
    func lastToken(for user: Int) -> IssuedToken? {
        state.withLock { $0.isRemoved || !$0.isCurrent(user) ? nil : $0.issued }
    }

    /// Returns the token for a new request: the stored token, or a refreshed token if none is stored or it has expired.
    /// If the stored token is about to expire, starts a refresh and does not wait for it.
    func token(for user: Int, in context: CallContext) async throws -> IssuedToken {
        try failInRefresh()
        let (stored, needsRefresh, isValid) = try state.withLock { state in
            guard state.isCurrent(user) else { throw AuthenticationError.ended }
            return (state.issued, state.isStale(at: watch.elapsed), state.isValid(at: watch.elapsed))
        }
        guard needsRefresh else { return stored }
        guard isValid else {
            context.note("the token \(stored.value == nil ? "is missing" : "has expired")")
            return try await refresh(after: stored, for: user, in: context)
        }
        context.note("the token is about to expire; it is used until there is a new one")
        refreshes.start(for: stored.version) { try await self.run(after: stored) }
        return stored
    }

    /// Records that a request with a token has ended. A refusal of a token's first use shows that the refresh was bad.
    /// A later refusal does not count, because one endpoint may refuse a token that all other endpoints accept.
    func recordUse(of token: IssuedToken, isRefused: Bool) {
        guard let use = token.firstUse, use.end(), isRefused else { return }
        state.withLock { $0.recordRefusal(of: token, at: watch.elapsed) }
    }

    /// Returns the token for a request whose token was refused, and whether the call waited for a refresh. A newer
    /// stored token needs no refresh.
    func token(
        after refused: IssuedToken,
        for user: Int,
        in context: CallContext
    ) async throws -> (token: IssuedToken, isRefreshed: Bool) {
        try failInRefresh()
        let current = try current(for: user)
        if current.version != refused.version {
            context.note("there is a newer token")
            return (current, false)
        }
        return (try await refresh(after: refused, for: user, in: context), true)
    }

    /// Returns the stored token for a call of the user with this number. Throws if the user has changed.
    private func current(for user: Int) throws -> IssuedToken {
        try state.withLock { state in
            guard state.isCurrent(user) else { throw AuthenticationError.ended }
            return state.issued
        }
    }

    /// Waits for the refresh of a token, and starts it if none is in progress.
    /// - Returns: The token that is stored after the refresh.
    /// - Throws: ``AuthenticationError`` if the refresh has failed or may not start, or the user has changed.
    ///   `CancellationError` if the task is cancelled; the refresh then goes on.
    private func refresh(
        after old: IssuedToken,
        for user: Int,
        in context: CallContext
    ) async throws -> IssuedToken {
        // One refresh runs for each version of the token. A caller with an older version finds the newer token.
        try Task.checkCancellation()
        let known = try state.withLock { state in
            guard state.isCurrent(user) else { throw AuthenticationError.ended }
            return try state.outcome(since: old)
        }
        if let known { return known }
        context.note("waits for a new token")
        try await refreshes.value(for: old.version) {
            try await self.run(after: old)
        } onJoin: {
            // The token may have been replaced before this call began to wait.
            self.endOutdatedWaits()
        }
        let issued = try current(for: user)
        guard issued.value != nil else { throw AuthenticationError.ended }
        return issued
    }

    /// Fetches and stores the next token, once for all callers.
    private func run(after old: IssuedToken) async throws {
        let last = try state.withLock { state -> BearerToken?? in
            guard state.issued.version == old.version, try state.outcome(since: old) == nil else { return .none }
            try state.checkLimit(at: watch.elapsed)
            return .some(state.token)
        }
        guard let last else { return }
        do {
            let inside = Self.refreshing.union([ObjectIdentifier(self)])
            let token = try await Self.$refreshing.withValue(inside) { try await fetchToken(last) }
            state.withLock { $0.store(token, ofRefreshOf: old.version, at: watch.elapsed) }
            tellChanges()
        } catch {
            // If the token was replaced meanwhile, the failure of this refresh does not matter.
            guard state.withLock({ $0.issued.version == old.version }) else { return }
            let failure = AuthenticationError(refresh: error)
            state.withLock { $0.fail(with: failure, of: old.version, at: watch.elapsed) }
            throw failure
        }
    }

    /// Throws if the task runs in a refresh of these tokens, because the refresh would wait for itself.
    private func failInRefresh() throws {
        guard Self.refreshing.contains(ObjectIdentifier(self)) else { return }
        throw AuthenticationError(.refreshNeedsItself, "expected a client without this authentication in its closure")
    }
}

extension AuthenticationError {
    fileprivate static let ended = AuthenticationError(.userChanged, "the call's token was replaced or removed")

    /// Makes the error of a refresh whose closure threw. An error of the kind
    /// ``AuthenticationError/Kind-swift.struct/refreshNeedsItself`` stays as it is.
    fileprivate init(refresh error: any Error) {
        let cause = (error as? CallError)?.underlyingError ?? error
        if let own = cause as? AuthenticationError, own.kind == .refreshNeedsItself {
            self = own
        } else {
            self.init(.refreshFailed, "its closure threw \(describeForeign(error))", underlyingError: error)
        }
    }
}

extension BearerTokens: UserSource {
    /// The number of the user whose token is stored.
    var userNumber: Int { state.withLock { $0.userNumber } }

    func check(_ userNumber: Int) throws {
        if !isCurrent(userNumber) { throw AuthenticationError.ended }
    }

    func checkWait() throws { try failInRefresh() }
}

extension BearerTokens: Redacted {
    /// Only the type's name, because tokens are secrets.
    public var description: String { "BearerTokens" }
}
