import Foundation

/// The facts that middlewares have recorded about the requests of a run. The object is made on first use, because few
/// calls need it.
final class RunState {
    /// The fields that were set for users, with their last values.
    var userFields: [HTTPHeaders.Name: UserField] = [:]
    /// The addresses that middlewares have changed for users. The key is the address after the change; the value has
    /// the address before it.
    var userAddresses: [URL: UserAddress] = [:]
    /// The last request that asks for a stream, as it was sent before redirects, without its body.
    var streamRequest: HTTPRequest?
    /// Whether a transport has sent that request. Further requests of the transport follow redirects.
    var isStreamRequestSent = false
    /// The base addresses that a ``Failover`` has chosen for requests, each once, the last choice at the end.
    var bases: [URL] = []
}

/// An address before a middleware has changed it for a user, for example by adding a signature to the query.
struct UserAddress {
    let before: URL
    let user: UserMark
}

/// A field that a middleware has set for a user. The value may differ in the next request for that user.
struct UserField {
    let value: String
    let user: UserMark
}
