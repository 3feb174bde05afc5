import Bilayer

/// A user of the generated list.
struct UserEntry: CorpusModel {
    let id: Int
    let name: String
    let age: Int
    let type: UserKind
    let email: String?
    let createdAt: String
    let rating: Double
    let verified: Bool
    let photos: [PhotoEntry]
    let address: AddressEntry
}

enum UserKind: Int, Codable, Sendable, RawMappable {
    case guest
    case member
    case admin
    case owner
}

struct PhotoEntry: CorpusModel {
    let id: Int
    let ref: String
}

struct AddressEntry: CorpusModel {
    let street: String
    let city: String
    let zip: String
    let geo: LocationEntry
}

struct LocationEntry: CorpusModel {
    let lat: Double
    let lng: Double
}
