#if os(Linux)
/// The error that libcurl gave for a transfer. The ``TransportError`` of a ``CurlTransport`` has it as its
/// ``TransportError/underlyingError``.
///
/// If possible, compare ``TransportError/kind`` instead. The kind does not depend on the transport.
public struct CurlError: Error, Sendable, Hashable {
    /// libcurl's number of the error, a `CURLcode`. For example, 7 is a refused connection.
    public let code: Int
    /// libcurl's fixed text for the number. It contains nothing of the request or the response.
    let text: String
}

extension CurlError: Redacted {
    /// The number and libcurl's text for it: `curl 7: Couldn't connect to server`.
    public var description: String { "curl \(code): \(text)" }
}
#endif
