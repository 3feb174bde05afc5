import Bilayer

/// The generated user as a model of the app: with typed identifiers, its own names, and no unnecessary optional.
struct Person: Equatable, Sendable, DTODecodable {
    typealias ID = TypedIntIdentifier<Person>

    let id: ID
    let name: String
    let age: Int
    let role: Role
    let email: String
    let memberSince: String
    let rating: Double
    let isVerified: Bool
    let pictures: [Picture]
    let home: Home

    enum Role: Sendable {
        case visitor
        case member
        case staff
    }

    static func from(dto: PersonEntry) throws -> Person {
        try Person(
            id: ID(dto.id),
            name: dto.name,
            age: dto.age,
            role: Role(dto.type),
            email: dto.email ?? "",
            memberSince: dto.createdAt,
            rating: dto.rating,
            isVerified: dto.verified,
            pictures: .from(dto: dto.photos, at: "photos"),
            home: .from(dto: dto.address, at: "address")
        )
    }
}

extension Person.Role {
    init(_ kind: UserKind) {
        switch kind {
        case .guest: self = .visitor
        case .member: self = .member
        case .admin, .owner: self = .staff
        }
    }
}

struct Picture: Equatable, Sendable, DTODecodable {
    typealias ID = TypedIntIdentifier<Picture>

    let id: ID
    let file: String

    static func from(dto: PictureEntry) -> Picture {
        Picture(id: ID(dto.id), file: dto.ref)
    }
}

struct Home: Equatable, Sendable, DTODecodable {
    let street: String
    let city: String
    let postcode: String
    let latitude: Double
    let longitude: Double

    static func from(dto: HomeEntry) -> Home {
        Home(
            street: dto.street,
            city: dto.city,
            postcode: dto.zip,
            latitude: dto.geo.lat,
            longitude: dto.geo.lng
        )
    }
}
