/// What tokens, their refreshes and the calls with them do, step by step. Times are seconds.
struct TokensModel {
    struct Token {
        let text: String
        let expires: Int?
        let isStaleFrom: Int?
    }

    /// A token as a call has received it, with the version and the number of failed refreshes at that time.
    private struct Issued {
        let text: String?
        let version: Int
        let failures: Int
    }

    private struct Waiter {
        /// The token that the call has, or has sent.
        let issued: Issued
        /// Whether the server refused the call with that token. The request with the next token is the call's last.
        let isRefused: Bool
        let refusals: Int
    }

    private struct Refresh {
        let version: Int
        var waiters: [Int: Waiter]
    }

    private struct Sent {
        let issued: Issued
        let refusals: Int
        let isLastTry: Bool
    }

    let limit: Int
    private(set) var outcomes: [Int: String] = [:]
    private(set) var requestCount = 0
    private(set) var refreshCount = 0
    private var token: Token?
    private var version = 1
    private var failures = 0
    private var failedVersion: Int?
    /// When refreshes have failed, or their tokens were refused at their first use.
    private var faults: [Int] = []
    /// The versions that refreshes have brought for the user, and that were not used yet.
    private var unused: Set<Int> = []
    private var sent: [Int: Sent] = [:]
    private var refreshes: [Int: Refresh] = [:]
    /// Counts the logins and logouts by the app. Each changes the user.
    private var user = 0
    private var userBeforeLogin: Int?
    private var users: [Int: Int] = [:]

    init(limit: Int) { self.limit = limit }

    /// The tokens of the calls whose requests wait for an answer.
    var atServer: [Int: String] { sent.compactMapValues(\.issued.text) }
    var running: Set<Int> { Set(refreshes.keys) }
    var waiting: [Int] { refreshes.values.flatMap(\.waiters.keys).sorted() }

    private var current: Issued { Issued(text: token?.text, version: version, failures: failures) }

    // MARK: Steps

    mutating func begin(_ call: Int, at now: Int) {
        users[call] = user
        guard let token, token.isStaleFrom.map({ now < $0 }) ?? true else {
            guard token != nil, token?.expires.map({ now < $0 }) ?? true else {
                return wait(call, Waiter(issued: current, isRefused: false, refusals: 0), at: now)
            }
            // The stale token is used while the refresh runs.
            refresh(at: now)
            return send(call, current, refusals: 0)
        }
        send(call, current, refusals: 0)
    }

    mutating func answer(_ call: Int, _ status: Int, at now: Int) {
        guard let last = sent.removeValue(forKey: call) else { return }
        if unused.remove(last.issued.version) != nil, status == 401 { faults.append(now) }
        guard status == 401, last.refusals < 2, !last.isLastTry else { return outcomes[call] = "\(status)" }
        if last.issued.version == version {
            let waiter = Waiter(issued: last.issued, isRefused: true, refusals: last.refusals)
            wait(call, waiter, at: now)
        } else if isCurrent(call) {
            send(call, current, refusals: last.refusals + 1)
        } else {
            outcomes[call] = "401"
        }
    }

    mutating func replace(_ text: String?) {
        userBeforeLogin = token == nil && text != nil ? user : nil
        user += 1
        (faults, unused) = ([], [])
        store(text.map { Token(text: $0, expires: nil, isStaleFrom: nil) })
        // Nobody waits any more for the refreshes of older tokens, which go on.
        for (number, refresh) in refreshes {
            refreshes[number]?.waiters = [:]
            for (call, waiter) in refresh.waiters { goOn(call, waiter) }
        }
    }

    mutating func cancel(_ call: Int) {
        if sent.removeValue(forKey: call) != nil { outcomes[call] = "cancelled" }
        for (number, refresh) in refreshes where refresh.waiters[call] != nil {
            // The refresh goes on, also without callers.
            refreshes[number]?.waiters[call] = nil
            outcomes[call] = "cancelled"
        }
    }

    /// A refresh ends with a token, or fails.
    mutating func end(_ number: Int, _ new: Token?, at now: Int) {
        guard let refresh = refreshes.removeValue(forKey: number) else { return }
        if let new {
            if version == refresh.version {
                store(new)
                unused.insert(version)
            }
        } else if version == refresh.version {
            failures += 1
            failedVersion = version
            faults.append(now)
        }
        for (call, waiter) in refresh.waiters {
            if version != refresh.version { goOn(call, waiter) } else { outcomes[call] = Self.failed }
        }
    }

    // MARK: Rules

    static let failed = "the refresh of the token failed"
    private static let changed = "the user has changed"
    private static let tooMany = "too many refreshes of the token"

    /// Whether nobody has signed in or out since the call began, or it waited for the first token of a login.
    private func isCurrent(_ call: Int) -> Bool { users[call] == user || users[call] == userBeforeLogin }

    private mutating func store(_ new: Token?) {
        (token, failedVersion) = (new, nil)
        version += 1
    }

    private mutating func send(_ call: Int, _ issued: Issued, refusals: Int, isLastTry: Bool = false) {
        sent[call] = Sent(issued: issued, refusals: refusals, isLastTry: isLastTry)
        requestCount += 1
    }

    /// A call needs a newer token than it has: it joins the refresh for that version, or starts one.
    private mutating func wait(_ call: Int, _ waiter: Waiter, at now: Int) {
        if failedVersion == version, failures > waiter.issued.failures { return outcomes[call] = Self.failed }
        guard let number = refresh(at: now) else { return outcomes[call] = Self.tooMany }
        refreshes[number]?.waiters[call] = waiter
    }

    /// The number of the refresh of the token, which is started if there is none; `nil` after too many faults.
    @discardableResult
    private mutating func refresh(at now: Int) -> Int? {
        if let number = refreshes.first(where: { $0.value.version == version })?.key { return number }
        faults.removeAll { $0 <= now - 60 }
        guard faults.count < limit else { return nil }
        refreshCount += 1
        refreshes[refreshCount] = Refresh(version: version, waiters: [:])
        return refreshCount
    }

    /// Goes on with a call that waited for a refresh: meanwhile the token is another one, or was removed.
    private mutating func goOn(_ call: Int, _ waiter: Waiter) {
        if isCurrent(call) {
            send(call, current, refusals: waiter.refusals, isLastTry: waiter.isRefused)
        } else {
            outcomes[call] = Self.changed
        }
    }
}
