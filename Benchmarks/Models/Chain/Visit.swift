import Bilayer

/// The entry of a body with three fields.
struct VisitEntry: CorpusModel, RawMappable {
    let id: Int
    let place: String
    let nights: Int
}

struct Visit: DTODecodable, Equatable, Sendable {
    let place: String
    let nights: Int

    static func from(dto: VisitEntry) throws -> Visit { Visit(place: dto.place, nights: dto.nights) }
}
