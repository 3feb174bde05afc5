import Bilayer
import Foundation

/// The operations of the tests in this folder.
struct TripQuery: GraphQLOperation {
    static let document =
        "query Trip($id: ID!, $after: String) { trip(id: $id, after: $after) { id name hotel { name } } }"

    struct Variables: Codable, RawMappable {
        let id: String
        var after: Field<String> = .absent
    }

    struct Data: Codable, RawMappable, Equatable { let trip: TripFragment? }

    let variables: Variables

    init(_ id: String, after: Field<String> = .absent) { variables = Variables(id: id, after: after) }
}

struct TripFragment: Codable, RawMappable, Equatable {
    let id: String
    let name: String
    var hotel: HotelFragment?
}

struct HotelFragment: Codable, RawMappable, Equatable { let name: String }

struct PlannedTrip: DTODecodable, Equatable {
    let name: String
    let hotel: String

    static func from(dto: TripFragment) throws -> PlannedTrip {
        PlannedTrip(name: dto.name, hotel: try dto.hotel.require("hotel").name)
    }
}

struct RenameTrip: GraphQLOperation {
    static let document = "mutation Rename($id: ID!) { rename(id: $id) { id name } }"
    struct Variables: Codable, RawMappable { let id: String }
    struct Data: Codable, RawMappable, Equatable { let rename: TripFragment }
    let variables: Variables
}

struct VersionQuery: GraphQLOperation {
    static let document = "{ version }"
    struct Data: Codable, RawMappable, Equatable { let version: String }
}

extension Route where Response == TripFragment? {
    static func trip(_ id: String) -> Route { .graphQL(TripQuery(id), at: \.trip) }
}

extension Route where Response == PlannedTrip? {
    static func planned(_ id: String) -> Route { .graphQL(TripQuery(id), at: \.trip) }
}

extension Route where Response == PlannedTrip {
    static func needed(_ id: String) -> Route { .graphQL(TripQuery(id), requiring: \.trip) }
}

enum GraphQLText {
    static let response = "application/graphql-response+json"
    static let whole = #"{"data":{"trip":{"id":"7","name":"Alps","hotel":{"name":"Edelweiss"}}}}"#
    static let partial = """
        {"data":{"trip":{"id":"7","name":"Alps","hotel":null}},"errors":[{"message":"down","path":["trip","hotel"],\
        "locations":[{"line":1,"column":2}],"extensions":{"code":"UNAVAILABLE","retry":true}}]}
        """
    static let refused = #"{"errors":[{"message":"no such field","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#
}
