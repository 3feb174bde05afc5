import Bilayer
import Foundation

/// The certificate of a ``FaultServer`` with TLS: signed by itself, made when the server starts.
///
/// ```swift
/// let server = try await FaultServer.start(certificate: ServerCertificate())
/// var settings = CurlSettings()
/// settings.tls.authorityFile = server.authorityFile                    // no other client trusts it
/// let client = Client(baseURL: server.url, transport: try CurlTransport(settings))
/// ```
/// Change a property for a certificate that clients must refuse. The machine's OpenSSL 3 makes it, and serves the
/// connections: TLS is on Linux only.
public struct ServerCertificate: Sendable, Hashable {
    /// The names and IPv4 addresses that it is for. The server's address has the host `127.0.0.1`.
    public var hosts = ["127.0.0.1", "localhost"]
    /// The time from the start of the server to the first moment that it is valid; negative for one before.
    public var begin = Duration.seconds(-3_600)
    /// The time from the start of the server to the last moment that it is valid; negative for one that has expired.
    public var end = Duration.seconds(86_400)

    /// Makes a valid certificate for `127.0.0.1` and `localhost`.
    public init() {}

    /// A certificate that has expired an hour before.
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

/// A certificate in a file, which goes with its last reference.
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
/// No server has it here.
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
