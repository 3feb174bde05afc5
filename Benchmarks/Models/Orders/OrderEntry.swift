import Bilayer

/// An order as the server of a shop sends it. The mapping suite converts it.
struct OrderEntry: CorpusModel {
    let orderID: String?
    let status: OrderStatusEntry?
    let customer: CustomerEntry?
    let items: [OrderItemEntry]?
    let total: Double?
    let note: String?

    enum CodingKeys: String, CodingKey {
        case orderID = "order_id"
        case status
        case customer
        case items
        case total
        case note
    }
}

enum OrderStatusEntry: String, Codable, Sendable {
    case new = "NEW"
    case paid = "PAID"
    case sent = "SENT"
}

struct CustomerEntry: CorpusModel {
    let id: Int?
    let name: String?
    let email: String?
}

struct OrderItemEntry: CorpusModel {
    let sku: String?
    let title: String?
    let quantity: Int?
    let price: Double?
}
