import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The types of the samples that have entries and models.
extension MutationSample {
    struct PictureEntry: Codable, RawMappable {
        let ref: String
        let width: Int
    }

    struct ProfileEntry: Codable, RawMappable {
        let id: String?
        let displayName: String?
        let joinedAt: Date?
        let website: URL?
        let photos: [PictureEntry]?
        let bio: String?
    }

    struct Picture: DTODecodable {
        let image: URL
        let width: Int
        static func from(dto: PictureEntry) throws -> Picture {
            try Picture(image: dto.ref.parsed(as: .url, "ref"), width: dto.width)
        }
    }

    struct Profile: DTODecodable {
        let id: String
        let name: String
        let joined: Date
        let website: URL?
        let photos: [Picture]
        let bio: String?
        static func from(dto: ProfileEntry) throws -> Profile {
            try Profile(
                id: dto.id.require("id"),
                name: dto.displayName.require("displayName"),
                joined: dto.joinedAt.require("joinedAt"),
                website: dto.website,
                photos: .from(dto: dto.photos.require("photos"), at: "photos"),
                bio: dto.bio
            )
        }
    }

    struct PurchaseEntry: Codable, RawMappable {
        struct Line: Codable {
            let sku: String
            let count: Int
            @Formatted<Quoted<Decimal>> var price: Decimal
        }
        enum Status: String, Codable { case paid, open }
        let number: String
        let lines: [Line]
        @Formatted<Quoted<Decimal>> var total: Decimal
        let status: Status
        let note: String?
    }

    struct Purchase: DTODecodable {
        let number: String
        let items: [String: Int]
        let total: Decimal
        let isPaid: Bool
        let note: String?
        static func from(dto: PurchaseEntry) throws -> Purchase {
            let sum = dto.lines.reduce(0) { $0 + $1.price * Decimal($1.count) }
            try require(that: sum == dto.total, "the total is the sum of the lines", at: "total")
            return Purchase(
                number: dto.number,
                items: Dictionary(dto.lines.map { ($0.sku, $0.count) }, uniquingKeysWith: +),
                total: dto.total,
                isPaid: dto.status == .paid,
                note: dto.note
            )
        }
    }
}
