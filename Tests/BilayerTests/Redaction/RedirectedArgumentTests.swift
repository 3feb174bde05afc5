import Bilayer
import BilayerTesting
import Foundation
import Testing

/// A redirect may repeat the value of an argument, at another place and in another spelling.
@Suite("Redaction: arguments after a redirect", .timeLimit(.minutes(5)))
struct RedirectedArgumentTests {
    @Test(arguments: [
        ("ssn-123", "/archive/ssn-123/users/ssn-123", "/archive/…/users/{id}"),
        ("ssn-123", "/SSN-123/x/users/ssn-123", "/…/x/users/{id}"),
        ("3F2504E0-4F89-11D3-9A0C-0305E82C3301", "/v2/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/v2/…"),
        ("3F2504E0-4F89-11D3-9A0C-0305E82C3301", "/v2/3F2504E04F8911D39A0C0305E82C3301", "/v2/…"),
        ("ada@example.com", "/people/ada%40example.com", "/people/…"),
        ("ada@example.com", "/people/ada%2540example.com", "/people/…"),
        ("ada lovelace", "/people/ada+lovelace", "/people/…"),
        ("ada lovelace", "/people/Ada%20Lovelace/x", "/people/…/x"),
        ("jos\u{e9}", "/people/jose%CC%81", "/people/…"), ("a/b-secret", "/people/a%2Fb-secret", "/people/…"),
    ])
    func areHidden(value: String, location: String, shown: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/v1/users/{id}", .redirect(to: location))
        server.on(.get, location, .status(500))
        let client = Client(baseURL: server.url.appending(path: "v1"), transport: DefaultTransport())
        let error = try #require(
            await #expect(throws: CallError.self) {
                try await client.send(Route<Void>.get("users/{id}", ["id": value]))
            }
        )
        #expect(server.requests.last?.target == location)
        #expect("\(error)".contains("GET \(server.url)\(shown) -> 500"))
        #expect(error.request?.curlCommand == "curl '\(server.url)\(shown)'")
    }

    /// The path of the base address is the app's own, whatever the value is.
    @Test func thePathOfTheBaseIsShown() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/v1/users/{id}", .status(500))
        let client = Client(baseURL: server.url.appending(path: "v1"), transport: DefaultTransport())
        let error = await #expect(throws: CallError.self) {
            try await client.send(Route<Void>.get("users/{id}", ["id": 1]))
        }
        #expect(error.map { "\($0)".contains("GET \(server.url)/v1/users/{id} -> 500") } == true)
    }
}
