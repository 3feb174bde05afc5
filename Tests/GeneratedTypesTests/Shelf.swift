import Bilayer
import Foundation

// The app's side: one model, one screen. No generated type is named here.

struct Book: Hashable, Sendable, Identifiable {
    typealias ID = TypedStringIdentifier<Book>
    enum State: String, DefaultCase, DTODecodable, Sendable {
        case available = "AVAILABLE"
        case lent = "LENT"
        static let defaultCase = State.lent
    }

    let id: ID
    let title: String
    let pages: Int
    let state: State
    let author: String
}

/// What the screen shows. It uses a route and the model.
struct ShelfScreen: Sendable {
    let client: Client
    let books: Route<[Book]>

    func lines() async throws -> [String] {
        try await client.fetch(books).map { "\($0.title), \($0.author), \($0.pages) p., \($0.state.rawValue)" }
    }
}

// The needs of two views that use a source directly. Each view takes a protocol, so any type can be its source.

protocol CoverSource: Sendable {
    var coverTitle: String { get }
    var coverAuthor: String { get }
}

protocol LoanSource: Sendable {
    var isLent: Bool { get }
}

func cover(of source: some CoverSource) -> String { "\(source.coverTitle) by \(source.coverAuthor)" }
func badge(of source: some LoanSource) -> String { source.isLent ? "lent" : "on the shelf" }
