/// The token of a session: stored, and fetched again when it is missing, expired or refused.
///
/// One object for all calls of a session, given to ``Authentication``:
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
/// The closure stores nothing itself. What it returns may be that of a user who has signed out meanwhile, and is then
/// dropped. All calls that need a token wait for it, so give its client a ``Deadline``.
///
/// - Any number of callers wait for one refresh. A caller that is cancelled leaves at once. The refresh goes on, also
///   after the last one has left: the server may have used up the refresh token, and the new one is needed.
/// - A refresh that fails, fails for all callers that sent the same refused token. The next call may try again.
/// - At most `limit` refreshes start in a period, so that a server that refuses every token is not called in a loop.
///   A login or logout by ``replace(with:)`` begins the count again.
/// - ``replace(with:)`` is a change of the user. A call that has begun then is never sent for the next user: a refusal
///   of its token is returned as it is, and its first or a further attempt, or the wait for a refresh, ends with
///   ``AuthenticationError/Kind-swift.struct/userChanged``. So do the further calls of what belongs together: the pages
///   of one loop, the routes of ``Client/fetchAll(_:atMost:)``, both sources of a ``Migrator``. Only a call that waits
///   without a token goes on with that of a login. A ``Deduplication`` outside shares no request between calls from
///   before and after it. A refresh is no change of the user.
/// - A token whose lifetime is known is replaced before it expires: 30 seconds, or a tenth of its life if that is less.
/// - The refresh must not go through these tokens. That is detected, and is an error instead of a deadlock. A detached
///   task inside of the closure hides it; a task that the closure leaves behind is still a part of it.
public final class BearerTokens: Sendable {
    let state: Locked<TokenState>
    private let refreshes = SharedWork<Int, Void>(runsWithoutCallers: true)
    private let watch: Stopwatch
    private let onChange: (@Sendable (BearerToken?) -> Void)?
    private let fetchToken: @Sendable (BearerToken?) async throws -> BearerToken

    let number = nextSourceNumber()

    /// How many calls wait for a refresh now.
    var waiting: Int { refreshes.waiting }
    /// How many refreshes are in progress, with callers or without.
    var running: Int { refreshes.running }

    /// The objects whose refresh the task is a part of.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    /// Makes tokens.
    /// - Parameters:
    ///   - token: The token of an earlier session, if there is one.
    ///   - limit: The most refreshes in a period, at least one.
    ///   - period: The period.
    ///   - clock: The clock that lifetimes and the period are measured on.
    ///   - onChange: Told every later token, and `nil` after a logout, one after the other, in their order. An app
    ///     stores them here, with the date of their end. The calls that wait for a refresh wait for this, too. While
    ///     one task is told a change, that of another may come after ``replace(with:)`` has returned.
    ///   - fetchToken: Fetches a token from the server, given the last one, which may have expired.
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
    ///   - limit: The most refreshes in a period, at least one.
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

    /// The token of the session now, expired or not, with the rest of its lifetime; `nil` before the first and after a
    /// logout. For what does not go through a client, a web view for example:
    ///
    /// ```swift
    /// let tokens = BearerTokens("2YotnFZFEjr1zCsicMWpAA") { try await client.fetch(Route<String>.get("token")) }
    /// let field = tokens.current.map { "Bearer \($0.value)" }               // the value of `Authorization`
    /// ```
    public var current: BearerToken? { state.withLock { $0.current(at: watch.elapsed) } }

    /// Replaces the token: after a login, or by `nil` after a logout. A refresh that is in progress goes on, no call
    /// waits for it any more, and its result is dropped. Calls in flight are not sent again for the next user. A new
    /// token of the same user comes from the closure.
    /// - Parameter token: The new token.
    public func replace(with token: BearerToken?) {
        state.withLock { $0.replace(with: token, at: watch.elapsed) }
        tellChanges()
        endOutdatedWaits()
    }

    /// Ends the waits for refreshes of tokens that were replaced. The refreshes go on: the server may have used up the
    /// refresh token.
    private func endOutdatedWaits() {
        let version = state.withLock { $0.versionOfUser }
        refreshes.endWaits(with: ()) { $0 < version }
    }

    /// Tells the app what has changed. Not under the lock, because the closure may read or replace the token.
    private func tellChanges() {
        guard let onChange else { return }
        var isFirst = true
        while let change = state.withLock({ $0.nextChange(isFirst: isFirst) }) {
            isFirst = false
            onChange(change)
        }
    }

    /// Whether a new request needs another token first.
    var needsRefresh: Bool { state.withLock { $0.isStale(at: watch.elapsed) } }

    /// Whether a call of that user may still be sent.
    func isCurrent(_ user: Int) -> Bool { state.withLock { $0.isCurrent(user) } }

    /// The last token, expired or not, or one without a value before the first; `nil` after it was removed, and for
    /// the call of an earlier user.
    func lastToken(for user: Int) -> IssuedToken? {
        state.withLock { $0.isRemoved || !$0.isCurrent(user) ? nil : $0.issued }
    }

    /// The token for a new request: the stored one, or that of a refresh if there is none or it is about to expire.
    func token(for user: Int, in context: CallContext) async throws -> IssuedToken {
        try failInRefresh()
        let (stored, needsRefresh, isValid) = try state.withLock { state in
            guard state.isCurrent(user) else { throw AuthenticationError.ended }
            return (state.issued, state.isStale(at: watch.elapsed), state.isValid(at: watch.elapsed))
        }
        guard needsRefresh else { return stored }
        context.note("the token is \(stored.value == nil ? "missing" : "about to expire")")
        do {
            return try await refresh(after: stored, for: user, in: context)
        } catch let error as AuthenticationError where isValid && error.kind != .refreshNeedsItself {
            // One that was removed meanwhile is not sent any more.
            guard state.withLock({ $0.issued.version == stored.version }) else { throw error }
            context.note("\(error.kind); the token is valid for now")
            return stored
        }
    }

    /// The token for a request that was refused with an older one, and whether it comes of a refresh since then.
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

    /// The stored token, for a call of that user.
    private func current(for user: Int) throws -> IssuedToken {
        try state.withLock { state in
            guard state.isCurrent(user) else { throw AuthenticationError.ended }
            return state.issued
        }
    }

    private func refresh(
        after old: IssuedToken,
        for user: Int,
        in context: CallContext
    ) async throws -> IssuedToken {
        // One refresh for each version: a caller with an older one finds the newer token.
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
            // It may have been replaced before this call waited for it.
            self.endOutdatedWaits()
        }
        let issued = try current(for: user)
        guard issued.value != nil else { throw AuthenticationError.ended }
        return issued
    }

    /// The shared part, run once for all callers.
    private func run(after old: IssuedToken) async throws {
        let last = try state.withLock { state -> BearerToken?? in
            guard state.issued.version == old.version, try state.outcome(since: old) == nil else { return .none }
            try state.beginRefresh(at: watch.elapsed)
            return .some(state.token)
        }
        guard let last else { return }
        do {
            let inside = Self.refreshing.union([ObjectIdentifier(self)])
            let token = try await Self.$refreshing.withValue(inside) { try await fetchToken(last) }
            state.withLock { $0.store(token, ofRefreshOf: old.version, at: watch.elapsed) }
            tellChanges()
        } catch {
            // The token was replaced meanwhile: what came of this refresh does not matter.
            guard state.withLock({ $0.issued.version == old.version }) else { return }
            let failure = AuthenticationError(refresh: error)
            state.withLock { $0.fail(with: failure, of: old.version) }
            throw failure
        }
    }

    private func failInRefresh() throws {
        guard Self.refreshing.contains(ObjectIdentifier(self)) else { return }
        throw AuthenticationError(.refreshNeedsItself, "expected a client without this authentication in its closure")
    }
}

extension AuthenticationError {
    fileprivate static let ended = AuthenticationError(.userChanged, "the call's token was replaced or removed")

    /// The error of a refresh whose closure threw: one that requested a token of itself says so.
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
    /// The user whose token is stored.
    var user: Int { state.withLock { $0.user } }

    func check(_ user: Int) throws {
        if !isCurrent(user) { throw AuthenticationError.ended }
    }

    func checkWait() throws { try failInRefresh() }
}

extension BearerTokens: Redacted {
    /// The type's name: tokens are secrets.
    public var description: String { "BearerTokens" }
}
