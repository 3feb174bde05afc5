/// A response that may refuse a token: the input of the closure of ``Authentication/init(_:when:)``.
///
/// ```swift
/// let tokens = BearerTokens { token }
/// let transport = URLSessionTransport().wrapped(by: Authentication(tokens) { refusal in
///     if refusal.status == 401 { return true }
///     return await refusal.failure(as: ProblemEntry.self)?.title == "token_expired"
/// })
/// ```
public struct Refusal: Sendable {
    let response: HTTPResponse
    private let context: CallContext

    init(_ response: HTTPResponse, in context: CallContext) {
        self.response = response
        self.context = context
    }

    /// The status.
    public var status: HTTPStatus { response.status }

    /// The header fields.
    public var headers: HTTPHeaders { response.headers }

    /// Decodes the server's description of the failure. Check the status first: every call of this method decodes the
    /// body.
    /// - Parameter type: The entry type of the body that the server sends for failures.
    /// - Returns: The value; `nil` if the body is not of that type.
    public func failure<Entry: RawDecodable & Sendable>(as type: Entry.Type) async -> Entry? where Entry.Raw: RawBody {
        // A separate context is used, because a body of another type is not a mapping issue of the call.
        try? await ParseBody<Entry.Raw>().then(MapRaw<Entry>())
            .process(response, in: CallContext(endpoint: context.endpoint))
    }
}

extension Refusal: Redacted {
    /// Status, size and type of the response.
    public var description: String { response.description }
}
