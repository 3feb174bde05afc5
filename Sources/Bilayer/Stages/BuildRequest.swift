public import Foundation

/// Puts the request together: method, address, headers and body. The last step of the request encoding.
public struct BuildRequest: Node {
    private let baseURL: URL
    private let endpoint: Endpoint
    private let headers: HTTPHeaders
    private let timeout: Duration?

    /// Makes the stage.
    /// - Parameters:
    ///   - endpoint: What is asked for.
    ///   - baseURL: The address that the route's path continues.
    ///   - headers: The headers of the request; a `Content-Type` here wins over the body's own.
    ///   - timeout: How long to wait for the next byte.
    public init(_ endpoint: Endpoint, baseURL: URL, headers: HTTPHeaders = [:], timeout: Duration? = nil) {
        self.endpoint = endpoint
        self.baseURL = baseURL
        self.headers = headers
        self.timeout = timeout
    }

    /// Puts the request together.
    /// - Returns: The request.
    /// - Throws: ``RouteError`` when the path, its arguments or the base address do not make a URL.
    public func process(_ body: RequestBody?, in context: CallContext) async throws -> HTTPRequest {
        let url = try endpoint.url(relativeTo: baseURL)
        var request = HTTPRequest(method: endpoint.method, url: url, headers: headers, body: body?.data)
        request.timeout = timeout
        request.endpoint = endpoint
        if let body, headers[.contentType] == nil { request.headers[.contentType] = body.mediaType }
        return request
    }
}
