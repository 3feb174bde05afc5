import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Answers without a body, whatever length they announce", .timeLimit(.minutes(5)))
struct BodilessAnswerTests {
    /// An answer with 204 or 304 has no body. Its `Content-Length` may be that of another response (RFC 9110 §8.6), so
    /// the limit of a body does not apply.
    @Test(arguments: BuiltInTransport.allCases, ["204 No Content", "304 Not Modified"])
    func theirLengthHasNoLimit(over choice: BuiltInTransport, status: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/film", .raw("HTTP/1.1 \(status)\r\nContent-Length: 1000000\r\nETag: \"1\"\r\n\r\n"))
        let transport = try choice.transport(maximumResponseBytes: 100)
        let request = HTTPRequest(url: server.url.appendingPathComponent("film"))
        let response = try await transport.process(request)
        #expect(response.status.code == Int(status.prefix(3)))
        #expect(response.headers[.eTag] == "\"1\"")
        #expect(response.body.isEmpty)
    }
}
