import Bilayer
package import Foundation

/// A feed whose posts are shown as they are sent, with a few additions. In Bilayer's form, the model contains its DTO.
package enum FeedForms: TwoForms {
    package static let sample = """
        {"posts":[{"id":"p1","author":"Ada","text":"Hello, world","likes":3,"image":"https://img.example.com/1"},
                  {"id":"p2","author":"Bo","text":"","likes":0,"image":null}],"next":"c2"}
        """

    struct PostEntry: Codable, RawMappable, Equatable {
        let id: String
        let author: String
        let text: String
        let likes: Int
        let image: URL?
    }
    struct PageEntry: Codable, RawMappable, Equatable {
        let posts: [PostEntry]
        let next: String?
    }

    // by hand
    enum ByHand {
        struct Post: Equatable {
            let id: String
            let author: String
            let text: String
            let likes: Int
            let image: URL?
            var isPopular: Bool { likes > 2 }

            init(_ entry: PostEntry) {
                id = entry.id
                author = entry.author
                text = entry.text
                likes = entry.likes
                image = entry.image
            }
        }
        struct Page: Equatable {
            let posts: [Post]
            let next: String?
            var isLast: Bool { next == nil }

            init(_ entry: PageEntry) {
                posts = entry.posts.map(Post.init)
                next = entry.next
            }
        }
    }
    // end

    // lean
    enum Lean {
        struct Post: DTOBacked, Equatable {
            let dto: PostEntry
            var isPopular: Bool { dto.likes > 2 }
        }
        struct Page: DTOBacked, Equatable {
            let dto: PageEntry
            var posts: [Post] { dto.posts.map(Post.init) }
            var isLast: Bool { dto.next == nil }
        }
    }
    // end

    package static func agree() throws -> Bool {
        let entry = try PageEntry.from(raw: Json(parsing: sample))
        let hand = ByHand.Page(entry)
        let lean = try Lean.Page.from(dto: entry)
        return hand.posts.map(\.author) == lean.posts.map(\.author) && hand.isLast == lean.isLast
            && hand.posts.map(\.isPopular) == lean.posts.map(\.isPopular) && hand.next == lean.next
    }

    // The functions that the benchmark measures.

    private static func decode(_ list: Data) throws -> [PageEntry] { try JsonDecoder().decode(from: list) }

    package static func foundationEntries(of list: Data) throws -> Any {
        try JSONDecoder().decode([PageEntry].self, from: list)
    }
    package static func entries(of list: Data) throws -> Any { try decode(list) }
    package static func modelsByHand(of list: Data) throws -> Any { try decode(list).map(ByHand.Page.init) }
    package static func leanModels(of list: Data) throws -> Any { try [Lean.Page].from(dto: decode(list)) }
}
