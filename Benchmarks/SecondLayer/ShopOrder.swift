import Bilayer
package import Foundation

/// An order with the same structure in both layers. Identifiers, dates, money and the status have types of the app. In
/// Bilayer's form, one struct is both entry and model.
package enum ShopOrderForms: TwoForms {
    package static let sample = """
        {"id":42,"number":"2026-0042","created_at":"2026-11-21T08:30:00Z","status":"paid","total":"59.90",
         "customer":{"id":"c7","name":"Ada","email":null},
         "items":[{"sku":"s1","title":"Lamp","quantity":2,"unit_price":"29.95"}]}
        """

    // by hand
    enum ByHand {
        struct OrderEntry: Decodable {
            struct Customer: Decodable {
                let id: String
                let name: String
                let email: String?
            }
            struct Item: Decodable {
                let sku: String
                let title: String
                let quantity: Int
                let unitPrice: String
            }
            let id: Int
            let number: String
            let createdAt: String
            let status: String
            let total: String
            let customer: Customer
            let items: [Item]
        }
        struct Order: Equatable {
            struct ID: Hashable { let value: Int }
            struct Customer: Equatable {
                struct ID: Hashable { let value: String }
                let id: ID
                let name: String
                let email: String?
            }
            struct Item: Equatable {
                let sku: String
                let title: String
                let quantity: Int
                let unitPrice: Decimal
            }
            enum Status: Equatable {
                case open, paid, sent
                case unknown(String)
            }
            enum Failure: Error { case date, total, unitPrice }
            let id: ID
            let number: String
            let createdAt: Date
            let status: Status
            let total: Decimal
            let customer: Customer
            let items: [Item]

            init(_ entry: OrderEntry) throws {
                guard let createdAt = try? Date(entry.createdAt, strategy: .iso8601) else { throw Failure.date }
                guard let total = Decimal(string: entry.total) else { throw Failure.total }
                id = ID(value: entry.id)
                number = entry.number
                self.createdAt = createdAt
                status = Status(entry.status)
                self.total = total
                customer = Customer(entry.customer)
                items = try entry.items.map(Item.init)
            }
        }
    }
    // end
}

extension ShopOrderForms.ByHand.Order.Status {
    // by hand
    init(_ text: String) {
        switch text {
        case "open": self = .open
        case "paid": self = .paid
        case "sent": self = .sent
        default: self = .unknown(text)
        }
    }
    // end
}

extension ShopOrderForms.ByHand.Order.Customer {
    // by hand
    init(_ entry: ShopOrderForms.ByHand.OrderEntry.Customer) {
        id = ID(value: entry.id)
        name = entry.name
        email = entry.email
    }
    // end
}

extension ShopOrderForms.ByHand.Order.Item {
    // by hand
    init(_ entry: ShopOrderForms.ByHand.OrderEntry.Item) throws {
        guard let unitPrice = Decimal(string: entry.unitPrice) else {
            throw ShopOrderForms.ByHand.Order.Failure.unitPrice
        }
        sku = entry.sku
        title = entry.title
        quantity = entry.quantity
        self.unitPrice = unitPrice
    }
    // end
}

extension ShopOrderForms {
    // lean
    enum Lean {
        enum Status: String, OpenEnum, Codable { case open, paid, sent }
        struct Customer: Codable, Equatable, Identified {
            let id: ID
            let name: String
            let email: String?
        }
        struct Item: Codable, Equatable {
            let sku: String
            let title: String
            let quantity: Int
            @Formatted<Quoted<Decimal>> var unitPrice: Decimal
            enum CodingKeys: String, CodingKey {
                case sku, title, quantity
                case unitPrice = "unit_price"
            }
        }
        struct Order: Codable, RawMappable, Equatable, Identified {
            typealias RawIdentifier = Int
            let id: ID
            let number: String
            @Formatted<RFC3339> var createdAt: Date
            let status: Open<Status>
            @Formatted<Quoted<Decimal>> var total: Decimal
            let customer: Customer
            let items: [Item]
            enum CodingKeys: String, CodingKey {
                case id, number, status, total, customer, items
                case createdAt = "created_at"
            }
        }
    }
    // end

    package static func agree() throws -> Bool {
        let hand = try ByHand.Order(
            snakeCaseDecoder.decode(ByHand.OrderEntry.self, from: Data(sample.utf8))
        )
        let lean = try Lean.Order.from(raw: Json(parsing: sample))
        return hand.id.value == lean.id.rawValue && hand.createdAt == lean.createdAt && hand.total == lean.total
            && hand.status == .paid && lean.status == .known(.paid)
            && hand.customer.id.value == lean.customer.id.rawValue
            && hand.items.map(\.unitPrice) == lean.items.map(\.unitPrice)
    }

    // The functions that the benchmark measures.

    private static func decode(_ list: Data) throws -> [ByHand.OrderEntry] {
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        return try decoder.decode(from: list)
    }

    package static func foundationEntries(of list: Data) throws -> Any {
        try snakeCaseDecoder.decode([ByHand.OrderEntry].self, from: list)
    }
    package static func entries(of list: Data) throws -> Any { try decode(list) }
    package static func modelsByHand(of list: Data) throws -> Any { try decode(list).map(ByHand.Order.init) }
    package static func leanModels(of list: Data) throws -> Any {
        try JsonDecoder().decode([Lean.Order].self, from: list)
    }
}
