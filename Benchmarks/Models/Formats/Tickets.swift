import Bilayer
import Foundation

/// A ticket whose coding keys are written out. The conventions for keys are compared with it.
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

/// A ticket with Swift names.
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

/// A ticket with written coding keys and the types of an app.
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

/// A ticket with Swift names and the types of an app.
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

/// A ticket with a format at each date and at the amount.
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

/// The server's keys.
enum TicketKeys: String, CodingKey {
    case id, title, author
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case htmlUrl = "html_url"
    case unitPrice = "unit_price"
    case authorAssociation = "author_association"
}

/// An amount in quotes, as plain `Codable` reads it.
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
