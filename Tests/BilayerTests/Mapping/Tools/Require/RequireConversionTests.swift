import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct TripEntry: Codable, RawMappable, Sendable {
    struct Hotel: Codable, Sendable { let name: String? }
    struct Days: Codable, Sendable { let edges: [Hotel]? }
    let hotel: Hotel?
    let days: Days?
}

private struct Hotel: Sendable, Equatable {
    let name: String
    init(_ entry: TripEntry.Hotel) throws { name = try entry.name.require("name") }
}

@Suite("A required value that an initializer converts")
struct RequireConversionTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()
    private var client: Client { .snakeCased(stub, reporter: collected) }

    private static let hotel = Route<Hotel>
        .get("trip") { (trip: TripEntry) in try trip.hotel.require("hotel") { try Hotel($0) } }

    @Test(
        "errors of the conversion have the field in their paths",
        arguments: [("{}", "$.hotel"), (#"{"hotel":{}}"#, "$.hotel.name"), (#"{"hotel":{"name":7}}"#, "$.hotel.name")]
    )
    func paths(text: String, path: String) async throws {
        stub.on(.get, "/trip", .json(text))
        let error = await #expect(throws: CallError.self) { try await client.fetch(Self.hotel) }
        #expect(error?.issues.map(\.path.description) == [path])
        #expect(collected.issues.map(\.path.description) == [path])
    }

    @Test("the error names both types and the line of the rule")
    func owners() throws {
        let entry = TripEntry(hotel: .init(name: nil), days: nil)
        let error = #expect(throws: MappingError.self) { try entry.hotel.require("hotel") { try Hotel($0) } }
        #expect(error?.issues.first?.owner == "TripEntry.Hotel -> Hotel")
        let line: UInt = #line + 1
        let missing = #expect(throws: MappingError.self) { try entry.days.require("days", key: "d") { $0.edges } }
        #expect(missing?.issues.first?.kind == .missing && missing?.path == [.key("d")])
        #expect(missing?.issues.first?.source?.line == line)
    }

    @Test("issues of elements have the whole path, through a field several levels deep")
    func issues() async throws {
        stub.on(.get, "/trip", .json(#"{"days":{"edges":[{"name":"a"},{},{"name":"b"}]}}"#))
        let route = Route<[Hotel]>
            .get("trip") { (trip: TripEntry) in
                try (trip.days?.edges).require("days.edges") { edges in try .lossy(from: edges) { try Hotel($0) } }
            }
        #expect(try await client.fetch(route).map(\.name) == ["a", "b"])
        #expect(collected.issues.map(\.path.description) == ["$.days.edges[1]"])
    }
}
