import Foundation

extension CallContext {
    /// Returns the number of the user for whom this call sends its requests. That is the first user that was noted for
    /// the source of `mark`. A client notes the users at the start of a call.
    func userNumber(noting mark: UserMark) -> Int { record.userNumber(noting: mark) }

    /// Records the users of a call at its start.
    func recordUsers(_ users: Set<UserMark>) {
        for mark in users { _ = record.userNumber(noting: mark) }
    }

    /// The users that were noted for this run of a pipeline, or for a run around it.
    var knownUsers: Set<UserMark> { Set(record.knownUsers) }

    /// Returns the users for whom this call sends its requests through a node.
    func users(of node: some Node) -> Set<UserMark> {
        Set(userMarks(of: node).map { UserMark($0.source, userNumber: userNumber(noting: $0)) })
    }

    /// Records the credentials that a middleware has set in a request for a user. A download that is resumed compares
    /// the user instead of the values of the credentials, which may differ in the next request.
    func recordCredentials(of user: UserMark, setIn request: HTTPRequest, madeOf old: HTTPRequest) {
        // Only a download that is resumed compares users, and it requests a stream.
        guard request.streamsResponse else { return }
        var fields: [HTTPHeaders.Name: UserField] = [:]
        for name in Set(request.headers.map(\.name)) where request.headers[name] != old.headers[name] && name.isSecret {
            fields[name] = request.headers[name].map { UserField(value: $0, user: user) }
        }
        record.recordFields(fields)
        if request.url != old.url { record.recordAddress(request.url, of: UserAddress(before: old.url, user: user)) }
    }

    /// The fields that middlewares have set for users in this run, with their last values.
    var userFields: [HTTPHeaders.Name: UserField] { record.userFields }

    /// The addresses that middlewares have changed for users in this run.
    var userAddresses: [URL: UserAddress] { record.userAddresses }

    /// The last request of this run that asks for a stream, as it was sent, without its body. Requests that follow
    /// redirects do not count, because they may have fewer header fields.
    var streamRequest: HTTPRequest? { record.streamRequest }

    /// Checks that the users for whom this call sends its requests are still the current ones.
    /// - Throws: The error of the source whose user has changed.
    func checkUsers() throws {
        for mark in record.knownUsers { try mark.source.check(mark.userNumber) }
    }
}
