import Bilayer

/// An order as the app uses it. In its entry, every field is optional. Each required field is checked by `require`. A
/// missing total gets a default, which is reported.
struct Order: Equatable, Sendable, DTODecodable {
    typealias ID = TypedStringIdentifier<Order>

    enum Status: Sendable {
        case open
        case paid
        case sent
    }

    let id: ID
    let status: Status
    let customer: Customer
    let items: [OrderItem]
    let total: Double
    let note: String

    static func from(dto: OrderEntry) throws -> Order {
        try Order(
            id: ID(dto.orderID.require("orderID")),
            status: Status(dto.status.require("status")),
            customer: .from(dto: dto.customer.require("customer"), at: "customer"),
            items: .from(dto: dto.items.require("items"), at: "items"),
            total: dto.total.default(0, "total"),
            note: dto.note ?? ""
        )
    }
}

extension Order.Status {
    init(_ entry: OrderStatusEntry) {
        switch entry {
        case .new: self = .open
        case .paid: self = .paid
        case .sent: self = .sent
        }
    }
}

struct Customer: Equatable, Sendable, DTODecodable {
    let id: Int
    let name: String
    let email: String?

    static func from(dto: CustomerEntry) throws -> Customer {
        try Customer(id: dto.id.require("id"), name: dto.name.require("name"), email: dto.email)
    }
}

struct OrderItem: Equatable, Sendable, DTODecodable {
    let sku: String
    let title: String
    let quantity: Int
    let price: Double

    static func from(dto: OrderItemEntry) throws -> OrderItem {
        try OrderItem(
            sku: dto.sku.require("sku"),
            title: dto.title.require("title"),
            quantity: dto.quantity.require("quantity"),
            price: dto.price.require("price")
        )
    }
}
