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
        try json.writeObject { user in
            try user.write(id, forKey: "id")
            try user.write(name, forKey: "name")
            try user.write(age, forKey: "age")
            try user.write(type, forKey: "type")
            try user.writeIfPresent(email, forKey: "email")
            try user.write(createdAt, forKey: "createdAt")
            try user.write(rating, forKey: "rating")
            try user.write(verified, forKey: "verified")
            try user.write(photos, forKey: "photos")
            try user.write(address, forKey: "address")
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
        try json.writeObject { photo in
            try photo.write(id, forKey: "id")
            try photo.write(ref, forKey: "ref")
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
        try json.writeObject { address in
            try address.write(street, forKey: "street")
            try address.write(city, forKey: "city")
            try address.write(zip, forKey: "zip")
            try address.write(geo, forKey: "geo")
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
        try json.writeObject { location in
            try location.write(lat, forKey: "lat")
            try location.write(lng, forKey: "lng")
        }
    }
}
