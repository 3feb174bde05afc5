import Bilayer
import Foundation
import Testing

@Suite("Scenario: users with photos, bytes to models and back")
struct UsersScenarioTests {
    // The lower layer: the types of the server.

    enum Kind: Int, Codable { case owner, member }

    struct PhotoEntry: Codable, RawEncodable {
        let id: String
        let ref: String
    }

    struct UserEntry: Codable, RawMappable {
        let name: String
        let age: Int
        let type: Kind
        let photos: [PhotoEntry]
    }

    // The upper layer: the types of the app.

    struct Photo: DTOConvertible, Hashable {
        let id: String
        let image: URL

        static func from(dto: PhotoEntry) throws -> Photo {
            try Photo(id: dto.id, image: URL(string: dto.ref).require("ref"))
        }
        func toDTO() throws -> PhotoEntry { PhotoEntry(id: id, ref: image.absoluteString) }
    }

    struct User: DTOConvertible, Hashable {
        let name: String
        let age: Int
        let type: Kind
        let photos: [Photo]

        static func from(dto: UserEntry) throws -> User {
            try User(name: dto.name, age: dto.age, type: dto.type, photos: .from(dto: dto.photos, at: "photos"))
        }
        func toDTO() throws -> UserEntry {
            try UserEntry(name: name, age: age, type: type, photos: photos.toDTO(at: "photos"))
        }
    }

    private let bytes = Data(
        """
        [{"name":"Ada","age":36,"type":0,"photos":[{"id":"p1","ref":"https://img.example.com/1.png"}]},
         {"name":"Grace","age":85,"type":1,"photos":[]}]
        """
        .utf8
    )

    @Test func bytesBecomeModels() throws {
        let users = try [User].from(dto: .from(raw: Json(parsing: bytes)))
        #expect(users.map(\.name) == ["Ada", "Grace"])
        #expect(users.map(\.type) == [.owner, .member])
        #expect(users[0].photos == [Photo(id: "p1", image: URL("https://img.example.com/1.png"))])
    }

    @Test func modelsBecomeTheSameBytes() throws {
        let json = try Json(parsing: bytes)
        let users = try [User].from(dto: .from(raw: json))
        let written = try users.toDTO().toRaw()
        #expect(written == json)
        #expect(try Json(parsing: written.serialized()) == json)
    }

    @Test func aFaultInTheLowerLayerNamesItsPlace() throws {
        let json = try Json(parsing: Data(#"[{"name":"Ada","age":"old","type":0,"photos":[]}]"#.utf8))
        let error = #expect(throws: MappingError.self) { try [UserEntry].from(raw: json) }
        #expect(error?.path == [.index(0), .key("age")])
        #expect(error?.issues.first?.kind == .wrongType)
        #expect(
            error?.description
                == "$[0].age: wrong type: expected Int, found string (3 characters) in UsersScenarioTests.UserEntry"
        )
    }

    @Test func aFaultInTheUpperLayerNamesItsPlace() throws {
        let json = try Json(
            parsing: Data(
                #"[{"name":"Ada","age":1,"type":0,"photos":[{"id":"a","ref":"x"},{"id":"b","ref":""}]}]"#.utf8
            )
        )
        let error = #expect(throws: MappingError.self) { try [User].from(dto: .from(raw: json)) }
        #expect(error?.path == [.index(0), .key("photos"), .index(1), .key("ref")])
        #expect(error?.issues.first?.owner == "UsersScenarioTests.PhotoEntry -> UsersScenarioTests.Photo")
        #expect(error?.issues.first?.source?.function == "from(dto:)")
    }
}

extension UsersScenarioTests.PhotoEntry: RawDecodable { typealias Raw = Json }
