import Bilayer
import Foundation

/// A query whose response is a list of trips, in the form that a code generator would write.
struct GraphTripsQuery: GraphQLOperation {
    static let document = """
        query Trips { trips { edges { cursor node { id name price { amount currency } days { title stops { name } } } } } }
        """
    struct Data: Codable, RawMappable, Sendable, Equatable { let trips: Connection }
    struct Connection: Codable, Sendable, Equatable { let edges: [Edge] }
    struct Edge: Codable, Sendable, Equatable {
        let cursor: String
        let node: GraphTripEntry?
    }
}

struct GraphTripEntry: Codable, RawMappable, Sendable, Equatable {
    let id: String
    let name: String
    let price: Price?
    let days: [Day]

    struct Price: Codable, Sendable, Equatable {
        let amount: Double
        let currency: String
    }
    struct Day: Codable, Sendable, Equatable {
        let title: String
        let stops: [Stop]
    }
    struct Stop: Codable, Sendable, Equatable { let name: String }
}

struct GraphTrip: DTODecodable, Sendable, Equatable {
    let id: String
    let name: String
    let amount: Double
    let stops: [String]

    static func from(dto: GraphTripEntry) throws -> GraphTrip {
        GraphTrip(
            id: dto.id,
            name: dto.name,
            amount: try dto.price.require("price").amount,
            stops: dto.days.flatMap { $0.stops.map(\.name) }
        )
    }

    /// Makes the trip as an app without a framework would.
    init?(plain entry: GraphTripEntry) {
        guard let price = entry.price else { return nil }
        self.init(
            id: entry.id,
            name: entry.name,
            amount: price.amount,
            stops: entry.days.flatMap { $0.stops.map(\.name) }
        )
    }

    private init(id: String, name: String, amount: Double, stops: [String]) {
        self.id = id
        self.name = name
        self.amount = amount
        self.stops = stops
    }
}

/// The type that an app without a framework decodes: the same types in the same envelope.
struct GraphAnswer: Codable { let data: GraphTripsQuery.Data }
