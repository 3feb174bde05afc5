#if os(Linux)
import Bilayer
import Foundation
import Testing

/// Calls to the test server of the machine's `openssl`, with certificates that the test makes.
@Suite("CurlTransport: TLS", .timeLimit(.minutes(5)), .enabled(if: OpenSSL.isInstalled, "there is no openssl"))
struct CurlTLSTests {
    @Test func aCertificateOfAnOwnAuthorityIsTrusted() async throws {
        let server = try await OpenSSLServer.start()
        let context = CallContext()
        var settings = CurlSettings()
        settings.tls.authorityFile = server.certificate.path
        let response = try await CurlTransport(settings).process(HTTPRequest(url: server.url), in: context)
        #expect(response.status == 200)
        let metrics = try #require(context.transferMetrics.first)
        #expect(try #require(metrics.secureConnect) > (try #require(metrics.connect)))
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        let server = try await OpenSSLServer.start()
        #expect(await kind(of: server.url, with: CurlSettings()) == .secureConnectionFailed)
    }

    @Test func anotherNameIsRefused() async throws {
        let server = try await OpenSSLServer.start()
        var settings = CurlSettings()
        settings.tls.authorityFile = server.certificate.path
        let url = try #require(URL(string: server.url.absoluteString.replacing("127.0.0.1", with: "localhost")))
        #expect(await kind(of: url, with: settings) == .secureConnectionFailed)
    }

    @Test func aPinnedKeyIsRequired() async throws {
        let server = try await OpenSSLServer.start()
        var settings = CurlSettings()
        settings.tls.authorityFile = server.certificate.path
        let wrong = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        settings.tls.pinnedPublicKeys = [wrong]
        #expect(await kind(of: server.url, with: settings) == .secureConnectionFailed)
        settings.tls.pinnedPublicKeys = [wrong, try server.pin()]
        #expect(await kind(of: server.url, with: settings) == nil)
    }

    @Test func aServerThatAsksGetsTheClientsCertificate() async throws {
        let server = try await OpenSSLServer.start(asksForCertificate: true)
        var settings = CurlSettings()
        settings.tls.authorityFile = server.certificate.path
        // The server ends the connection with an alert. A client that has not sent its request by then cannot read the
        // alert.
        var found: [TransportError.Kind?] = []
        while found.count < 50, found.last != .secureConnectionFailed {
            found.append(await kind(of: server.url, with: settings))
        }
        #expect(found.last == .secureConnectionFailed)
        #expect(found.dropLast().allSatisfy { $0 == .connectionLost })
        settings.tls.clientCertificateFile = server.certificate.path
        settings.tls.clientKeyFile = server.key.path
        #expect(await kind(of: server.url, with: settings) == nil)
    }

    @Test func aMissingFileIsAFailureOfTLS() async throws {
        let server = try await OpenSSLServer.start()
        var settings = CurlSettings()
        settings.tls.authorityFile = "/no/such/file.pem"
        #expect(await kind(of: server.url, with: settings) == .secureConnectionFailed)
    }

    private func kind(of url: URL, with settings: CurlSettings) async -> TransportError.Kind? {
        do {
            _ = try await CurlTransport(settings).process(HTTPRequest(url: url, timeout: .seconds(20)))
            return nil
        } catch {
            return (error as? TransportError)?.kind ?? .other
        }
    }
}
#endif
