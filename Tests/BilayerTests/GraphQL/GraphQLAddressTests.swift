import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("GraphQL by GET: the operation is in the query, before a fragment of the base address")
struct GraphQLAddressTests {
    /// Ends of a base address, each with the text between the path and the operation in the address of the request.
    static let ends = [
        ("", "?"), ("#part", "?"), ("#part?no=1", "?"), ("?key=1", "?key=1&"), ("?key=1#part", "?key=1&"),
    ]

    @Test(arguments: BuiltInTransport.allCases, ends)
    func anOperationIsSent(by choice: BuiltInTransport, end: (String, String)) async throws {
        let server = try await FaultServer.start()
        let base = try #require(URL(string: "\(server.url)/v1\(end.0)"))
        let client = Client(baseURL: base, transport: try choice.transport())
        _ = try? await client.fetch(Route<TripQuery.Data>.graphQL(TripQuery("7"), by: .get))
        let target = try #require(server.requests.first?.target)
        #expect(target.hasPrefix("/v1/graphql\(end.1)query=query%20Trip"))
        #expect(target.contains("&variables=%7B%22id%22:%227%22%7D") || target.contains("&variables=%7B%22id%22%3A"))
    }

    @Test(arguments: ends)
    func aHashIsSent(end: (String, String)) async throws {
        let stub = StubTransport(.json(#"{"data":{"trip":null}}"#))
        let base = try #require(URL(string: "https://example.com/v1\(end.0)"))
        let client = Client(baseURL: base, transport: stub.wrapped(by: PersistedQueries(hashesBy: .get)))
        _ = try? await client.fetch(Route<TripQuery.Data>.graphQL(TripQuery("7")))
        let url = try #require(stub.requests.first?.url)
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.map(\.name) ?? []
        #expect(items.suffix(3) == ["operationName", "variables", "extensions"])
    }
}
