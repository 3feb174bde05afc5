import Bilayer
import Foundation

struct UserEntry: Codable, RawDecodable { let name: String }
struct User: DTODecodable, Sendable {
    let name: String
    static func from(dto: UserEntry) throws -> User { User(name: dto.name) }
}
struct Photo: DTODecodable, Sendable {
    let id: String
    static func from(dto: UserEntry) throws -> Photo { Photo(id: dto.name) }
}

extension Route where Response == [User] { static var users: Route { .get("users") } }

func fetch(from client: Client) async throws {
    let users = try await client.fetch(.users)
    let typed: [User] = users
    // expected-error@+2 {{cannot assign value of type '[User]' to type '[Photo]'}}
    // expected-note@+1 {{arguments to generic parameter 'Element' ('User' and 'Photo') are expected to be equal}}
    let wrong: [Photo] = try await client.fetch(.users)
    _ = (typed, wrong)
}
