import Bilayer
import Foundation
import Testing

// Display logic in extensions of the generated types. Nothing is declared a second time.

extension BookFragment: CoverSource, LoanSource {
    var coverTitle: String { title ?? "untitled" }
    var coverAuthor: String { author?.name ?? "unknown" }
    var isLent: Bool { state != "AVAILABLE" }
}

extension BookSelection: CoverSource, LoanSource {
    var coverTitle: String { title }
    var coverAuthor: String { author?.name ?? "unknown" }
    var isLent: Bool { state != "AVAILABLE" }
}

extension Components.Schemas.Book: CoverSource, LoanSource {
    var coverTitle: String { title }
    var coverAuthor: String { author?.name ?? "unknown" }
    var isLent: Bool { state != .available }
}

/// An actor that keeps sources: they cross an isolation boundary.
private actor ShelfKeeper<Source: CoverSource & LoanSource> {
    private var kept: [Source] = []

    func keep(_ sources: [Source]) { kept = sources }
    func texts() -> [String] { kept.map { cover(of: $0) + ", " + badge(of: $0) } }
}

@Suite("Generated types: used directly as the model", .timeLimit(.minutes(5)))
struct DirectTests {
    private static let texts = ["Emma by Jane Austen, on the shelf", "Faust by unknown, lent"]

    private func shown<Source: CoverSource & LoanSource>(_ route: Route<[Source]>) async throws -> [String] {
        let keeper = ShelfKeeper<Source>()
        await keeper.keep(try await LibraryServer.client().fetch(route))
        return await keeper.texts()
    }

    @Test("each shape is fetched, sent to an actor and shown, without a second type")
    func direct() async throws {
        #expect(try await shown(Route<[BookFragment]>.get("plain/books")) == Self.texts)
        #expect(try await shown(Route<[BookSelection]>.get("graph/books").at("data.books")) == Self.texts)
        #expect(try await shown(Route<[Components.Schemas.Book]>.get("api/books")) == Self.texts)
    }

    @Test("one view with several fragments as its sources, made by plain initialisers as in a preview")
    func severalSources() {
        let covers = [
            cover(of: BookFragment(title: "Emma")),
            cover(of: BookSelection(isbn: "1", title: "Emma", state: "LENT", author: .init(name: "Jane Austen"))),
            cover(of: Components.Schemas.Book(isbn: "1", title: "Emma", author: .init(name: "Jane Austen"))),
        ]
        #expect(covers == ["Emma by unknown", "Emma by Jane Austen", "Emma by Jane Austen"])
    }

    @Test("one source for several views")
    func severalViews() {
        let book = BookSelection(isbn: "1", title: "Emma", pages: 474, state: "AVAILABLE")
        #expect(cover(of: book) == "Emma by unknown")
        #expect(badge(of: book) == "on the shelf")
        #expect(book.pages == 474)
    }

    @Test("one layer, with rules of the app: a route checks the generated type and keeps it")
    func checked() async throws {
        let checked = Route<[BookFragment]>.get("plain/books")
            .converting { books in
                for (index, book) in books.enumerated() {
                    try require(that: book.pages != nil, "a book has pages", at: "[\(index)].pages")
                }
                return books
            }
        let error = await #expect(throws: CallError.self) { try await LibraryServer.client().fetch(checked) }
        #expect((error?.underlyingError as? MappingError)?.issues.first?.kind == .brokenRule)
    }
}
