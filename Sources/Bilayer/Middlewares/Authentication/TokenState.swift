/// A token as it was given to a request.
struct IssuedToken: Sendable {
    /// `nil` if there is no token yet.
    let value: String?
    /// The number of the token: counts the stored tokens.
    let version: Int
    /// The number of failed refreshes before the token was given to the request.
    let failures: Int
    /// The number of the token's user.
    let userNumber: Int
    /// The first use of a token that a refresh has brought; `nil` for a token that the app has set.
    let firstUse: FirstUse?
}

/// Whether a request with a token has ended. All requests with the token share it, also after the next refresh.
final class FirstUse: Sendable {
    private let isOver = Locked(false)

    /// Notes that a request with the token has ended.
    /// - Returns: Whether it is the first one.
    func end() -> Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}

/// The stored token with its version, its lifetime, and the refreshes so far. Times are those of one stopwatch.
struct TokenState: Sendable {
    private(set) var token: BearerToken?
    /// The changes that `onChange` has not received yet, the oldest first.
    private var untold: [BearerToken?] = []
    /// Whether a caller passes changes to `onChange` now. Others then do not, which keeps the order.
    private var isTelling = false
    private var version = 0
    /// The version of the last token that the app has set. No call needs to wait for the refresh of an older version.
    private(set) var versionOfUser = 0
    /// The number of the user: counts the tokens that the app has set.
    private(set) var userNumber = 0
    /// The number of the user before a login, if there was no token then; `nil` otherwise. The calls of that user have
    /// sent nothing, and wait for a token.
    private var userBeforeLogin: Int?
    private var failures = 0
    private var lastFailure: (version: Int, error: AuthenticationError)?
    private var staleAt: Duration?
    private var expiresAt: Duration?
    /// The times of the refreshes that count: when they failed, or when their token was refused at its first use.
    private var faults: [Duration] = []
    /// The first use of the token, if a refresh has brought it.
    private var firstUse: FirstUse?
    /// What the closure has thrown last, while its failure counts.
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
    func isCurrent(_ number: Int) -> Bool { number == userNumber || number == userBeforeLogin }

    /// Stores a token that the app has set: that of another user, or of none.
    mutating func replace(with token: BearerToken?, at time: Duration) {
        userBeforeLogin = self.token == nil && token != nil ? userNumber : nil
        userNumber += 1
        (faults, lastCause) = ([], nil)
        store(token, at: time)
        versionOfUser = version
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

    /// Notes that the first use of a token was refused. A newer token may be stored meanwhile, of the same user.
    mutating func noteRefusal(of used: IssuedToken, at time: Duration) {
        if used.userNumber == userNumber { faults.append(time) }
    }

    /// Takes the next change for `onChange`.
    /// - Parameter isFirst: Whether the caller begins. After that it takes one change after the other, to the end.
    /// - Returns: The change; `nil` if there is none, or if another caller already takes the changes.
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
    /// The token that a refresh returned. A lifetime of zero or less says nothing: servers without lifetimes send it,
    /// and taken literally, each call would refresh the token again.
    fileprivate var withKnownLifetime: BearerToken {
        guard let expiresIn, expiresIn <= .zero else { return self }
        return BearerToken(value, refreshToken: refreshToken)
    }
}
