import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct ShipmentEntry: Codable, RawMappable, Sendable {
    struct Item: Codable, Sendable { let itemCount: Int }
    let shipmentId: Int
    let allItems: [Item]
    let bestItem: Item?
}

private struct Shipment: DTOEncodable, Sendable {
    struct Item: DTOEncodable, Sendable {
        let count: Int
        func toDTO() throws -> ShipmentEntry.Item {
            try require(that: count > 0, "an item has a count", at: "itemCount")
            return ShipmentEntry.Item(itemCount: count)
        }
    }
    var id: Int? = 1
    var items = [Item(count: 1), Item(count: 2)]
    var best: Item?

    func toDTO() throws -> ShipmentEntry {
        try ShipmentEntry(
            shipmentId: id.default(0, "shipmentId"),
            allItems: items.toDTO(at: "allItems"),
            bestItem: best?.toDTO(at: "bestItem")
        )
    }
}

private let broken = Shipment(items: [Shipment.Item(count: 1), Shipment.Item(count: 0)])

private var snakeCase: CodingConventions {
    var conventions = CodingConventions()
    conventions.keys = .snakeCase
    return conventions
}

@Suite("Issues of a request under a key naming")
struct RequestKeysTests {
    /// A route with a body of the model, and the conventions of the client.
    private static let routes: [@Sendable (Shipment) -> (route: Route<Json>, conventions: CodingConventions)] = [
        { (.post("shipments", body: $0), snakeCase) },
        { (.post("shipments", body: .json($0)), snakeCase) },
        { (.post("shipments", body: .form($0)), snakeCase) },
        { (.post("shipments", body: .form($0, conventions: snakeCase)), CodingConventions()) },
    ]

    private func send(_ shipment: Shipment, _ policy: MappingPolicy, as kind: Int) async -> [MappingIssue] {
        let (route, conventions) = Self.routes[kind](shipment)
        var client = Client(baseURL: URL("https://example.com"), transport: StubTransport(.json("{}")))
        client.conventions = conventions
        client.mappingPolicy = policy
        let collected = CollectingReporter()
        _ = try? await client.fetch(route, reporter: collected)
        #expect(collected.reports.allSatisfy { $0.side == .request })
        return collected.issues
    }

    @Test(
        "errors of the model have the keys of the body",
        arguments: [MappingPolicy.standard, .collectingAll()],
        0..<4
    )
    func errors(policy: MappingPolicy, kind: Int) async throws {
        let issue = try #require(await send(broken, policy, as: kind).first)
        #expect(issue.severity == .error && issue.path.exactDescription == "$.all_items[1].item_count")
        #expect(issue.propertyName == "itemCount" && issue.jsonKey == "item_count")
        let best = await send(Shipment(best: Shipment.Item(count: 0)), policy, as: kind)
        #expect(best.map(\.path.exactDescription) == ["$.best_item.item_count"])
    }

    @Test("so do elements that are left out, with their causes, and defaults", arguments: 0..<4)
    func warnings(kind: Int) async {
        var shipment = broken
        shipment.id = nil
        let issues = await send(shipment, .salvaging, as: kind)
        #expect(issues.map(\.path.exactDescription) == ["$.all_items[1]", "$.shipment_id"])
        #expect(issues.flatMap(\.causes).map(\.path.exactDescription) == ["$.all_items[1].item_count"])
    }
}
