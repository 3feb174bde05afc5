#if os(Linux)
/// The error that libcurl gave for a transfer: the ``TransportError/underlyingError`` of a ``CurlTransport``.
///
/// Compare ``TransportError/kind`` instead where you can: it is the same for every transport.
public struct CurlError: Error, Sendable, Hashable {
    /// The number of libcurl, a `CURLcode`: 7 for a refused connection.
    public let code: Int
    /// libcurl's fixed text for the number; it has no parts of the call.
    let text: String
}

extension CurlError: Redacted {
    /// The number and libcurl's text for it: `curl 7: Couldn't connect to server`.
    public var description: String { "curl \(code): \(text)" }
}
#endif
