import Foundation

extension HTTPRequest {
    /// Whether a middleware may add credentials: the request has none, and goes to the origin of its client's base
    /// address. A chain without a client has no such address.
    func mayHaveCredentials(in context: CallContext) -> Bool {
        headers[.authorization] == nil && context.baseURL.map { url.hasSameOrigin(as: $0) } ?? true
    }
}
