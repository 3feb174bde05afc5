/// The error of a response with a status other than 2xx, or of an envelope that reports a failure (``Unwrap``).
///
/// Inside a ``CallError`` it is the ``CallError/underlyingError``; ``CallError/response`` has the response with
/// its body.
public struct StatusError: Error, Sendable, Redacted, FaultNaming {
    /// The status.
    public let status: HTTPStatus
    /// The server's description of the failure, if the route or the client declared a type, and the body was of that
    /// type. For an envelope it is a ``ServiceFailure``.
    public let failure: (any Sendable)?
    /// The error of reading the body as the declared type, if that failed.
    public let unreadable: (any Error)?

    /// Makes the error, for a chain that is run by hand, and for tests of the code that handles errors.
    /// - Parameters:
    ///   - status: The status.
    ///   - failure: The server's description of the failure.
    ///   - unreadable: The error of reading that description.
    public init(_ status: HTTPStatus, failure: (any Sendable)? = nil, unreadable: (any Error)? = nil) {
        self.status = status
        self.failure = failure
        self.unreadable = unreadable
    }

    var fault: String { "status \(status.code)" }

    /// The status, and the type of the ``failure``, or why the body could not be read; no payload values.
    public var description: String {
        if let failure { return "status \(status), with a body of the type \(typeName(type(of: failure)))" }
        if let unreadable { return "status \(status), its body could not be read: \(describeForeign(unreadable))" }
        return "status \(status)"
    }
}
