import Bilayer

extension Route where Response == Photo {
    static func add(_ photo: Photo) -> Route { .post("photos", body: photo) }

    static func addIfAny(_ photo: Photo?) -> Route { .post("photos", body: photo) }

    static func literal() -> Route { .post("photos", body: ["id": "p1", "isNew": true] as Json) }

    // expected-error@+1 {{The body must be a model (DTOEncodable, its DTO RawEncodable), an entry (RawEncodable: add RawMappable to a Codable type)}}
    static func codable(_ settings: Settings) -> Route { .post("settings", body: settings) }

    // expected-error@+1 {{The body must be a model}}
    static func decodableModel(_ user: User) -> Route { .put("users", body: user) }

    // expected-error@+1 {{The body must be a model}}
    static func array(_ settings: [Settings]) -> Route { .post("settings", body: settings) }

    // expected-error@+1 {{Json (write `as Json` after a literal)}}
    static func mixed() -> Route { .post("photos", body: ["id": "p1", "isNew": true]) }

    // expected-error@+1 {{The body must be a model}}
    static func existential(_ photo: any Encodable) -> Route { .post("photos", body: photo) }
}
