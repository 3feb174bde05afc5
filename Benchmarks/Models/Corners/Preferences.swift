import Bilayer

/// Preferences with a default for each field that is missing or `null`.
struct Preferences: Codable, Equatable {
    enum Size: DefaultProvider { static let defaults = Defaults(ifMissing: 20, ifNull: 20) }
    enum Names: DefaultProvider { static let defaults = Defaults<[String]>(ifMissing: [], ifInvalid: []) }

    let id: Int
    @Default<Size> var size: Int
    @Default<Names> var names: [String]
    var note: Field<String> = .absent
}

/// The same preferences with the defaults written by hand.
struct PreferencesByHand: Codable, Equatable {
    let id: Int
    let size: Int
    let names: [String]
    let note: String?

    enum CodingKeys: String, CodingKey { case id, size, names, note }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 20
        names = (try? container.decode([String].self, forKey: .names)) ?? []
        note = try container.decodeIfPresent(String.self, forKey: .note)
    }
}
