import Bilayer

// The lower layer: the types of the server, field by field as in the JSON. `Codable` provides reading and writing.

enum MemberKind: Int, Codable {
    case owner = 0
    case member = 1
}

struct PhotoEntry: Codable, RawMappable {
    let id: String
    let ref: String
}

struct UserEntry: Codable, RawMappable {
    let name: String
    let age: Int
    let type: MemberKind
    let photos: [PhotoEntry]
}
