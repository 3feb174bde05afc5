/// A status other than 2xx.
///
/// Inside a ``CallError`` it is the ``CallError/underlyingError``; ``CallError/response`` has the response with
/// its body.
public struct StatusError: Error, Sendable, Redacted, FaultNaming {
    /// The status.
    public let status: HTTPStatus
    /// The server's description of the failure, when the route declared a type and the body was of that type.
    public let failure: (any Sendable)?
    /// Why the body could not be read as the declared type.
    public let unreadable: (any Error)?

    init(_ status: HTTPStatus, failure: (any Sendable)? = nil, unreadable: (any Error)? = nil) {
        self.status = status
        self.failure = failure
        self.unreadable = unreadable
    }

    var fault: String { "status \(status.code)" }

    /// The status, and the reason if it is known; no payload values.
    public var description: String {
        if let failure { return "status \(status), with a body of the type \(typeName(type(of: failure)))" }
        if let unreadable { return "status \(status), its body could not be read: \(describeForeign(unreadable))" }
        return "status \(status)"
    }
}
