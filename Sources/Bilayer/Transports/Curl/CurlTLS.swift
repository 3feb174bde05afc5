#if os(Linux)
/// The certificates of a ``CurlTransport``. TLS 1.2 is the oldest version that the transport uses. It always checks the
/// certificate and the name of a server.
///
/// ```swift
/// var settings = CurlSettings()
/// settings.tls.authorityFile = "/etc/app/own-authority.pem"
/// settings.tls.clientCertificateFile = "/etc/app/client.pem"
/// settings.tls.clientKeyFile = "/etc/app/client.key"
/// ```
///
/// Files are regular files in PEM format, and are read when a connection is made. libcurl 7.87 and newer may read the
/// file of the authorities only once a day.
public struct CurlTLS: Sendable, Hashable {
    /// The file of the authorities to trust, instead of the system's.
    public var authorityFile: String?
    /// The file of the certificate that is shown to servers that request one.
    public var clientCertificateFile: String?
    /// The file of the certificate's private key.
    public var clientKeyFile: String?
    /// The passphrase of the private key. Without it, an encrypted key is refused, and there is no prompt.
    public var clientKeyPassphrase: String?
    /// The only public keys that a server may have, each as `sha256//` and the hash in Base64 (RFC 7469 §2.4). An empty
    /// list allows any key. The certificate is checked in addition.
    public var pinnedPublicKeys: [String] = []

    /// Makes settings that trust the system's authorities.
    public init() {}
}

extension CurlTLS: Redacted {
    /// The name of the type alone, because a passphrase is a secret.
    public var description: String { typeName(Self.self) }
}
#endif
