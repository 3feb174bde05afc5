/// Passes responses with a 2xx status on; any other status is a ``StatusError``.
///
/// Part of the raw mapping stage of every route. If the route declares a type for failures, the body is decoded as that
/// type, and the error has the value.
public struct CheckStatus: Node {
    private let failure: AnyNode<HTTPResponse, any Sendable>?
    private let isAnswer: @Sendable (HTTPResponse) -> Bool

    /// Makes the check for a server whose failures have no type.
    public init() { self.init(failure: nil) { _ in false } }

    /// Makes the check for a server that describes its failures.
    /// - Parameter failure: Decodes the body of a response that is not 2xx.
    public init(failure: some Node<HTTPResponse, any Sendable>) {
        self.init(failure: AnyNode(failure)) { _ in false }
    }

    /// - Parameters:
    ///   - failure: Decodes the body of a response that is not 2xx.
    ///   - isAnswer: Whether a response is one in spite of its status, by its media type for example.
    init(
        failure: AnyNode<HTTPResponse, any Sendable>?,
        isAnswer: @escaping @Sendable (HTTPResponse) -> Bool
    ) {
        self.failure = failure
        self.isAnswer = isAnswer
    }

    /// Checks the status.
    /// - Returns: The response, unchanged.
    /// - Throws: ``StatusError``.
    public func process(_ response: HTTPResponse, in context: CallContext) async throws -> HTTPResponse {
        if response.status.isSuccess || isAnswer(response) { return response }
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
