import Foundation

extension HTTPRequest {
    /// Whether a middleware may add credentials: the request has none, goes to the origin of its client's base address,
    /// and its call has not the option to be sent without. A chain without a client has no such address.
    func mayHaveCredentials(in context: CallContext) -> Bool {
        context.options[CredentialPolicy.self] != .omitted && headers[.authorization] == nil
            && context.baseURL.map { url.hasSameOrigin(as: $0) } ?? true
    }
}

extension CallContext {
    /// Checks that this task may wait for a request with the credentials of some users, which it does not send itself.
    /// - Throws: ``AuthenticationError`` in the refresh of a token that the request waits for.
    func checkWait(for users: Set<UserMark>, by request: HTTPRequest) throws {
        guard request.mayHaveCredentials(in: self) else { return }
        for mark in users { try mark.source.checkWait() }
    }
}
