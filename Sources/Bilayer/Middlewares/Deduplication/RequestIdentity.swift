import Foundation

/// What two calls have in common if one response is right for both.
// Sendable: options are Sendable values, and `AnyHashable` only hides their types.
struct RequestIdentity: Hashable, @unchecked Sendable {
    private let options: [ObjectIdentifier: AnyHashable]
    private let baseURL: URL?
    private let request: HTTPRequest

    init(_ request: HTTPRequest, ignoring ignored: Set<HTTPHeaders.Name>, in context: CallContext) {
        var request = request
        for name in ignored { request.headers.remove(name) }
        self.request = request
        self.options = context.options.identity
        baseURL = context.baseURL
    }
}
