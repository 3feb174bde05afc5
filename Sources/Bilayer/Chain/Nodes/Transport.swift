/// A node that sends a request to a server and returns the response.
///
/// Every API that takes a transport accepts any `Node<HTTPRequest, HTTPResponse>`: a closure (``AnyNode``), a transport
/// with middlewares around it, a stub. Conform to this protocol to state that a type is a transport:
///
/// ```swift
/// struct Loopback: Transport {
///     func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
///         try request.validate()
///         context.recordSent(request)
///         return HTTPResponse(status: 200, body: try await request.body?.collected() ?? Data())
///     }
/// }
/// ```
///
/// ``CallContext/recordSent(_:)`` tells errors, reports and observers which request was sent.
///
/// A transport returns a complete response whatever its status. It throws a ``TransportError`` if there is no complete
/// response, and `CancellationError` if its task was cancelled before the response was complete.
public protocol Transport: Node where Input == HTTPRequest, Output == HTTPResponse {
    /// Whether the transport returns the head of a response at once, with the body as a stream, if a request sets
    /// ``HTTPRequest/streamsResponse``.
    ///
    /// The default is `false`. Then ``Client/streamsResponses`` is `false`, too, so an app can find this out before it
    /// sends a request. Through such a transport, a stream delivers its elements only after the whole response has
    /// arrived.
    var streamsResponses: Bool { get }
}

extension Transport {
    /// The default: `false`.
    public var streamsResponses: Bool { false }
}
