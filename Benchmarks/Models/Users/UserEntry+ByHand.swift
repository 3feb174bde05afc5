import Bilayer

extension UserEntry {
    static func from(raw: Json) throws -> UserEntry {
        try UserEntry(
            id: raw.decode("id"),
            name: raw.decode("name"),
            age: raw.decode("age"),
            type: raw.decode("type"),
            email: raw.decodeIfPresent("email"),
            createdAt: raw.decode("createdAt"),
            rating: raw.decode("rating"),
            verified: raw.decode("verified"),
            photos: raw.decode("photos"),
            address: raw.decode("address")
        )
    }
}

extension UserKind {
    static func from(raw: Json) throws -> UserKind {
        try UserKind(rawValue: Int.from(raw: raw)).require("type")
    }
}

extension PhotoEntry {
    static func from(raw: Json) throws -> PhotoEntry {
        try PhotoEntry(
            id: raw.decode("id"),
            ref: raw.decode("ref")
        )
    }
}

extension AddressEntry {
    static func from(raw: Json) throws -> AddressEntry {
        try AddressEntry(
            street: raw.decode("street"),
            city: raw.decode("city"),
            zip: raw.decode("zip"),
            geo: raw.decode("geo")
        )
    }
}

extension LocationEntry {
    static func from(raw: Json) throws -> LocationEntry {
        try LocationEntry(
            lat: raw.decode("lat"),
            lng: raw.decode("lng")
        )
    }
}
