import Bilayer

extension Route where Response == Photo {
    static func add(_ photo: Photo) -> Route { .post("photos", body: photo) }

    // expected-error@+1 {{requires that 'Settings' conform to 'DTOEncodable'}}
    static func codable(_ settings: Settings) -> Route { .post("settings", body: settings) }

    // expected-error@+1 {{requires that 'User' conform to 'DTOEncodable'}}
    static func decodableModel(_ user: User) -> Route { .put("users", body: user) }

    // expected-error@+1 {{requires that 'Settings' conform to 'DTOEncodable'}}
    static func array(_ settings: [Settings]) -> Route { .post("settings", body: settings) }
}
