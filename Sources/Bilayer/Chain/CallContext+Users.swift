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

    /// The users of this call as a text to store.
    var userText: String {
        let users = record.knownUsers.map { "\(UInt(bitPattern: ObjectIdentifier($0.source))).\($0.number)" }
        return ([runOfApp] + users.sorted()).joined(separator: " ")
    }

    /// Whether a stored text is that of the users of this call. Numbers of users are those of one run of the app: a text
    /// of an earlier run may be that of any user.
    func isOfUser(_ text: String) -> Bool { text == userText || !text.hasPrefix(runOfApp) }

    /// Checks that the users of this call are those of its begin.
    /// - Throws: The error of the source whose user has changed.
    func checkUsers() throws {
        for mark in record.knownUsers { try mark.source.check(mark.number) }
    }
}

/// Another text in each run of the app.
private let runOfApp = String(UInt64.random(in: 0...UInt64.max), radix: 16)
