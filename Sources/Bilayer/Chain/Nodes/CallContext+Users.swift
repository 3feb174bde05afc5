extension CallContext {
    /// Returns the number of the user for whom this call sends its requests: the user of its begin, even after a
    /// change.
    func user(noting mark: UserMark) -> Int { record.user(noting: mark) }

    /// Notes the users of a call at its begin.
    func note(_ users: Set<UserMark>) {
        for mark in users { _ = record.user(noting: mark) }
    }

    /// The users of this call so far.
    var knownUsers: Set<UserMark> { Set(record.knownUsers) }

    /// Returns the users for whom this call sends its requests through a node.
    func users(of node: some Node) -> Set<UserMark> {
        Set(userMarks(of: node).map { UserMark($0.source, number: user(noting: $0)) })
    }

    /// The users of this call so far, as a text that is equal for equal users of one run of the app.
    var userNumbers: String {
        record.knownUsers.map { "\($0.source.number).\($0.number)" }.sorted().joined(separator: " ")
    }

    /// Checks that the users of this call are those of its begin.
    /// - Throws: The error of the source whose user has changed.
    func checkUsers() throws {
        for mark in record.knownUsers { try mark.source.check(mark.number) }
    }
}
