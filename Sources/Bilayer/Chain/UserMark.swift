/// The user of a middleware at a time: a number that changes with the user.
struct UserMark: Sendable, Hashable {
    /// The object that has the user's token.
    let owner: ObjectIdentifier
    let number: Int
}

/// A middleware that sends requests for a user who can change.
protocol SendsForUser {
    /// The user now.
    var userMark: UserMark { get }
}
