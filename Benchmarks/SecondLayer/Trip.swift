import Bilayer
package import Foundation

/// A generated fragment in which every field is optional. The model requires some fields, and has defaults for the
/// others.
package enum TripForms: TwoForms {
    package static let sample = """
        {"id":"t1","name":"Coast","days":5,"stops":[{"city":"Porto","nights":2},{"city":"Lisbon","nights":3}],
         "price":{"amount":99.5,"currency":"EUR"},"notes":null}
        """

    struct TripFragment: Codable, RawMappable, Equatable {
        struct Stop: Codable, RawMappable, Equatable {
            var city: String?
            var nights: Int?
        }
        struct Price: Codable, RawMappable, Equatable {
            var amount: Decimal?
            var currency: String?
        }
        var id: String?
        var name: String?
        var days: Int?
        var stops: [Stop]?
        var price: Price?
        var notes: String?
    }

    // by hand
    enum ByHand {
        struct Missing: Error { let path: String }
        struct Stop: Equatable {
            let city: String
            let nights: Int

            init(_ fragment: TripFragment.Stop, at path: String) throws {
                guard let city = fragment.city else { throw Missing(path: path + ".city") }
                self.city = city
                nights = fragment.nights ?? 1
            }
        }
        struct Trip: Equatable {
            let id: String
            let name: String
            let days: Int
            let stops: [Stop]
            let amount: Decimal
            let currency: String
            let notes: String

            init(_ fragment: TripFragment) throws {
                guard let id = fragment.id else { throw Missing(path: "$.id") }
                guard let name = fragment.name else { throw Missing(path: "$.name") }
                guard let amount = fragment.price?.amount else { throw Missing(path: "$.price.amount") }
                guard let currency = fragment.price?.currency else { throw Missing(path: "$.price.currency") }
                self.id = id
                self.name = name
                days = fragment.days ?? 0
                stops = try (fragment.stops ?? []).enumerated().map { try Stop($1, at: "$.stops[\($0)]") }
                self.amount = amount
                self.currency = currency
                notes = fragment.notes ?? ""
            }
        }
    }
    // end

    // lean
    enum Lean {
        struct Stop: DTODecodable, Equatable {
            let city: String
            let nights: Int

            static func from(dto: TripFragment.Stop) throws -> Stop {
                try Stop(city: dto.city.require("city"), nights: dto.nights.default(1, "nights"))
            }
        }
        struct Trip: DTODecodable, Equatable {
            let id: String
            let name: String
            let days: Int
            let stops: [Stop]
            let amount: Decimal
            let currency: String
            let notes: String

            static func from(dto: TripFragment) throws -> Trip {
                let price = try dto.price.require("price")
                return try Trip(
                    id: dto.id.require("id"),
                    name: dto.name.require("name"),
                    days: dto.days.default(0, "days"),
                    stops: .from(dto: dto.stops ?? [], at: "stops"),
                    amount: price.amount.require("amount"),
                    currency: price.currency.require("currency"),
                    notes: dto.notes ?? ""
                )
            }
        }
    }
    // end

    package static func agree() throws -> Bool {
        let fragment = try TripFragment.from(raw: Json(parsing: sample))
        let hand = try ByHand.Trip(fragment)
        let lean = try Lean.Trip.from(dto: fragment)
        return hand.name == lean.name && hand.stops.map(\.nights) == lean.stops.map(\.nights)
            && hand.amount == lean.amount && hand.days == lean.days
    }

    // The functions that the benchmark measures.

    private static func decode(_ list: Data) throws -> [TripFragment] { try JsonDecoder().decode(from: list) }

    package static func foundationEntries(of list: Data) throws -> Any {
        try JSONDecoder().decode([TripFragment].self, from: list)
    }
    package static func entries(of list: Data) throws -> Any { try decode(list) }
    package static func modelsByHand(of list: Data) throws -> Any { try decode(list).map(ByHand.Trip.init) }
    package static func leanModels(of list: Data) throws -> Any { try [Lean.Trip].from(dto: decode(list)) }
}
