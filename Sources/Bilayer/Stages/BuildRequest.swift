public import Foundation

/// Makes the request of method, address, headers and body. The last step of the request encoding.
public struct BuildRequest: Node {
    private let baseURL: URL
    private let endpoint: Endpoint
    private let headers: HTTPHeaders
    private let timeout: Duration?

    /// Makes the node.
    /// - Parameters:
    ///   - endpoint: Method, path, arguments and query.
    ///   - baseURL: The address that the route's path continues.
    ///   - headers: The headers of the request; a `Content-Type` here replaces that of the body.
    ///   - timeout: How long to wait for the next byte.
    public init(_ endpoint: Endpoint, baseURL: URL, headers: HTTPHeaders = [:], timeout: Duration? = nil) {
        self.endpoint = endpoint
        self.baseURL = baseURL
        self.headers = headers
        self.timeout = timeout
    }

    /// Makes the request.
    /// - Returns: The request.
    /// - Throws: ``RouteError`` if the path, its arguments and the base address are not a valid URL.
    public func process(_ body: RequestBody?, in context: CallContext) async throws -> HTTPRequest {
        let url = try endpoint.url(relativeTo: baseURL)
        var request = HTTPRequest(method: endpoint.method, url: url, headers: headers, body: body?.content)
        request.timeout = timeout
        request.endpoint = endpoint
        if let body, headers[.contentType] == nil { request.headers[.contentType] = body.mediaType }
        return request
    }
}

extension BuildRequest: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
