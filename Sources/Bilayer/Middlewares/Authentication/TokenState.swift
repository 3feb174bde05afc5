/// A token as it was given to a request.
struct IssuedToken: Sendable {
    /// `nil` if there is no token.
    let value: String?
    /// The number of the token, in the order in which tokens were stored.
    let version: Int
    /// The number of failed refreshes before the token was given to the request.
    let failures: Int
    /// The number of the token's user.
    let userNumber: Int
    /// Records the first use of a token from a refresh; `nil` for a token that the app has set.
    let firstUse: FirstUse?
}

/// Records whether any request with a token has ended. All requests with the token share this object, also after the
/// next refresh.
final class FirstUse: Sendable {
    private let isOver = Locked(false)

    /// Records that a request with the token has ended.
    /// - Returns: Whether it is the first request that has ended.
    func end() -> Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}

/// The stored token with its version, its lifetime, and the refreshes so far. All times are measured by one stopwatch.
struct TokenState: Sendable {
    private(set) var token: BearerToken?
    /// The changes that `onChange` has not received yet, the oldest first.
    private var untold: [BearerToken?] = []
    /// Whether a caller passes changes to `onChange` now. Other callers then pass none, so the changes stay in order.
    private var isTelling = false
    private var version = 0
    /// The version of the last token that the app has set. No call needs to wait for the refresh of an older version.
    private(set) var versionSetByApp = 0
    /// The number of the user. It increases with each login and each logout.
    private(set) var userNumber = 0
    /// The number of the user before a login, if there was no token before the login; `nil` otherwise. The calls of
    /// that user have sent nothing, and wait for a token.
    private var userBeforeLogin: Int?
    /// The number of refreshes that have failed.
    private var failures = 0
    /// The last failed refresh of the stored token, with the version of the token; `nil` if none has failed.
    private var lastFailure: (version: Int, error: AuthenticationError)?
    /// The time from which a refresh starts; `nil` for a token whose lifetime is not known.
    private var staleAt: Duration?
    /// The time from which calls wait for a refresh; `nil` for a token whose lifetime is not known.
    private var expiresAt: Duration?
    /// The times of bad refreshes: when they failed, or when their token was refused at its first use.
    private var faults: [Duration] = []
    /// Records the first use of the token; `nil` unless the token is from a refresh.
    private var firstUse: FirstUse?
    /// The last error of the refresh closure that counted as a bad refresh; `nil` if no bad refresh counts any more.
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

    var issued: IssuedToken {
        IssuedToken(
            value: token?.value,
            version: version,
            failures: failures,
            userNumber: userNumber,
            firstUse: firstUse
        )
    }

    /// The token with the time that is left until it expires.
    func current(at time: Duration) -> BearerToken? {
        token.map { BearerToken($0.value, expiresIn: expiresAt.map { $0 - time }, refreshToken: $0.refreshToken) }
    }

    /// Whether a logout has removed the token.
    var isRemoved: Bool { token == nil && version > 1 }

    /// Whether a request needs another token: there is none, or it is about to expire.
    func isStale(at time: Duration) -> Bool {
        token == nil || staleAt.map { $0 <= time } ?? false
    }

    /// Whether there is a token that has not expired.
    func isValid(at time: Duration) -> Bool {
        token != nil && expiresAt.map { time < $0 } ?? true
    }

    /// Whether a call of the user with this number may use the token. True if the user has not changed since the call
    /// began, or if the call began without a token, before a login.
    func isCurrent(_ number: Int) -> Bool { number == userNumber || number == userBeforeLogin }

    /// Stores a token that the app has set: the token of another user, or `nil` after a logout.
    mutating func replace(with token: BearerToken?, at time: Duration) {
        userBeforeLogin = self.token == nil && token != nil ? userNumber : nil
        userNumber += 1
        (faults, lastCause) = ([], nil)
        store(token, at: time)
        versionSetByApp = version
    }

    private mutating func store(_ token: BearerToken?, at time: Duration) {
        self.token = token
        if tellsChanges { untold.append(token) }
        version += 1
        lastFailure = nil
        firstUse = nil
        expiresAt = token?.expiresIn.map { time + $0 }
        staleAt = token?.expiresIn.map { time + $0 - min(.seconds(30), $0 / 10) }
    }

    /// Stores the token of a refresh, unless the token was replaced meanwhile.
    mutating func store(_ token: BearerToken, ofRefreshOf old: Int, at time: Duration) {
        guard version == old else { return }
        store(token.withKnownLifetime, at: time)
        firstUse = FirstUse()
    }

    /// Records that the first use of a token was refused. The refusal also counts if a newer token of the same user is
    /// stored by now.
    mutating func recordRefusal(of used: IssuedToken, at time: Duration) {
        if used.userNumber == userNumber { faults.append(time) }
    }

    /// Takes the next change for `onChange`.
    /// - Parameter isFirst: True for the first change that the caller takes. The caller then takes the further changes,
    ///   until there is none.
    /// - Returns: The change; `nil` if there is none, or if another caller already takes the changes.
    mutating func nextChange(isFirst: Bool) -> BearerToken?? {
        if isFirst, isTelling { return .none }
        isTelling = !untold.isEmpty
        return untold.isEmpty ? .none : .some(untold.removeFirst())
    }

    /// Returns the token that was stored after `old` was issued. If a refresh has failed since then, throws its error.
    /// Returns `nil` if neither has happened.
    func outcome(since old: IssuedToken) throws -> IssuedToken? {
        if version != old.version, token != nil { return issued }
        if let lastFailure, lastFailure.version == old.version, failures > old.failures { throw lastFailure.error }
        return nil
    }

    /// Records a failed refresh of the token with this version, unless the token was replaced meanwhile. The refresh is
    /// bad, and counts for the limit, unless its server did not respond.
    mutating func fail(with error: AuthenticationError, of version: Int, at time: Duration) {
        guard version == self.version else { return }
        failures += 1
        lastFailure = (version, error)
        if error.isWithoutResponse { return }
        faults.append(time)
        lastCause = error.underlyingError ?? error
    }

    /// Throws if the limit of the period is reached, so that no refresh may start now.
    mutating func checkLimit(at time: Duration) throws {
        faults.removeAll { $0 <= time - period }
        if faults.isEmpty { lastCause = nil }
        if faults.count >= limit, let oldest = faults.first {
            let wait = (oldest + period - time).formattedSeconds
            throw AuthenticationError(
                .tooManyRefreshes,
                "\(limit) in \(period.formattedSeconds), the next one is possible after \(wait)",
                underlyingError: lastCause
            )
        }
    }
}

extension BearerToken {
    /// The token of a refresh. A lifetime of zero or less is removed: servers without lifetimes send such values. Taken
    /// literally, they would make each call refresh the token.
    fileprivate var withKnownLifetime: BearerToken {
        guard let expiresIn, expiresIn <= .zero else { return self }
        return BearerToken(value, refreshToken: refreshToken)
    }
}
