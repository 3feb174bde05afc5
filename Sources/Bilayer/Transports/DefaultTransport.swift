/// The transport of a client that is made without a transport: on Linux ``CurlTransport``, on Apple platforms
/// ``URLSessionTransport``.
///
/// On Linux all these clients share one transport with its threads and connections. If there is no usable libcurl, for
/// example with a statically linked FoundationNetworking, the shared transport is a ``URLSessionTransport``.
public struct DefaultTransport: Transport {
    private let base: AnyNode<HTTPRequest, HTTPResponse>

    /// Makes the transport.
    public init() {
        #if os(Linux)
        base = Self.shared
        #else
        base = AnyNode(URLSessionTransport())
        #endif
    }

    #if os(Linux)
    private static let shared = (try? CurlTransport()).map { AnyNode($0) } ?? AnyNode(URLSessionTransport())
    #endif

    /// Always `true`.
    public var streamsResponses: Bool { true }

    /// Sends the request, follows redirects and collects the response. With ``HTTPRequest/streamsResponse``, the body
    /// of a 2xx response remains a stream.
    /// - Throws: ``TransportError`` if there is no complete response, if there are too many redirects, or if a redirect
    ///   needs a body that can be sent only once. `CancellationError` if the task was cancelled before the response was
    ///   complete. ``CacheMissError`` under ``CachePolicy/cacheOnly``.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        try await base.process(request, in: context)
    }
}

extension DefaultTransport: Redacted {
    /// The name of the transport that is used.
    public var description: String { base.description }
}
