extension CallContext {
    /// The user for whom this call sends its requests: the one of its begin, also after the user has changed.
    func user(noting mark: UserMark) -> Int { record.user(noting: mark) }

    /// Notes the users of a call at its begin.
    func note(_ users: Set<UserMark>) {
        for mark in users { _ = record.user(noting: mark) }
    }

    /// The users for whom this call sends its requests through a node.
    func users(of node: some Node) -> Set<UserMark> {
        Set(userMarks(of: node).map { UserMark($0.source, number: user(noting: $0)) })
    }

    /// Checks that the users of this call are those of its begin.
    /// - Throws: The error of the source whose user has changed.
    func checkUsers() throws {
        for mark in record.knownUsers { try mark.source.check(mark.number) }
    }
}
