import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Pages whose cursor is sent in a body")
struct CursorInBodyTests {
    private struct TripsQuery: GraphQLOperation {
        static let document = """
            query Trips($after: String) { trips(after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } }
            """
        struct Variables: Codable, RawMappable { var first = 2 }
        struct Data: Codable, RawMappable { let trips: Trips }
        struct Trips: Codable { let nodes: [Node] }
        struct Node: Codable { let id: String }
        let variables = Variables()
    }

    private static func trips(by method: HTTPMethod) -> Route<[String]> {
        .graphQL(TripsQuery(), by: method) { $0.trips.nodes.map(\.id) }
    }

    /// Two pages; the last one has a cursor, too.
    private let stub = StubTransport { request, _ in
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems
        let text = items?.first { $0.name == "variables" }?.value
        let variables =
            try text.map { try Json(parsing: $0) } ?? Json(parsing: request.body?.data ?? Data())["variables"]
        let isFirst = variables?["after"] == nil
        let page: Json = [
            "nodes": isFirst ? [["id": "1"], ["id": "2"]] : [["id": "3"]],
            "pageInfo": ["endCursor": isFirst ? "c2" : "c3", "hasNextPage": Json(isFirst)],
        ]
        return HTTPResponse(
            status: 200,
            headers: [.contentType: "application/json"],
            body: (["data": ["trips": page]] as Json).serialized()
        )
    }

    private var client: Client { Client(baseURL: URL("https://example.com"), transport: stub) }

    @Test func theNodesOfAConnectionAreOneSequence() async throws {
        var found: [String] = []
        let pages = client.pages(of: Self.trips(by: .post), by: .connection(at: "data.trips"))
        for try await id in pages.elements { found.append(id) }
        #expect(found == ["1", "2", "3"])
        let sent = try stub.requests.map { try Json(parsing: $0.body?.data ?? Data())["variables"] }
        #expect(sent == [["first": 2], ["first": 2, "after": "c2"]])
    }

    @Test func aConnectionIsReadByGetToo() async throws {
        var found: [String] = []
        let pages = client.pages(of: Self.trips(by: .get), by: .connection(at: "data.trips"))
        for try await id in pages.elements { found.append(id) }
        #expect(found == ["1", "2", "3"])
        #expect(stub.requests.allSatisfy { $0.method == .get && $0.body == nil })
    }

    @Test func aSearchByPostHasItsCursorWhereTheServerWantsIt() async throws {
        let stub = StubTransport()
        stub.on(.post, "/search", .json(#"{"hits":[1],"next":7}"#), .json(#"{"hits":[2],"next":null}"#))
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let route = Route<[Int]>.post("search", body: ["q": "tea"] as Json).at("hits")
        var found: [Int] = []
        let pages = client.pages(of: route, by: .cursor(at: "next", inBody: "page.cursor"))
        for try await hit in pages.elements { found.append(hit) }
        #expect(found == [1, 2])
        let last = try Json(parsing: stub.requests.last?.body?.data ?? Data())
        #expect(last == ["q": "tea", "page": ["cursor": 7]])
    }

    @Test(arguments: ["[1]", "text"])
    func aBodyWithoutAPlaceIsAnError(body: String) async throws {
        let stub = StubTransport(.json(#"{"hits":[1],"next":7}"#))
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let route = Route<[Int]>.post("search", body: .text(body)).at("hits")
        let error = await #expect(throws: PageError.self) {
            for try await _ in client.pages(of: route, by: .cursor(at: "next", inBody: "page.cursor")) {}
        }
        #expect(error?.page == 2)
        #expect(stub.requests.count == 1)
    }
}
