#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// `URLSession` on Linux ends the process at a close inside the head, so only one transport is tested.
@Suite("A response that is cut at any byte is an error")
struct CutResponseTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

    // The rest of the head with the body as it is sent, and how many bytes at its end may be missing, because nothing of
    // the content is in them.
    @Test(arguments: [
        ("Content-Length: 15\r\n\r\n[1,2,3,\"four\"]\n", 0),
        ("Transfer-Encoding: chunked\r\n\r\n8\r\n[1,2,3,\"\r\n7;x=y\r\nfour\"]\n\r\n0\r\n\r\n", 4),
    ])
    func aCutIsNeverASuccess(framing: String, end: Int) async throws {
        let text = Data((Self.head + framing).utf8)
        let headCount = try #require(text.range(of: Data("\r\n\r\n".utf8))).upperBound
        let server = try await FaultServer.start()
        let transport = try CurlTransport()
        for count in 0..<(text.count - end) {
            server.on(.get, "/\(count)", Reply(.head(text.prefix(count)), .close))
            let request = HTTPRequest(url: server.url.appending(path: "\(count)"))
            let found = try #require(
                await #expect(throws: TransportError.self, "cut at \(count)") { try await transport.process(request) }
            )
            if count < headCount {
                #expect([.connectionLost, .malformedResponse].contains(found.kind), "cut at \(count): \(found)")
            } else {
                #expect(found.kind == .brokenBody, "cut at \(count): \(found)")
                let response = try #require(found.response, "cut at \(count)")
                #expect(response.status == 200)
                #expect(Data("[1,2,3,\"four\"]\n".utf8).starts(with: response.body), "cut at \(count)")
            }
        }
    }
}
#endif
