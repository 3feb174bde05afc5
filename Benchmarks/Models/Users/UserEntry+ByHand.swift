import Bilayer

extension UserEntry: JsonWritable {
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

    func write(to json: inout JsonWriter) throws {
        try json.object { user in
            try user.write("id", id)
            try user.write("name", name)
            try user.write("age", age)
            try user.write("type", type)
            try user.writeIfPresent("email", email)
            try user.write("createdAt", createdAt)
            try user.write("rating", rating)
            try user.write("verified", verified)
            try user.write("photos", photos)
            try user.write("address", address)
        }
    }
}

extension UserKind: JsonWritable {
    static func from(raw: Json) throws -> UserKind {
        try UserKind(rawValue: Int.from(raw: raw)).require("type")
    }

    func write(to json: inout JsonWriter) {
        json.write(rawValue)
    }
}

extension PhotoEntry: JsonWritable {
    static func from(raw: Json) throws -> PhotoEntry {
        try PhotoEntry(
            id: raw.decode("id"),
            ref: raw.decode("ref")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { photo in
            try photo.write("id", id)
            try photo.write("ref", ref)
        }
    }
}

extension AddressEntry: JsonWritable {
    static func from(raw: Json) throws -> AddressEntry {
        try AddressEntry(
            street: raw.decode("street"),
            city: raw.decode("city"),
            zip: raw.decode("zip"),
            geo: raw.decode("geo")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { address in
            try address.write("street", street)
            try address.write("city", city)
            try address.write("zip", zip)
            try address.write("geo", geo)
        }
    }
}

extension LocationEntry: JsonWritable {
    static func from(raw: Json) throws -> LocationEntry {
        try LocationEntry(
            lat: raw.decode("lat"),
            lng: raw.decode("lng")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { location in
            try location.write("lat", lat)
            try location.write("lng", lng)
        }
    }
}
