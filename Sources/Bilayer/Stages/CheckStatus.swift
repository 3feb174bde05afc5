/// Lets responses with a 2xx status pass; any other status is an error that keeps the response.
///
/// Part of the raw mapping stage of every route. When the route declared what a failure looks like, the body is read as that
/// type and the error carries the value.
public struct CheckStatus: Node {
    private let failure: AnyNode<HTTPResponse, any Sendable>?

    /// Makes the check for a server whose failures have no type.
    public init() {
        failure = nil
    }

    /// Makes the check for a server that describes its failures.
    /// - Parameter failure: Reads the description out of the body of a response that is not 2xx.
    public init(failure: some Node<HTTPResponse, any Sendable>) {
        self.failure = AnyNode(failure)
    }

    /// Checks the status.
    /// - Returns: The response as it is.
    /// - Throws: ``StatusError``.
    public func process(_ response: HTTPResponse, in context: CallContext) async throws -> HTTPResponse {
        if response.status.isSuccess { return response }
        throw await StatusError(response.status, describedBy: failure, of: response, in: context)
    }
}

/// A status other than 2xx.
///
/// Inside a ``CallError`` it is the ``CallError/underlying`` error; the response with its body stands beside it.
public struct StatusError: Error, Sendable, Redacted {
    /// The status.
    public let status: HTTPStatus
    /// The server's description of the failure, when the route declared a type and the body was of that type.
    public let failure: (any Sendable)?
    /// Why the body could not be read as the declared type.
    public let unreadable: (any Error)?

    init(
        _ status: HTTPStatus,
        describedBy node: AnyNode<HTTPResponse, any Sendable>?,
        of response: HTTPResponse,
        in context: CallContext
    ) async {
        self.status = status
        do {
            failure = try await node?.process(response, in: context)
            unreadable = nil
        } catch {
            failure = nil
            unreadable = error
        }
    }

    /// The status, and what is known about the reason; no payload values.
    public var description: String {
        if let failure { return "status \(status), the server sent a \(typeName(type(of: failure)))" }
        if let unreadable { return "status \(status), its body could not be read: \(describeForeign(unreadable))" }
        return "status \(status)"
    }
}
