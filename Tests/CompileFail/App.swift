// The app whose types the other files use. They make mistakes, and this file makes none.
import Bilayer
import Foundation

struct UserEntry: Codable, RawMappable {
    let name: String?
    let age: Int
}

struct User: DTODecodable {
    let name: String

    static func from(dto: UserEntry) throws -> User { try User(name: dto.name.require("name")) }
}

struct PhotoEntry: Codable, RawMappable {
    let id: String
    let ref: String
}

struct Photo: DTOConvertible {
    let id: String
    let image: URL

    static func from(dto: PhotoEntry) throws -> Photo {
        try Photo(id: dto.id, image: URL(string: dto.ref).require("ref"))
    }
    func toDTO() throws -> PhotoEntry { PhotoEntry(id: id, ref: image.absoluteString) }
}

/// Neither an entry nor a model.
struct Settings: Codable, Sendable {
    let theme: String
}

extension Route where Response == [User] { static var users: Route { .get("users") } }
extension Route where Response == User? {
    static func user(_ id: Int) -> Route { .get("users/{id}", ["id": id]) }
}

struct AddHeader: Node {
    func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest { request }
}

struct Stopwatch<Input, Output>: Middleware {
    func intercept(_ input: Input, in context: CallContext, next: some Node<Input, Output>) async throws -> Output {
        try await next.process(input, in: context)
    }
}
