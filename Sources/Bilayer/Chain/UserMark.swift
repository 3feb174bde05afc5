/// What has the credentials of a user, who can change.
protocol UserSource: Sendable {
    /// The number of the source, by which it is compared. Two sources have one number only if they always send the same
    /// credentials.
    var number: Int { get }

    /// The number of the user now: it changes with the user.
    var user: Int { get }

    /// Checks that a call of a user may go on.
    /// - Throws: An error if the user has changed.
    func check(_ user: Int) throws

    /// Checks that this task may wait for a request of the user: the refresh of the token must not.
    func checkWait() throws
}

/// The user at a time.
struct UserMark: Sendable, Hashable {
    let source: any UserSource
    let number: Int

    init(_ source: any UserSource, number: Int) {
        self.source = source
        self.number = number
    }

    /// The user now.
    init(now source: any UserSource) { self.init(source, number: source.user) }

    static func == (one: UserMark, other: UserMark) -> Bool {
        one.source.number == other.source.number && one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(source.number)
        hasher.combine(number)
    }
}

/// A middleware that sends requests for a user.
protocol SendsForUser {
    var userSource: any UserSource { get }
}

/// The user of a middleware whose credentials do not change.
struct FixedUser: UserSource {
    let number: Int
    var user: Int { 0 }

    /// A user who is equal to no other one.
    init() { number = nextSourceNumber() }

    /// A user who is equal for equal credentials. The number is another one in each run of the app, and says nothing
    /// about them.
    init(of credentials: String...) {
        var hasher = Hasher()
        hasher.combine(credentials)
        // Negative, unlike those that are counted.
        number = hasher.finalize() | Int.min
    }

    func check(_ user: Int) {}
    func checkWait() {}
}

/// A number that no other source of the process has had.
func nextSourceNumber() -> Int {
    countOfSources.withLock { count in
        count += 1
        return count
    }
}

private let countOfSources = Locked(0)
