// Types in the form of an OpenAPI generator: `Codable` schemas, and operations whose outcomes are enums with payloads.

enum Components {
    enum Schemas {
        struct Book: Codable, Hashable, Sendable {
            enum StatePayload: String, Codable, Hashable, Sendable {
                case available = "AVAILABLE"
                case lent = "LENT"
            }

            var isbn: String
            var title: String
            var state: StatePayload?
            var author: Author?
            var format: FormatPayload?

            init(
                isbn: String,
                title: String,
                state: StatePayload? = nil,
                author: Author? = nil,
                format: FormatPayload? = nil
            ) {
                self.isbn = isbn
                self.title = title
                self.state = state
                self.author = author
                self.format = format
            }
        }

        struct Author: Codable, Hashable, Sendable {
            var name: String?

            init(name: String? = nil) { self.name = name }
        }

        struct Paper: Codable, Hashable, Sendable {
            var pages: Int
        }

        struct Audio: Codable, Hashable, Sendable {
            var minutes: Int
        }

        /// A `oneOf` without a discriminator: the first schema that fits.
        enum FormatPayload: Codable, Hashable, Sendable {
            case paper(Paper)
            case audio(Audio)

            init(from decoder: any Decoder) throws {
                if let paper = try? Paper(from: decoder) {
                    self = .paper(paper)
                } else {
                    self = .audio(try Audio(from: decoder))
                }
            }

            func encode(to encoder: any Encoder) throws {
                switch self {
                case .paper(let paper): try paper.encode(to: encoder)
                case .audio(let audio): try audio.encode(to: encoder)
                }
            }
        }
    }
}

enum Operations {
    enum ListBooks {
        enum Output: Hashable, Sendable {
            case ok(Ok)
            case undocumented(statusCode: Int)

            struct Ok: Hashable, Sendable {
                enum Body: Hashable, Sendable {
                    case json([Components.Schemas.Book])
                }
                var body: Body
            }
        }
    }
}

protocol LibraryAPI: Sendable {
    func listBooks() async throws -> Operations.ListBooks.Output
}
