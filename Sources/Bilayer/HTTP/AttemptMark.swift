/// The identity of one attempt, or of one run of a pipeline. Errors hold it, so no later one gets its address.
final class AttemptMark: Sendable {}

/// An outcome that keeps the mark of its attempt. Copies and changed copies have the mark, too; equality ignores it.
protocol AttemptMarked {
    var attempt: AttemptMark? { get set }
}

extension HTTPResponse: AttemptMarked {}
extension TransportError: AttemptMarked {}

/// What came out of the nodes inside of a middleware.
enum AttemptOutcome {
    case response(HTTPResponse)
    case failure(any Error)

    /// The error; `nil` for a response.
    var failure: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// The mark of the attempt that the outcome came from; `nil` for one that was made elsewhere or cannot keep a mark.
    var mark: AttemptMark? {
        switch self {
        case .response(let response): response.attempt
        case .failure(let error): (error as? any AttemptMarked)?.attempt
        }
    }
}
