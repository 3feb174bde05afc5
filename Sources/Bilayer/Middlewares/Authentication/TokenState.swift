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
    private(set) var token: BearerToken?
    /// The changes that the app has not been told yet, the oldest first.
    private var untold: [BearerToken?] = []
    /// Whether a caller is telling the changes now, so that they are told in their order.
    private var isTelling = false
    private var version = 0
    /// The version of the last token that the app has set. For a refresh of an older one nobody needs to wait.
    private(set) var versionOfUser = 0
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
    private let limit: Int
    private let period: Duration
    private let tellsChanges: Bool

    init(_ token: BearerToken?, limit: Int, period: Duration, tellsChanges: Bool = false) {
        self.limit = limit
        self.period = period
        self.tellsChanges = tellsChanges
        store(token, at: .zero)
        untold = []
    }

    var issued: IssuedToken { IssuedToken(value: token?.value, version: version, failures: failures, user: user) }

    /// The token with the rest of its lifetime.
    func current(at time: Duration) -> BearerToken? {
        token.map { BearerToken($0.value, expiresIn: expiresAt.map { $0 - time }, refreshToken: $0.refreshToken) }
    }

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
        versionOfUser = version
    }

    private mutating func store(_ token: BearerToken?, at time: Duration) {
        self.token = token
        if tellsChanges { untold.append(token) }
        version += 1
        lastFailure = nil
        expiresAt = token?.expiresIn.map { time + $0 }
        staleAt = token?.expiresIn.map { time + $0 - min(.seconds(30), $0 / 10) }
    }

    /// Stores what a refresh brought, unless the token was replaced meanwhile.
    mutating func store(_ token: BearerToken, ofRefreshOf old: Int, at time: Duration) {
        guard version == old else { return }
        store(token.withKnownLifetime, at: time)
    }

    /// Takes the next change to tell the app.
    /// - Parameter isFirst: Whether the caller begins; after that it takes one change after the other, to the end.
    /// - Returns: The change; `nil` if there is none, or another caller tells them already.
    mutating func nextChange(isFirst: Bool) -> BearerToken?? {
        if isFirst, isTelling { return .none }
        isTelling = !untold.isEmpty
        return untold.isEmpty ? .none : .some(untold.removeFirst())
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
    mutating func beginRefresh(at time: Duration) throws {
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
    }
}

extension BearerToken {
    /// The token that a refresh returned. A lifetime of zero or less says nothing: servers without lifetimes send it,
    /// and taken literally, each call would refresh the token again.
    fileprivate var withKnownLifetime: BearerToken {
        guard let expiresIn, expiresIn <= .zero else { return self }
        return BearerToken(value, refreshToken: refreshToken)
    }
}
