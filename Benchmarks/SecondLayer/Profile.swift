import Bilayer
package import Foundation

/// A profile with renamed fields and a typed identifier. All other fields are read as they are sent.
package enum ProfileForms: TwoForms {
    package static let sample = """
        {"user_id":"u1","display_name":"Ada","bio":null,"followers_count":7,"joined":"2020-02-29",
         "links":["https://a.example.com"],"verified":1}
        """

    // by hand
    enum ByHand {
        struct ProfileEntry: Decodable {
            let userId: String
            let displayName: String
            let bio: String?
            let followersCount: Int
            let joined: String
            let links: [String]
            let verified: Int
        }
        struct Profile: Equatable {
            struct ID: Hashable { let value: String }
            enum Failure: Error { case joined, link }
            let id: ID
            let name: String
            let bio: String
            let followers: Int
            let joined: Date
            let links: [URL]
            let isVerified: Bool

            init(_ entry: ProfileEntry) throws {
                let style = Date.ISO8601FormatStyle().year().month().day()
                guard let joined = try? Date(entry.joined, strategy: style) else { throw Failure.joined }
                id = ID(value: entry.userId)
                name = entry.displayName
                bio = entry.bio ?? ""
                followers = entry.followersCount
                self.joined = joined
                links = try entry.links.map { text in
                    guard let url = URL(string: text) else { throw Failure.link }
                    return url
                }
                isVerified = entry.verified != 0
            }
        }
    }
    // end

    // lean
    enum Lean {
        struct Profile: Codable, RawMappable, Equatable, Identified {
            let id: ID
            let name: String
            let bio: String?
            let followers: Int
            @Formatted<DateOnly> var joined: Date
            let links: [URL]
            @Formatted<FlexibleBool> var isVerified: Bool
            enum CodingKeys: String, CodingKey {
                case bio, joined, links
                case id = "user_id"
                case name = "display_name"
                case followers = "followers_count"
                case isVerified = "verified"
            }
        }
    }
    // end

    package static func agree() throws -> Bool {
        let hand = try ByHand.Profile(
            snakeCaseDecoder.decode(ByHand.ProfileEntry.self, from: Data(sample.utf8))
        )
        let lean = try Lean.Profile.from(raw: Json(parsing: sample))
        return hand.id.value == lean.id.rawValue && hand.name == lean.name && hand.followers == lean.followers
            && hand.joined == lean.joined && hand.links == lean.links && hand.isVerified == lean.isVerified
            && hand.bio == lean.bio ?? ""
    }

    // The functions that the benchmark measures.

    private static func decode(_ list: Data) throws -> [ByHand.ProfileEntry] {
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        return try decoder.decode(from: list)
    }

    package static func foundationEntries(of list: Data) throws -> Any {
        try snakeCaseDecoder.decode([ByHand.ProfileEntry].self, from: list)
    }
    package static func entries(of list: Data) throws -> Any { try decode(list) }
    package static func modelsByHand(of list: Data) throws -> Any { try decode(list).map(ByHand.Profile.init) }
    package static func leanModels(of list: Data) throws -> Any {
        try JsonDecoder().decode([Lean.Profile].self, from: list)
    }
}
