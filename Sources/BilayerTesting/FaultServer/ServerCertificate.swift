import Bilayer
import Foundation

/// The self-signed certificate of a ``FaultServer`` with TLS. It is made when the server starts.
///
/// ```swift
/// let server = try await FaultServer.start(certificate: ServerCertificate())
/// var settings = CurlSettings()
/// settings.tls.authorityFile = server.authorityFile                    // no other client trusts it
/// let client = Client(baseURL: server.url, transport: try CurlTransport(settings))
/// ```
/// To make a certificate that clients must refuse, change a property. The installed OpenSSL 3 makes the certificate and
/// serves the connections, so TLS is available on Linux only.
public struct ServerCertificate: Sendable, Hashable {
    /// The host names and IPv4 addresses that the certificate is valid for. The server's address has the host
    /// `127.0.0.1`.
    public var hosts = ["127.0.0.1", "localhost"]
    /// The beginning of the validity, relative to the start of the server. A negative duration is before the start.
    public var begin = Duration.seconds(-3_600)
    /// The end of the validity, relative to the start of the server. A negative duration makes an expired certificate.
    public var end = Duration.seconds(86_400)

    /// Makes a valid certificate for `127.0.0.1` and `localhost`.
    public init() {}

    /// A certificate that expired one hour before the start of the server.
    public static var expired: Self {
        var certificate = Self()
        (certificate.begin, certificate.end) = (.seconds(-7_200), .seconds(-3_600))
        return certificate
    }

    /// A certificate for another host.
    public static var ofAnotherHost: Self {
        var certificate = Self()
        certificate.hosts = ["elsewhere.example"]
        return certificate
    }
}

extension ServerCertificate: Redacted {}

/// A certificate in a temporary file, which is deleted when the object is deallocated.
final class AuthorityFile: Sendable {
    let path: String

    init(_ pem: Data) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "fault-server-\(UUID().uuidString).pem")
        try pem.write(to: file)
        path = file.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

#if !os(Linux)
/// A placeholder: servers with TLS are not available on this platform.
struct TLSIdentity: Sendable {
    let pem = Data()

    init(for hosts: [String], from begin: Int, to end: Int) throws {
        throw FaultServerError("a server with TLS needs OpenSSL 3, which is used on Linux only")
    }
}

extension ClientSocket {
    func secured(by identity: TLSIdentity) throws -> ClientSocket { throw ConnectionOver() }
}
#endif
