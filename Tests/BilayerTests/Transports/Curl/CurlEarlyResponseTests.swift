#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// A server may respond before it has read the whole request, and may need no more of the request (RFC 9110 §7.5).
@Suite("CurlTransport: responses before the end of the upload", .timeLimit(.minutes(5)))
struct CurlEarlyResponseTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"

    /// An upload to a server that reads a little of it, replies, and keeps the connection open.
    private func upload(_ actions: Reply.Action..., streamsResponse: Bool = false) async throws -> HTTPResponse {
        let server = try await FaultServer.start()
        defer { withExtendedLifetime(server) {} }
        server.onUpload(.put, "/", after: 1_000, Reply(actions + [.hold]))
        var request = HTTPRequest(method: .put, url: server.url, body: Data(count: 32 << 20), timeout: .seconds(1))
        request.streamsResponse = streamsResponse
        return try await CurlTransport().process(request)
    }

    @Test func aWholeResponseIsTheResultWhenTheUploadStands() async throws {
        let response = try await upload(.head(Self.head), .body("done"))
        #expect(response.status == 200)
        #expect(response.body == Data("done".utf8))
    }

    @Test func aWholeStreamIsTheResultWhenTheUploadStands() async throws {
        let response = try await upload(.head(Self.head), .body("done"), streamsResponse: true)
        #expect(try await response.stream?.collected() == Data("done".utf8))
    }

    @Test func aPartOfAResponseIsATimeout() async throws {
        let error = await #expect(throws: TransportError.self) { try await upload(.head(Self.head), .body("do")) }
        #expect(error?.kind == .timedOut)
        #expect(error?.response?.body == Data("do".utf8))
    }

    @Test(arguments: [
        (["HTTP/1.1 413 No", "Content-Length: 4"], 4, true), (["HTTP/1.1 413 No", "Content-Length: 4"], 3, false),
        (["HTTP/1.1 413 No", "Content-Length: 0"], 0, true), (["HTTP/1.1 413 No"], 0, false),
        (["HTTP/1.1 204 None"], 0, true),
        (["HTTP/1.1 413 No", "Content-Length: 4", "Transfer-Encoding: chunked"], 4, false),
    ])
    func aWholeResponseOutlivesItsConnection(head: [String], received: Int, isWhole: Bool) throws {
        let exchange = CurlExchange(
            HTTPRequest(method: .put, url: URL("http://127.0.0.1")),
            timeout: .seconds(1),
            limit: 100
        )
        for line in head + [""] { #expect(exchange.receive(line: line + "\r\n", count: line.utf8.count + 2)) }
        for code in [CurlCode.sendFailed, .receiveFailed] {
            let result = exchange.result(
                of: code,
                text: "",
                received: received,
                proxyStatus: 0,
                hasAlert: false,
                encodings: []
            )
            let response = try? result.get()
            #expect((response != nil) == isWhole)
        }
    }
}
#endif
