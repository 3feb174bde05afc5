import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("A whole address is called byte for byte: the base address, and a route with the path \"\"")
struct WholeAddressTests {
    @Test(
        arguments: BuiltInTransport.allCases,
        [
            "/hook/", "/a%20b/", "//a//", "/a//b", "/", "/photos/7?signature=a%2Bb", "/photos/?signature=a%2Bb&x=",
            "/a?b=/",
        ]
    )
    func wholeAddress(by choice: BuiltInTransport, target: String) async throws {
        let server = try await FaultServer.start()
        let base = try #require(URL(string: "\(server.url)\(target)"))
        let client = Client(baseURL: base, transport: try choice.transport())
        _ = try? await client.fetch(Route<Void>.post("", body: .text("x")))
        #expect(server.requests.map(\.target) == [target])
    }

    @Test("a query of the route is added to it", arguments: BuiltInTransport.allCases)
    func query(by choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        let base = try #require(URL(string: "\(server.url)/hook/?key=1"))
        let client = Client(baseURL: base, transport: try choice.transport())
        _ = try? await client.fetch(Route<Void>.get("", query: ["page": 2]))
        #expect(server.requests.map(\.target) == ["/hook/?key=1&page=2"])
    }
}
