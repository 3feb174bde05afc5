#if os(Linux)
/// The settings of a ``CurlTransport``: connections, certificates, proxy, HTTP/2.
///
/// ```swift
/// var settings = CurlSettings()
/// settings.connectionsPerHost = 16
/// settings.tls.pinnedPublicKeys = ["sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="]
/// settings.proxy = .none
/// let transport = try CurlTransport(settings)
/// ```
public struct CurlSettings: Sendable, Hashable {
    /// The largest number of connections to one origin: scheme, host and port. Further exchanges wait, in the order of
    /// arrival, and their ``timeout`` begins after this wait. An HTTP/2 connection carries up to 100 exchanges.
    /// WebSockets count neither here nor in ``connections``.
    public var connectionsPerHost = 64
    /// The largest number of connections of the transport, in use or kept for later exchanges.
    public var connections = 512
    /// The longest idle time of a connection that is used again.
    public var connectionIdleAge = Duration.seconds(118)
    /// The longest wait for the next byte, for requests without an ``HTTPRequest/timeout``.
    public var timeout = Duration.seconds(60)
    /// Whether a server may choose HTTP/2 in the TLS handshake (ALPN, RFC 7301). With a libcurl older than 8.14 the
    /// transport always uses HTTP/1.1, because HTTP/2 in these versions loses bytes of bodies under load.
    public var allowsHTTP2 = true
    /// The value of `User-Agent`, for requests without that field. `nil` names this library and the version of libcurl.
    public var userAgent: String?
    /// The certificates.
    public var tls = CurlTLS()
    /// The proxy.
    public var proxy = CurlProxy.environment

    /// Makes the default settings.
    public init() {}
}

extension CurlSettings: Redacted {
    /// The name of the type alone, because a proxy's address and a key's passphrase are secrets.
    public var description: String { typeName(Self.self) }
}
#endif
