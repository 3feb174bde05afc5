#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("FaultServer: TLS", .timeLimit(.minutes(5)))
struct FaultServerTLSTests {
    private func transport(trusting server: FaultServer) throws -> CurlTransport {
        var settings = CurlSettings()
        settings.tls.authorityFile = server.authorityFile
        return try CurlTransport(settings)
    }

    /// The kind of the error of a request to `/`.
    private func kind(_ server: FaultServer, by transport: CurlTransport) async throws -> TransportError.Kind? {
        do {
            _ = try await transport.process(HTTPRequest(url: server.url), in: CallContext())
            return nil
        } catch let error as TransportError {
            return error.kind
        }
    }

    @Test func aClientThatTrustsTheCertificateIsServed() async throws {
        let server = try await FaultServer.start(certificate: ServerCertificate())
        #expect(server.url.scheme == "https")
        server.on(.post, "/echo") { .data($0.body, contentType: "application/octet-stream") }
        let transport = try transport(trusting: server)
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        for part in [Data(), body, body.prefix(16_384)] {
            let request = HTTPRequest(method: .post, url: server.url.appending(path: "echo"), body: .data(part))
            #expect(try await transport.process(request, in: CallContext()).body == part)
        }
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }

    @Test("a client refuses", arguments: [ServerCertificate.expired, .ofAnotherHost])
    func aClientRefuses(certificate: ServerCertificate) async throws {
        let server = try await FaultServer.start(certificate: certificate)
        #expect(try await kind(server, by: transport(trusting: server)) == .secureConnectionFailed)
        #expect(server.requests.isEmpty)
    }

    @Test func aClientRefusesWhomItDoesNotTrust() async throws {
        let server = try await FaultServer.start(certificate: ServerCertificate())
        let other = try await FaultServer.start(certificate: ServerCertificate())
        #expect(try await kind(server, by: CurlTransport()) == .secureConnectionFailed)
        #expect(try await kind(server, by: transport(trusting: other)) == .secureConnectionFailed)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "a handshake that breaks is an error",
        arguments: [
            Reply.resetBeforeAnswer, .closeBeforeAnswer, .notHTTP, .raw(Data([0x15, 3, 3, 0, 2, 2, 40])),
        ]
    )
    func aBrokenHandshakeIsAnError(reply: Reply) async throws {
        let server = try await FaultServer.start(certificate: ServerCertificate())
        server.on(.get, "/", .json("{}"))
        server.onConnect(reply)
        let transport = try transport(trusting: server)
        let failure = try #require(await kind(server, by: transport))
        // A reset can come before the client has seen that it is connected.
        let isReset = reply == .resetBeforeAnswer
        #expect(failure == .secureConnectionFailed || isReset && [.cannotConnect, .connectionLost].contains(failure))
        #expect(try await kind(server, by: transport) == nil)
    }

    @Test func aHandshakeThatHangsEndsByTheTimeLimit() async throws {
        let server = try await FaultServer.start(certificate: ServerCertificate())
        server.onConnect(.hold)
        var request = HTTPRequest(url: server.url)
        request.timeout = .milliseconds(200)
        let transport = try transport(trusting: server)
        let error = await #expect(throws: TransportError.self) {
            try await transport.process(request, in: CallContext())
        }
        #expect(error?.kind == .timedOut)
    }

    @Test(
        "a body that is cut is an error",
        arguments: [
            Reply.truncatedBody(sent: 100, declared: 5_000), .resetInBody(after: 100), .unfinishedChunks(), .badChunk,
        ]
    )
    func aCutBodyIsAnError(reply: Reply) async throws {
        let server = try await FaultServer.start(certificate: ServerCertificate())
        server.on(.get, "/", reply)
        #expect(try await kind(server, by: transport(trusting: server)) == .brokenBody)
    }

    @Test func aClientWithoutTLSIsRefused() async throws {
        let server = try await FaultServer.start(certificate: ServerCertificate())
        let url = try #require(URL(string: server.url.absoluteString.replacing("https", with: "http")))
        await #expect(throws: TransportError.self) {
            try await CurlTransport().process(HTTPRequest(url: url), in: CallContext())
        }
        #expect(server.requests.isEmpty)
    }

    @Test func nothingStaysOfAServer() async throws {
        var server: FaultServer? = try await FaultServer.start(certificate: ServerCertificate())
        let file = try #require(server?.authorityFile)
        #expect(FileManager.default.fileExists(atPath: file))
        server?.on(.get, "/", .hold)
        let transport = try transport(trusting: try #require(server))
        let request = HTTPRequest(url: try #require(server?.url))
        let call = Task { try await transport.process(request, in: CallContext()) }
        try await server?.waitForRequests(count: 1)
        server?.stop()
        try await server?.waitUntilStopped()
        await #expect(throws: TransportError.self) { try await call.value }
        server = nil
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
#endif
