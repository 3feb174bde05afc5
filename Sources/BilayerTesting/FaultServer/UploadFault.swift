import Bilayer

/// A reply that is sent during the upload of a body.
struct UploadFault: Sendable {
    /// The requests to which the fault applies: a method, and a path without a query.
    struct Place: Hashable, Sendable {
        let method: HTTPMethod
        let path: String

        init(_ method: HTTPMethod, _ target: String) {
            self.method = method
            path = pathPart(of: target)
        }
    }

    /// The number of body bytes that are read before the reply.
    let after: Int
    let reply: Reply
    /// The number of further requests to which the fault applies; `nil` for all.
    var remaining: Int?
}
