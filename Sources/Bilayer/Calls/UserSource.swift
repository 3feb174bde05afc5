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

/// A number that no other source of the process has had.
func nextSourceNumber() -> Int {
    countOfSources.withLock { count in
        count += 1
        return count
    }
}

private let countOfSources = Locked(0)
