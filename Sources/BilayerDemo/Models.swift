import Bilayer
import Foundation

// The upper layer: the types of the app. Only the conversions decide what an unusual value means.

struct Photo: DTOConvertible {
    let id: String
    let image: URL

    static func from(dto: PhotoEntry) throws -> Photo {
        try Photo(id: dto.id, image: URL(string: dto.ref).require("ref"))
    }

    func toDTO() throws -> PhotoEntry { PhotoEntry(id: id, ref: image.absoluteString) }
}

struct User: DTODecodable {
    let name: String
    let isOwner: Bool
    let photos: [Photo]

    static func from(dto: UserEntry) throws -> User {
        try User(name: dto.name, isOwner: dto.type == .owner, photos: .from(dto: dto.photos, at: "photos"))
    }
}
