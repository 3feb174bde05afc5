/// A token as it was given to a request.
struct IssuedToken: Sendable {
    /// `nil` if there is no token yet.
    let value: String?
    /// Counts the tokens.
    let version: Int
    /// Counts the failed refreshes before this was given out.
    let failures: Int
    /// The number of its user.
    let user: Int
}

/// The stored token with its version, its lifetime, and the refreshes so far. Times are those of one stopwatch.
struct TokenState: Sendable {
    private var token: BearerToken?
    private var version = 0
    /// The number of the user: counts the tokens that the app has set.
    private(set) var user = 0
    /// The number from before a login, if there was no token then. Its calls have sent nothing, and wait for a token.
    private var userBeforeLogin: Int?
    private var failures = 0
    private var lastFailure: (version: Int, error: AuthenticationError)?
    private var staleAt: Duration?
    private var expiresAt: Duration?
    private var starts: [Duration] = []
    /// What the closure has thrown last, while its start counts.
    private var lastCause: (any Error)?
    private var refreshCount = 0
    /// The refresh that brought the token, and the version that it was for.
    private var origin: (refresh: Int, of: Int)?
    private let limit: Int
    private let period: Duration

    init(_ token: BearerToken?, limit: Int, period: Duration) {
        self.limit = limit
        self.period = period
        store(token, at: .zero)
    }

    var issued: IssuedToken { IssuedToken(value: token?.value, version: version, failures: failures, user: user) }

    /// Whether the token was removed: after a logout.
    var isRemoved: Bool { token == nil && version > 1 }

    /// Whether a request needs another token: there is none, or it is about to expire.
    func isStale(at time: Duration) -> Bool {
        token == nil || staleAt.map { $0 <= time } ?? false
    }

    /// Whether there is a token that has not expired.
    func isValid(at time: Duration) -> Bool {
        token != nil && expiresAt.map { time < $0 } ?? true
    }

    /// Whether a call of that user may use the token: nobody has signed in or out since then, or the call has waited
    /// for the first token.
    func isCurrent(_ user: Int) -> Bool { user == self.user || user == userBeforeLogin }

    /// Stores a token that the app has set: that of another user, or of none.
    mutating func replace(with token: BearerToken?, at time: Duration) {
        userBeforeLogin = self.token == nil && token != nil ? user : nil
        user += 1
        (starts, lastCause) = ([], nil)
        store(token, at: time)
    }

    private mutating func store(_ token: BearerToken?, at time: Duration) {
        self.token = token
        origin = nil
        version += 1
        lastFailure = nil
        expiresAt = token?.expiresIn.map { time + $0 }
        staleAt = token?.expiresIn.map { time + $0 - min(.seconds(30), $0 / 10) }
    }

    /// Stores what a refresh brought, unless the token was replaced meanwhile. Of two refreshes for one version, of
    /// which the first was left by its callers, the later one counts.
    mutating func store(_ token: BearerToken, ofRefresh refresh: Int, of old: Int, at time: Duration) {
        let isFirst = version == old
        let isLater = origin.map { $0.of == old && $0.refresh < refresh } ?? false
        guard isFirst || isLater else { return }
        store(token, at: time)
        origin = (refresh, old)
    }

    /// The outcome of the refreshes since a token was issued: a newer token, or the error of a failed refresh.
    func outcome(since old: IssuedToken) throws -> IssuedToken? {
        if version != old.version, token != nil { return issued }
        if let lastFailure, lastFailure.version == old.version, failures > old.failures { throw lastFailure.error }
        return nil
    }

    mutating func fail(with error: AuthenticationError, of version: Int) {
        guard version == self.version else { return }
        failures += 1
        lastFailure = (version, error)
        lastCause = error.underlyingError ?? error
    }

    /// Counts a refresh that starts now.
    /// - Returns: Its number.
    mutating func beginRefresh(at time: Duration) throws -> Int {
        starts.removeAll { $0 <= time - period }
        if starts.isEmpty { lastCause = nil }
        if starts.count >= limit, let first = starts.first {
            let wait = (first + period - time).formattedSeconds
            throw AuthenticationError(
                .tooManyRefreshes,
                "\(limit) in \(period.formattedSeconds), the next one is possible after \(wait)",
                underlyingError: lastCause
            )
        }
        starts.append(time)
        refreshCount += 1
        return refreshCount
    }
}
