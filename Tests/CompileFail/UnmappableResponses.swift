import Bilayer

extension Route where Response == Settings {
    // expected-error@+1 {{'get' is unavailable: Response must be a model (DTODecodable, its DTO RawDecodable)}}
    static var settings: Route { .get("settings") }
}

extension Route where Response == [Settings] {
    // expected-error@+1 {{'post' is unavailable: Response must be a model (DTODecodable, its DTO RawDecodable)}}
    static var allSettings: Route { .post("settings") }
}

struct ThemeDTO { let name: String }

struct Theme: DTODecodable {
    let name: String
    static func from(dto: ThemeDTO) throws -> Theme { Theme(name: dto.name) }
}

extension Route where Response == Theme? {
    // expected-error@+1 {{'get' is unavailable: Response must be a model (DTODecodable, its DTO RawDecodable)}}
    static var theme: Route { .get("theme") }
}

// expected-error@+1 {{instance method 'failing(with:)' requires that 'Settings' conform to 'DTODecodable'}}
let failing = Route.users.failing(with: Settings.self)
