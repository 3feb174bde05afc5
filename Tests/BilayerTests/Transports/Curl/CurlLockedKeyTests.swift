#if os(Linux)
import Bilayer
import Foundation
import Glibc
import Testing

@Suite(
    "CurlTransport: a client's key with a passphrase",
    .timeLimit(.minutes(5)),
    .enabled(if: OpenSSL.isInstalled, "there is no openssl")
)
struct CurlLockedKeyTests {
    @Test func isReadWithItsPassphraseOnly() async throws {
        let peer = try await LockedPeer()
        #expect(await peer.failure(with: "open sesame") == nil)
        for wrong in ["open", "", nil] { #expect(await peer.failure(with: wrong) == .secureConnectionFailed) }
    }

    /// OpenSSL would ask for the passphrase at the terminal of the process, and wait for it. So the test runs in a
    /// process of its own, with a terminal that nobody uses.
    @Test func isAskedForAtNoTerminal() async {
        await #expect(processExitsWith: .success) {
            try openTerminal()
            let peer = try await LockedPeer()
            #expect(await peer.failure(with: nil) == .secureConnectionFailed)
            #expect(await peer.failure(with: "open sesame") == nil)
        }
    }
}

/// A server that wants a certificate, and the files of a client whose key is locked.
private struct LockedPeer {
    private let server: OpenSSLServer
    private var settings = CurlSettings()

    init() async throws {
        server = try await OpenSSLServer.start(asksForCertificate: true)
        let key = server.key.deletingLastPathComponent().appending(path: "locked.pem")
        let lock = ["-aes256", "-passout", "pass:open sesame", "-out", key.path]
        _ = try OpenSSL.run(["pkey", "-in", server.key.path] + lock)
        settings.tls.authorityFile = server.certificate.path
        settings.tls.clientCertificateFile = server.certificate.path
        settings.tls.clientKeyFile = key.path
    }

    /// The kind of the error of a request; `nil` if it is answered.
    func failure(with passphrase: String?) async -> TransportError.Kind? {
        var settings = settings
        settings.tls.clientKeyPassphrase = passphrase
        do {
            let request = HTTPRequest(url: server.url, timeout: .seconds(60))
            _ = try await CurlTransport(settings).process(request, in: CallContext())
            return nil
        } catch {
            return (error as? TransportError)?.kind ?? .other
        }
    }
}

private struct NoTerminal: Error {}

/// Opens a new terminal as the terminal of this process.
private func openTerminal() throws {
    guard setsid() > 0 else { throw NoTerminal() }
    let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (isLocked, number): (Int32, Int32) = (0, -1)
    // Bound: TIOCSPTLCK reads, and TIOCGPTN writes, one number of 32 bits.
    guard master >= 0, unsafe ioctl(master, 0x4004_5431, &isLocked) == 0,
        unsafe ioctl(master, 0x8004_5430, &number) == 0,
        unsafe open("/dev/pts/\(number)", O_RDWR) >= 0, unsafe open("/dev/tty", O_RDWR) >= 0
    else { throw NoTerminal() }
}
#endif
