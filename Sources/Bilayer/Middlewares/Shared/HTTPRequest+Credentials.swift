import Foundation

extension HTTPRequest {
    /// Whether a middleware may add credentials. The request must have none, its call must not have the option
    /// ``CredentialPolicy/omitted``, and its address must have the origin of the client's base address. In a chain
    /// without a client every address is accepted.
    func mayHaveCredentials(in context: CallContext) -> Bool {
        context.options[CredentialPolicy.self] != .omitted && headers[.authorization] == nil
            && context.baseURL.map { url.hasSameOrigin(as: $0) } ?? true
    }
}

extension CallContext {
    /// Checks that this task may wait for a request that another task sends with the credentials of these users.
    /// - Throws: ``AuthenticationError`` if this task is in the refresh of a token that the request needs.
    func checkWait(for users: Set<UserMark>, by request: HTTPRequest) throws {
        guard request.mayHaveCredentials(in: self) else { return }
        for mark in users { try mark.source.checkWait() }
    }
}
