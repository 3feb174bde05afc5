import Foundation

extension HTTPRequest {
    /// Whether a middleware may add credentials: the request has none, goes to the origin of its client's base address,
    /// and its call has not the option to be sent without. A chain without a client has no such address.
    func mayHaveCredentials(in context: CallContext) -> Bool {
        context.options[CredentialPolicy.self] != .omitted && headers[.authorization] == nil
            && context.baseURL.map { url.hasSameOrigin(as: $0) } ?? true
    }
}
