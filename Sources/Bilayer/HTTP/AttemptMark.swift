/// The identity of one attempt, or of one run of a pipeline. Errors retain it, so no later mark has its address.
final class AttemptMark: Sendable {}

/// A response or error that stores the mark of its attempt. Copies have the mark, too; equality ignores it.
protocol AttemptMarked {
    var attempt: AttemptMark? { get set }
}

extension HTTPResponse: AttemptMarked {}
extension TransportError: AttemptMarked {}

/// The response or error of the nodes inside a middleware.
enum AttemptOutcome {
    case response(HTTPResponse)
    case failure(any Error)

    /// The error; `nil` for a response.
    var failure: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// The mark of the outcome's attempt; `nil` for an outcome without a mark.
    var mark: AttemptMark? {
        switch self {
        case .response(let response): response.attempt
        case .failure(let error): (error as? any AttemptMarked)?.attempt
        }
    }
}
