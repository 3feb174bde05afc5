import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct TripEntry: Codable, RawMappable, Hashable {
    let id: String
    let name: String
    let stops: [String]
}

private struct Trip: DTOBacked, DTOEncodable, Hashable {
    let dto: TripEntry

    var name: String { dto.name.uppercased() }
    var isDirect: Bool { dto.stops.isEmpty }
}

private struct NamedTrip: DTOBacked {
    let dto: TripEntry

    static func from(dto: TripEntry) throws -> NamedTrip {
        guard !dto.name.isEmpty else { throw MappingError(MappingIssue(.brokenRule, path: [.key("name")])) }
        return NamedTrip(dto: dto)
    }
}

extension Route where Response == [Trip] { fileprivate static var trips: Route { .get("trips") } }

@Suite("DTOBacked")
struct DTOBackedTests {
    private let entry = TripEntry(id: "t1", name: "Coast", stops: [])

    @Test func fieldsOfTheDTOReadAsTheModelsOwn() throws {
        let trip = try Trip.from(dto: entry)
        #expect(trip.id == "t1")
        #expect(trip.stops == [])
        #expect(trip.isDirect)
        #expect(trip.name == "COAST")
        #expect(try trip.toDTO() == entry)
    }

    @Test func aRuleIsCheckedInAConversionOfItsOwn() throws {
        #expect(try NamedTrip.from(dto: entry).name == "Coast")
        #expect(throws: MappingError.self) { try NamedTrip.from(dto: TripEntry(id: "", name: "", stops: [])) }
    }

    @Test func flowsThroughRoutesLikeAnyModel() async throws {
        let stub = StubTransport(.json(#"[{"id":"t1","name":"Coast","stops":["a"]}]"#))
        let trips = try await Client(baseURL: URL("https://api.example.com"), transport: stub).fetch(.trips)
        #expect(trips.map(\.isDirect) == [false])
    }
}
