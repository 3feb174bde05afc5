import Bilayer

/// A `Person`, made from entries that are read by hand.
struct PersonByHand: Equatable, Sendable, DTODecodable {
    let person: Person

    static func from(dto: UserEntry) -> PersonByHand {
        PersonByHand(
            person: Person(
                id: Person.ID(dto.id),
                name: dto.name,
                age: dto.age,
                role: Person.Role(dto.type),
                email: dto.email ?? "",
                memberSince: dto.createdAt,
                rating: dto.rating,
                isVerified: dto.verified,
                pictures: dto.photos.map { Picture(id: Picture.ID($0.id), file: $0.ref) },
                home: Home(
                    street: dto.address.street,
                    city: dto.address.city,
                    postcode: dto.address.zip,
                    latitude: dto.address.geo.lat,
                    longitude: dto.address.geo.lng
                )
            )
        )
    }
}
