import Bilayer

/// A reply that is sent during the upload of a body.
struct UploadFault: Sendable {
    /// The requests that the fault is for: a method, and a path without a query.
    struct Place: Hashable, Sendable {
        let method: HTTPMethod
        let path: String

        init(_ method: HTTPMethod, _ target: String) {
            self.method = method
            path = pathPart(of: target)
        }
    }

    /// The bytes of the body that are read before the reply.
    let after: Int
    let reply: Reply
    /// For how many further requests; `nil` for all.
    var remaining: Int?
}
