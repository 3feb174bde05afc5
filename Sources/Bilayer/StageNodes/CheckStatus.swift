/// Passes on a response with a 2xx status, and throws a ``StatusError`` for any other status.
///
/// The node is part of the raw mapping stage of every route. Other responses pass in two cases: for a GraphQL route
/// those with a body of the media type `application/graphql-response+json`, and for a WebSocket a response of status
/// 101. If the route or the client declares a type for failures, the body of a failed response is decoded as that type.
/// The error then contains the value, or the reason why the body could not be read.
public struct CheckStatus: Node {
    /// Decodes the body of a response that is not 2xx.
    var failure: AnyNode<HTTPResponse, any Sendable>?
    /// Whether a response passes in spite of its status, by its media type for example.
    var isAccepted: @Sendable (HTTPResponse) -> Bool = { _ in false }

    /// Makes a check that does not decode the body of a failure.
    public init() {}

    /// Makes a check that decodes the server's description of a failure.
    /// - Parameter failure: Decodes the body of a response that is not 2xx.
    public init(failure: some Node<HTTPResponse, any Sendable>) { self.failure = AnyNode(failure) }

    /// Checks the status.
    /// - Returns: The response, unchanged.
    /// - Throws: ``StatusError``.
    public func process(_ response: HTTPResponse, in context: CallContext) async throws -> HTTPResponse {
        if response.status.isSuccess || isAccepted(response) { return response }
        throw await StatusError(response.status, describedBy: failure, of: response, in: context)
    }
}

extension StatusError {
    /// Makes the error of a failed response. The node, if there is one, decodes the server's description of the
    /// failure.
    init(
        _ status: HTTPStatus,
        describedBy node: AnyNode<HTTPResponse, any Sendable>?,
        of response: HTTPResponse,
        in context: CallContext
    ) async {
        do {
            self.init(status, failure: try await node?.process(response, in: context))
        } catch {
            self.init(status, unreadable: error)
        }
    }
}

extension CheckStatus: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
