/// The node that brings a request to a server and its answer back.
///
/// Everywhere a transport is taken any `Node<HTTPRequest, HTTPResponse>` will do: a closure (``AnyNode``), a
/// transport with middlewares around it, a stub. Conform to this protocol to say that a type is one:
///
/// ```swift
/// struct Loopback: Transport {
///     func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
///         try request.validate()
///         return HTTPResponse(status: 200, body: request.body ?? Data())
///     }
/// }
/// ```
///
/// A transport gives every complete answer as a response, whatever its status. It throws a ``TransportError`` when
/// there is no complete answer, and `CancellationError` when its task was cancelled before there was one.
public protocol Transport: Node where Input == HTTPRequest, Output == HTTPResponse {}
