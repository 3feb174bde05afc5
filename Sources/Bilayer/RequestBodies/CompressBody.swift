/// Compresses the bodies of requests with a function of the app, and names the coding in `Content-Encoding`.
///
/// ```swift
/// @Sendable func gzip(_ body: HTTPBody) async throws -> HTTPBody { body }     // the app's own, with zlib for example
///
/// var client = Client(baseURL: URL(fileURLWithPath: "/"))
/// client.request.append(CompressBody("gzip", compress: gzip))
/// let route = Route<Json>.post("log", body: .text("…")).adding(request: CompressBody("gzip", compress: gzip))
/// ```
/// Use the node only for servers that accept the coding: a request cannot negotiate it (RFC 9110 §8.4, §15.5.16). If
/// another node signs the body, add it after this node, so that it signs the compressed bytes. ``PersistedQueries``,
/// ``OperationBatching`` and ``SubscriptionsOverWebSocket`` must read the operation in the body. They do not change a
/// request whose body is compressed. So together with one of them, put this node directly before the transport:
///
/// ```swift
/// let compressing = CompressBody("gzip", compress: gzip).then(URLSessionTransport())
/// client.transport = AnyNode(compressing.wrapped(by: PersistedQueries()))
/// ```
/// A body that is known to be shorter than 1024 bytes is sent uncompressed, unless `minimumBytes` has another number. A
/// body is also sent unchanged if the request already has a `Content-Encoding`.
public struct CompressBody: Node {
    private let coding: String
    private let minimumBytes: Int
    private let compress: @Sendable (HTTPBody) async throws -> HTTPBody

    /// Makes the node.
    /// - Parameters:
    ///   - coding: The name of the coding: `gzip`, `zstd` (RFC 9110 §8.4.1).
    ///   - minimumBytes: Bodies that are known to be shorter are not compressed.
    ///   - compress: Returns the compressed body. For a stream, return a stream without a length, because the length of
    ///     the compressed bytes is not known.
    public init(
        _ coding: String,
        minimumBytes: Int = 1024,
        compress: @escaping @Sendable (HTTPBody) async throws -> HTTPBody
    ) {
        self.coding = coding
        self.minimumBytes = minimumBytes
        self.compress = compress
    }

    /// Compresses the body, unless it is missing, empty or too short, or the request has a `Content-Encoding`.
    /// - Returns: The request with the compressed body, without the `Content-Length` of the old body. If the body is
    ///   not compressed, the unchanged request.
    /// - Throws: The error of the app's function.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest {
        guard let body = request.body, (body.length ?? .max) >= minimumBytes, !body.isEmpty,
            request.headers[.contentEncoding] == nil
        else { return request }
        var request = request
        request.body = try await compress(body)
        request.headers[.contentEncoding] = coding
        request.headers.remove(.contentLength)
        return request
    }
}

extension CompressBody: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
