import Foundation

/// What middlewares note about the requests of a run. Few calls need one.
final class RunNotes {
    /// The fields that were set for users, with their last values.
    var userFields: [HTTPHeaders.Name: UserField] = [:]
    /// The header fields of the last request that asks for a stream, as the middlewares have sent it: before redirects.
    var streamHeaders: HTTPHeaders?
    /// The base addresses that requests were sent to, each once, the last one at the end.
    var bases: [URL] = []
}

/// A field that a middleware has set for a user. Its value may be another one in the next request for that user.
struct UserField {
    let value: String
    let user: UserMark
}
