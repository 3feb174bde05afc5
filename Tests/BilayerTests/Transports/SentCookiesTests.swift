import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Several Cookie fields are sent as one (RFC 6265 §5.4)")
struct SentCookiesTests {
    @Test(arguments: BuiltInTransport.allCases)
    func cookies(by choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("1"))
        var headers: HTTPHeaders = ["X-First": "1", .cookie: "a=1", "X-Last": "2"]
        headers.append("b=2", for: .cookie)
        headers.append("c=3; d=4", for: "cookie")
        let request = HTTPRequest(url: server.url.appending(path: "x"), headers: headers)
        _ = try await choice.transport().process(request)
        #expect(server.requests.first?.headers.values(for: .cookie) == ["a=1; b=2; c=3; d=4"])
        #expect(server.requests.first?.headers["X-Last"] == "2")
    }

    @Test("the command for curl has one field, too")
    func command() {
        var request = HTTPRequest(url: URL("https://example.com/x"), headers: [.cookie: "a=1"])
        request.headers.append("b=2", for: .cookie)
        #expect(request.curlCommand == "curl 'https://example.com/x' -H 'Cookie: <redacted>'")
    }
}
