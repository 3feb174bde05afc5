import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// A redirect may repeat the value of an argument, at another place and in another spelling.
@Suite("Redaction: arguments after a redirect", .timeLimit(.minutes(5)))
struct RedirectedArgumentTests {
    @Test(arguments: [
        ("ssn-123", "/archive/ssn-123/users/ssn-123", "/…/…/users/{id}"),
        ("ssn-123", "/SSN-123/x/users/ssn-123", "/…/…/users/{id}"),
        ("3F2504E0-4F89-11D3-9A0C-0305E82C3301", "/v1/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/v1/…"),
        ("3F2504E0-4F89-11D3-9A0C-0305E82C3301", "/v1/3F2504E04F8911D39A0C0305E82C3301", "/v1/…"),
        ("ada@example.com", "/people/ada%40example.com", "/…/…"),
        ("ada@example.com", "/users/ada%2540example.com", "/users/…"),
        ("ada+tag@x.org", "/users/ada%20tag%40x.org", "/users/…"), ("+49170123", "/users/49170123", "/users/…"),
        ("ada lovelace", "/users/ada+lovelace", "/users/…"), ("Ada Lovelace", "/wiki/Ada_Lovelace", "/…/…"),
        ("ada lovelace", "/users/Ada%20Lovelace/users", "/users/…/users"), ("a b", "/u/a%252520b", "/…/…"),
        ("jos\u{e9}", "/users/jose%CC%81", "/users/…"), ("Zo\u{eb}", "/users/Zo%EB", "/users/…"),
        ("a/b-secret", "/people/a%2Fb-secret", "/…/…"),
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

    @Test(arguments: [
        ("ada", "https://ada.example.org/me", "https://….example.org/…"),
        ("Ada Lovelace", "https://ada-lovelace.example.org:8443/users", "https://….example.org:8443/users"),
        ("ada@host.org", "https://ada%40host.net/", "https://….net/"),
        ("Zo\u{eb}", "https://xn--zo-jia.example.org/", "https://….example.org/"),
        ("api", "https://API.example.com/v1/api", "https://API.example.com/v1/…"),
    ])
    func areHiddenInAnotherHost(value: String, address: String, shown: String) throws {
        var request = HTTPRequest(url: try #require(URL(string: address)))
        request.endpoint = Endpoint(.get, "users/{id}", arguments: ["id": value])
        request.baseURL = URL(string: "https://api.example.com/v1")
        #expect("\(request)" == "GET \(shown)")
        #expect(request.curlCommand == "curl '\(shown)'")
    }

    @Test(arguments: [
        ("https://api.example.com/v1/users?name=Ada", "https://api.example.com/v1/users?name=…"),
        ("https://api.example.com/v1/users/ada", "https://api.example.com/v1/users/…"),
        ("https://ada.example.org/users", "https://….example.org/users"),
    ])
    func valuesOfTheQueryAreHidden(address: String, shown: String) throws {
        var request = HTTPRequest(url: try #require(URL(string: address)))
        request.endpoint = Endpoint(.get, "users", query: ["name": "Ada"])
        request.baseURL = URL(string: "https://api.example.com/v1")
        #expect("\(request)" == "GET \(shown)")
    }

    /// A server puts a secret of its own into the address, such as a signature or a session.
    @Test(arguments: [
        ("/signed/s3cr3t/film", "/…/…/film"), ("/signed/s3cr3t/film;jsessionid=s3cr3t", "/…/…/…"),
        ("/v1/film;jsessionid=s3cr3t", "/v1/…"), ("/v1/film?s3cr3tLWJhc2U2NA==", "/v1/film?…"),
        ("/v1/film?s3cr3t=", "/v1/film?…"), ("/v1/;s3cr3t/film", "/v1/…/film"),
    ])
    func ofARouteWithoutArgumentsTheServersPathIsHidden(location: String, shown: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/v1/film", .redirect(to: location))
        server.on(.get, location, .status(403))
        let texts = Locked<[String]>([])
        var client = Client(baseURL: server.url.appending(path: "v1"), transport: DefaultTransport())
        client.observer = CallLog(.timeline, asCURL: true) { text in texts.withLock { $0.append(text) } }
        let error = try #require(
            await #expect(throws: CallError.self) { try await client.send(Route<Void>.get("film")) }
        )
        #expect(server.requests.last?.target == location)
        #expect("\(error)".contains("GET \(server.url)\(shown) -> 403"))
        #expect(error.request?.curlCommand == "curl '\(server.url)\(shown)'")
        let logged = texts.withLock(\.self)
        #expect(logged.contains { $0.contains("403") } && !error.events.isEmpty)
        for text in logged + error.events.map(\.description) { #expect(!text.contains("s3cr3t")) }
    }

    @Test func parametersOfTheRoutesOwnPathAreNoOtherPath() throws {
        var request = HTTPRequest(url: URL("https://api.example.com/v1/maps;v=2/red;c=7/3"))
        request.endpoint = Endpoint(
            .get,
            "maps;v=2/{colour};c={count}/{id}",
            arguments: ["colour": "red", "count": "7", "id": "3"]
        )
        request.baseURL = URL(string: "https://api.example.com/v1")
        #expect("\(request)" == "GET https://api.example.com/v1/maps;…/{colour};…/{id}")
    }

    /// The path of the base address is the app's own, so it is shown, even if it contains the value of an argument.
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
