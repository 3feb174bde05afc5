/// The identity of one attempt, one run of a pipeline, one setting of an option, or one call that starts a shared
/// request. Identities are compared by their addresses. The values that have an identity retain it, so no later
/// identity can have the same address.
final class AttemptIdentity: Sendable {}

/// A response or an error that stores the identity of its attempt. Copies have the same identity. Equality ignores it.
protocol AttemptIdentified {
    var attempt: AttemptIdentity? { get set }
}

extension HTTPResponse: AttemptIdentified {}
extension TransportError: AttemptIdentified {}

/// The outcome that a middleware receives from the next node: a response or an error.
enum AttemptOutcome {
    case response(HTTPResponse)
    case failure(any Error)

    /// The error; `nil` for a response.
    var failure: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// The identity of the outcome's attempt; `nil` if the outcome has none.
    var identity: AttemptIdentity? {
        switch self {
        case .response(let response): response.attempt
        case .failure(let error): (error as? any AttemptIdentified)?.attempt
        }
    }
}
