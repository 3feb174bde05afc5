import Bilayer
import Foundation

/// A ticket with the server's keys written down: what conventions for keys are compared with.
struct WrittenTicket: Codable, Equatable, RawMappable {
    typealias CodingKeys = TicketKeys

    struct Author: Codable, Equatable, RawMappable {
        let id: Int
        let login: String
        let avatarUrl: String
        let htmlUrl: String
        let siteAdmin: Bool
        enum CodingKeys: String, CodingKey {
            case id, login
            case avatarUrl = "avatar_url"
            case htmlUrl = "html_url"
            case siteAdmin = "site_admin"
        }
    }
    let id: Int
    let title: String
    let author: Author?
    let createdAt: String
    let updatedAt: String
    let htmlUrl: String
    let unitPrice: String
    let authorAssociation: String
}

/// The same ticket with Swift's names.
struct Ticket: Codable, Equatable, RawMappable {
    struct Author: Codable, Equatable, RawMappable {
        let id: Int
        let login: String
        let avatarUrl: String
        let htmlUrl: String
        let siteAdmin: Bool
    }
    let id: Int
    let title: String
    let author: Author?
    let createdAt: String
    let updatedAt: String
    let htmlUrl: String
    let unitPrice: String
    let authorAssociation: String
}

/// The same ticket with the server's keys, and the types of an app.
struct WrittenTypedTicket: Codable, Equatable, RawMappable {
    typealias CodingKeys = TicketKeys

    let id: Int
    let title: String
    let author: WrittenTicket.Author?
    let createdAt: Date
    let updatedAt: Date
    let htmlUrl: URL
    let unitPrice: QuotedAmount
    let authorAssociation: String
}

/// The same ticket with Swift's names and the types of an app.
struct TypedTicket: Codable, Equatable, RawMappable {
    let id: Int
    let title: String
    let author: Ticket.Author?
    let createdAt: Date
    let updatedAt: Date
    let htmlUrl: URL
    let unitPrice: Decimal
    let authorAssociation: String
}

/// The same ticket with the formats beside the fields.
struct FormattedTicket: Codable, Equatable, RawMappable {
    typealias CodingKeys = TicketKeys

    let id: Int
    let title: String
    let author: WrittenTicket.Author?
    @Formatted<RFC3339> var createdAt: Date
    @Formatted<RFC3339> var updatedAt: Date
    let htmlUrl: URL
    @Formatted<Quoted<Decimal>> var unitPrice: Decimal
    let authorAssociation: String
}

/// The server's keys, written down.
enum TicketKeys: String, CodingKey {
    case id, title, author
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case htmlUrl = "html_url"
    case unitPrice = "unit_price"
    case authorAssociation = "author_association"
}

/// A quoted amount as plain `Codable` reads one.
struct QuotedAmount: Codable, Equatable {
    let amount: Decimal

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let amount = Decimal(string: text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no amount"))
        }
        self.amount = amount
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(amount.description)
    }
}
