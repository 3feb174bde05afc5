import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Visit: Codable, RawMappable, Sendable, Equatable { let at: Date }

extension Route where Response == [Visit] {
    fileprivate static var visits: Route { .get("visits") }
}

@Suite("A route's own mapping")
struct RouteMappingTests {
    private let transport = StubTransport()

    private var client: Client {
        var client = Client(baseURL: URL("https://example.com"), transport: transport)
        client.conventions.scalars.register(Date.self, as: .unixSeconds)
        return client
    }

    @Test("another mapping keeps the nodes that were added before it")
    func nodes() async throws {
        transport.on(.get, "/visits", .json(#"{"data":[{"at":2},{"at":1}]}"#))
        let unwrapped = ParseJson().then { json, _ in json["data"] ?? json }
        let reversing = AnyNode<[Visit], [Visit]> { visits, _ in visits.reversed() }
        let route = Route<[Visit]>.visits.adding(model: reversing)
            .replacing(rawMapping: unwrapped.then(MapRaw<[Visit]>()))
        #expect(try await client.fetch(route).map(\.at.timeIntervalSince1970) == [1, 2])
    }

    @Test("a policy of the route stands before the client's, and one of the call before both")
    func policy() async throws {
        transport.on(.get, "/visits", .json(#"[{"at":7},{"at":"soon"}]"#))
        let seven = [Visit(at: Date(timeIntervalSince1970: 7))]
        await #expect(throws: CallError.self) { try await client.fetch(.visits) }
        #expect(try await client.fetch(.visits.with(mappingPolicy: .salvaging)) == seven)
        #expect(try await client.fetch(.visits, mapping: .salvaging) == seven)
        await #expect(throws: CallError.self) {
            try await client.fetch(.visits.with(mappingPolicy: .salvaging), mapping: .standard)
        }
        var salvaging = client
        salvaging.mappingPolicy = .salvaging
        #expect(try await salvaging.fetch(.visits) == seven)
        await #expect(throws: CallError.self) { try await salvaging.fetch(.visits.with(mappingPolicy: .strict)) }
    }

    @Test("a route's conventions are used for its responses and its bodies")
    func conventions() async throws {
        transport.on(.post, "/visits", .json(#"[{"at":"1970-01-02"}]"#))
        var days = CodingConventions()
        days.scalars.register(Date.self, as: .dateOnly)
        let day = Visit(at: Date(timeIntervalSince1970: 86_400))
        let route = Route<[Visit]>.post("visits", body: [day]).with(conventions: days)
        #expect(try await client.fetch(route) == [day])
        #expect(transport.requests.last?.body?.data == Data(#"[{"at":"1970-01-02"}]"#.utf8))
        await #expect(throws: CallError.self) { try await client.fetch(Route<[Visit]>.post("visits", body: [day])) }
        #expect(transport.requests.last?.body?.data == Data(#"[{"at":86400}]"#.utf8))
    }
}
