#if os(Linux)
import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// RFC 9112 §6.3: bytes after a complete response are not the response to the next request.
@Suite("CurlTransport: bytes on a kept connection that nobody has asked for", .timeLimit(.minutes(5)))
struct KeptConnectionTests {
    private static let idle = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 4\r\n\r\nidle"
    private static let bodyOfHead = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 4\r\n\r\nevil"

    /// Makes a call whose connection is kept, and lets the server send more bytes over it.
    private func receiveMore(
        _ more: String,
        after method: HTTPMethod,
        from server: FaultServer,
        over transport: some Node<HTTPRequest, HTTPResponse>
    ) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(method == .head ? 80 : 2)\r\n\r\n"
        server.on(method, "/first", Reply(.head(head), .body("ok"), .hold, .head(more), .close))
        let first = HTTPRequest(method: method, url: server.url.appending(path: "first"))
        #expect(try await transport.process(first, in: CallContext()).status == 200)
        server.release()
        // The server has sent the bytes when the connection's thread has ended. The remaining thread accepts
        // connections.
        try await server.engine.state.wait { $0.threads == 1 ? () : nil }
    }

    @Test(arguments: [(HTTPMethod.get, idle), (.head, bodyOfHead), (.get, "x"), (.post, "\r\n")])
    func areNotTheResponseToTheNextRequest(method: HTTPMethod, more: String) async throws {
        let transport = try CurlTransport()
        let server = try await FaultServer.start()
        server.on(.post, "/add", .json("[1]", status: 201))
        try await receiveMore(more, after: method, from: server, over: transport)
        for _ in 0..<2 {
            let url = server.url.appending(path: "add")
            let response = try await transport.process(HTTPRequest(method: .post, url: url, body: Data("x".utf8)))
            #expect(response.status == 201)
            #expect(response.body == Data("[1]".utf8))
        }
        #expect(server.requests.map(\.connection) == [0, 1, 1])
    }

    /// <doc:Transports> has a row for this: `URLSessionTransport` cannot find such bytes.
    @Test(.enabled(if: hasOldLibrary, "newer libraries find them"))
    func aSessionTakesThem() async throws {
        let transport = URLSessionTransport()
        let server = try await FaultServer.start()
        server.on(.post, "/add", .json("[1]", status: 201))
        try await receiveMore(Self.idle, after: .get, from: server, over: transport)
        let request = HTTPRequest(method: .post, url: server.url.appending(path: "add"), body: Data("x".utf8))
        #expect(try await transport.process(request, in: CallContext()).status == 408)
        #expect(try await transport.process(request, in: CallContext()).status == 201)
    }

    private static var hasOldLibrary: Bool {
        guard let library = try? CurlLibrary.shared.get() else { return false }
        return library.version < CurlVersion(7, 89, 0)
    }

    @Test func areNotStoredForAnotherAddress() async throws {
        let transport = try CurlTransport().wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        let server = try await FaultServer.start()
        server.on(.get, "/account", .json("[1]", headers: ["Cache-Control": "max-age=600"]))
        try await receiveMore(Self.bodyOfHead, after: .head, from: server, over: transport)
        for _ in 0..<2 {
            let request = HTTPRequest(url: server.url.appending(path: "account"))
            #expect(try await transport.process(request, in: CallContext()).body == Data("[1]".utf8))
        }
    }

    /// The transport gives up the connection before it reads a body that can be read once.
    @Test func areFoundBeforeTheBodyIsRead() async throws {
        let transport = try CurlTransport()
        let server = try await FaultServer.start()
        server.on(.post, "/add") { .data($0.body) }
        try await receiveMore(Self.idle, after: .get, from: server, over: transport)
        let once = HTTPBody.stream(length: 3) {
            AsyncStream<Data> { stream in
                stream.yield(Data("one".utf8))
                stream.finish()
            }
        }
        let request = HTTPRequest(method: .post, url: server.url.appending(path: "add"), body: once)
        #expect(try await transport.process(request).body == Data("one".utf8))
    }

    /// The check before each request must not take messages of TLS itself for such bytes.
    @Test(arguments: [false, true])
    func aConnectionWithoutThemIsUsedAgain(isSecure: Bool) async throws {
        let server = try await FaultServer.start(certificate: isSecure ? ServerCertificate() : nil)
        server.on(.get, "/x", .json("[1]"))
        var settings = CurlSettings()
        settings.tls.authorityFile = server.authorityFile
        let transport = try CurlTransport(settings)
        for _ in 0..<50 {
            #expect(try await transport.process(HTTPRequest(url: server.url.appending(path: "x"))).status == 200)
        }
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }
}
#endif
