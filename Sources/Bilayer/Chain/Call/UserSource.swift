/// A source of credentials, such as ``BearerTokens``. The user whose credentials it has can change.
protocol UserSource: Sendable {
    /// The number that identifies the source. Two sources have equal numbers only if they always send the same
    /// credentials.
    var sourceNumber: Int { get }

    /// The number of the current user. It changes with the user.
    var userNumber: Int { get }

    /// Checks that a call for a user may go on.
    /// - Throws: An error if the user has changed.
    func check(_ userNumber: Int) throws

    /// Checks that this task may wait for a request of the user. The refresh of the user's token must not wait for a
    /// request that needs this token.
    func checkWait() throws
}

/// Returns a number that no other source of the process has had.
func nextSourceNumber() -> Int {
    countOfSources.withLock { count in
        count += 1
        return count
    }
}

private let countOfSources = Locked(0)
