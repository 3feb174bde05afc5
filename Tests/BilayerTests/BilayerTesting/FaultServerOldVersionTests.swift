import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("FaultServer: clients of HTTP/1.0", .timeLimit(.minutes(5)))
struct FaultServerOldVersionTests {
    /// RFC 9112 §6.1: a client of HTTP/1.0 cannot read chunks.
    @Test(arguments: [
        (Reply.chunked(["a", "bc"]), "abc"), (.chunked(["a", "bc"], trailers: ["X-T": "1"]), "abc"),
        (.chunked([] as [String]), ""),
        (.text("abc"), "abc"), (.chunked([String(repeating: "a", count: 300)]), String(repeating: "a", count: 300)),
    ])
    func getABodyWithoutChunks(reply: Reply, body: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        let client = try RawClient(server)
        try client.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        if reply == .text("abc") { try client.send("GET /x HTTP/1.0\r\n\r\n") }
        let (text, ending) = client.readToEnd()
        #expect(ending == .finished)
        #expect(!text.lowercased().contains("transfer-encoding"))
        #expect(text.components(separatedBy: "\r\n\r\n").last == body)
    }

    @Test func aClientOfHTTP11GetsChunks() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .chunked(["a", "bc"]))
        let client = try RawClient(server)
        try client.send("GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(client.readToEnd().text.hasSuffix("\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"))
    }
}
