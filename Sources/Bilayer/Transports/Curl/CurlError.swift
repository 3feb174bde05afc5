#if os(Linux)
/// The result that libcurl gave for a failed transfer or a lost WebSocket. The ``TransportError`` that a
/// ``CurlTransport`` then throws has this result as its ``TransportError/underlyingError``. Other errors of the
/// transport, such as a reached limit, do not have such a result.
///
/// If possible, compare ``TransportError/kind`` instead. The kind does not depend on the transport.
public struct CurlError: Error, Sendable, Hashable {
    /// libcurl's number of the error, a `CURLcode`. For example, 7 means that no connection could be made. 0 means that
    /// libcurl reported no error, but the connection was closed inside the head.
    public let code: Int
    /// libcurl's fixed text for the number. It contains nothing of the request or the response.
    let text: String
}

extension CurlError: Redacted {
    /// The number and libcurl's text for it: `curl 7: Couldn't connect to server`.
    public var description: String { "curl \(code): \(text)" }
}
#endif
