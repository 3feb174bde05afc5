import Bilayer

/// A user of the generated list as a plain `Codable` entry with the default raw mapping.
struct PersonEntry: CorpusModel, RawMappable {
    let id: Int
    let name: String
    let age: Int
    let type: UserKind
    let email: String?
    let createdAt: String
    let rating: Double
    let verified: Bool
    let photos: [PictureEntry]
    let address: HomeEntry
}

struct PictureEntry: CorpusModel, RawMappable {
    let id: Int
    let ref: String
}

struct HomeEntry: CorpusModel, RawMappable {
    let street: String
    let city: String
    let zip: String
    let geo: PlaceEntry
}

struct PlaceEntry: CorpusModel, RawMappable {
    let lat: Double
    let lng: Double
}
