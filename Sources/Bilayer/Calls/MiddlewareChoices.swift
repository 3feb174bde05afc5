import Foundation

/// What middlewares have chosen for the requests of a run.
struct MiddlewareChoices {
    /// The fields that were set for users, with their last values.
    var userFields: [HTTPHeaders.Name: UserField] = [:]
    /// The base addresses that requests were sent to, each once, the last one at the end.
    var bases: [URL] = []
}

/// A field that a middleware has set for a user. Its value may be another one in the next request for that user.
struct UserField {
    let value: String
    let user: UserMark
}
