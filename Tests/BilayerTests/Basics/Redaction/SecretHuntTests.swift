import Bilayer
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Calls over sockets, with a secret in each place that can have one. Whatever the outcome of a call is, no text of the
/// call, its events, its errors or its log shows a secret. No file of a successful call has one, apart from an argument
/// in the path of a recorded request.
@Suite("Redaction: calls with a secret in each place", .timeLimit(.minutes(5)))
struct SecretHuntTests {
    @Test(arguments: BuiltInTransport.allCases, SecretCall.Outcome.allCases)
    func noTextShowsASecret(over choice: BuiltInTransport, outcome: SecretCall.Outcome) async throws {
        let call = try await SecretCall(choice, outcome)
        defer { call.removeFolder() }
        let result = await call.run()
        #expect(result.isSuccess == (outcome == .success), "\(result.texts.first?.text ?? "")")
        // The secrets were sent, so that there was something to hide.
        let sent = call.server.requests.map { String(decoding: $0.head + $0.body, as: UTF8.self) }.joined()
        for place in ["argument", "query", "header", "cookie", "token", "body"] {
            #expect(sent.contains("s3cr3t-\(place)"), "\(place) was not sent")
        }
        let texts = result.texts + call.texts.withLock { $0 }
        #expect(texts.count > 100)
        for (kind, text) in texts {
            for secret in SecretCall.forms where text.contains(secret) {
                Issue.record("\(kind) shows \(secret): \(text)")
            }
        }
    }

    /// A file may have the body and the fields of the response, which are the server's. It has no secret that the app
    /// has sent, apart from an argument.
    @Test(arguments: BuiltInTransport.allCases) func noFileHasASecret(over choice: BuiltInTransport) async throws {
        let call = try await SecretCall(choice, .success)
        defer { call.removeFolder() }
        #expect(await call.run().isSuccess)
        let recording = call.folder.appendingPathComponent("recording.json")
        // A recording keeps the path with its arguments, because a replay finds the exchange by the path.
        try call.recorder.recording().write(to: recording)
        let names = try FileManager.default.contentsOfDirectory(atPath: call.folder.path)
        #expect(names.contains { $0.hasSuffix(".entry") })
        for name in names {
            #expect(!name.contains("s3cr3t"))
            let bytes = try Data(contentsOf: call.folder.appendingPathComponent(name))
            let text = String(decoding: bytes, as: UTF8.self)
            let rest = name == "recording.json" ? text.replacingOccurrences(of: "s3cr3t-argument", with: "") : text
            for secret in SecretCall.forms { #expect(!rest.contains(secret), "\(name) has \(secret)") }
        }
    }

    #if os(Linux)
    /// libcurl's texts about a proxy or a key show none of their secrets.
    @Test(arguments: [
        "http://ada:s3cr3t-proxy@127.0.0.1:1", "socks5://ada:s3cr3t-proxy@127.0.0.1:1", "ftp://ada:s3cr3t-proxy@h",
    ])
    func aProxyThatFailsShowsNoPassword(address: String) async throws {
        var settings = CurlSettings()
        settings.proxy = .server(try #require(URL(string: address)))
        settings.proxy.isForLoopback = true
        try await expectNoSecret(in: settings, URL("http://127.0.0.1:1/"))
    }

    @Test func aProxyThatRefusesShowsNoPassword() async throws {
        let server = try await FaultServer.start()
        server.onConnect(.raw("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=s3cr3t\r\nContent-Length: 0\r\n\r\n"))
        var settings = CurlSettings()
        settings.proxy = .server(try #require(URL(string: "http://ada:s3cr3t-proxy@127.0.0.1:\(server.url.port ?? 0)")))
        settings.proxy.isForLoopback = true
        try await expectNoSecret(in: settings, URL("https://127.0.0.1:1/"))
    }

    @Test func aKeyThatCannotBeReadShowsNoPassphrase() async throws {
        let server = try await FaultServer.start()
        var settings = CurlSettings()
        settings.tls.clientCertificateFile = "/nonexistent/s3cr3t-certificate.pem"
        settings.tls.clientKeyFile = "/nonexistent/s3cr3t-key.pem"
        settings.tls.clientKeyPassphrase = "s3cr3t-passphrase"
        settings.tls.pinnedPublicKeys = ["sha256//s3cr3t"]
        settings.userAgent = "s3cr3t-agent"
        let port = server.url.port ?? 0
        try await expectNoSecret(
            in: settings,
            try #require(URL(string: "https://ada:s3cr3t@127.0.0.1:\(port)/x?a=s3cr3t"))
        )
    }

    private func expectNoSecret(in settings: CurlSettings, _ url: URL) async throws {
        let log = Locked<[String]>([])
        var client = Client(baseURL: url, transport: try CurlTransport(settings))
        client.observer = CallLog(.timeline, asCURL: true) { text in log.withLock { $0.append(text) } }
        let error = try #require(await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("")) })
        let cause = (error.underlyingError as? TransportError)?.underlyingError
        let values: [Any] = [error, error.underlyingError, settings, client, cause as Any] + error.events
        for (kind, text) in values.flatMap({ Texts.all(of: $0) }) + log.withLock({ $0.map { ("log", $0) } }) {
            #expect(!text.contains("s3cr3t"), "\(kind)")
        }
    }
    #endif
}
