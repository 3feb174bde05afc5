import Foundation

/// The identity of a request. Calls with equal identities can share one request: one response (``Deduplication``) or
/// one batch (``OperationBatching``).
// Sendable: options are Sendable values, and `AnyHashable` only hides their types.
struct RequestIdentity: Hashable, @unchecked Sendable {
    private let options: [ObjectIdentifier: AnyHashable]
    private let baseURL: URL?
    private let request: HTTPRequest
    private let users: Set<UserMark>
    /// The number of the last change at the host.
    private let changes: Int

    /// Makes the identity. If `options` is `nil`, the identity has the options of the call.
    init(
        _ request: HTTPRequest,
        ignoring ignored: Set<HTTPHeaders.Name> = [],
        of users: Set<UserMark>,
        after changes: Int = 0,
        options: CallOptions? = nil,
        in context: CallContext
    ) {
        self.users = users
        self.changes = changes
        var request = request
        for name in ignored { request.headers.remove(name) }
        self.request = request
        self.options = (options ?? context.options).identity
        baseURL = context.baseURL
    }
}
