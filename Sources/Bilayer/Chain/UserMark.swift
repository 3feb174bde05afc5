/// What has the token of a user, who can change.
protocol UserSource: AnyObject, Sendable {
    /// The number of the source, which no other one of the process has had.
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
        one.source === other.source && one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(number)
    }
}

/// A middleware that sends requests for a user who can change.
protocol SendsForUser {
    var userSource: any UserSource { get }
}
