import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Generated types: mapped into models of the app", .timeLimit(.minutes(5)))
struct MappedTests {
    private let reporter = CollectingReporter()

    private func texts(_ issues: [MappingIssue]) -> [String] { issues.map { "\($0.kind) \($0.path)" } }

    @Test("plain structs: typed ids, defaults, unknown values, each with its report")
    func plain() async throws {
        let client = LibraryServer.client(reporter: reporter)
        #expect(try await client.fetch(.plainShelf) == LibraryServer.books)
        #expect(
            texts(reporter.issues).sorted()
                == ["unknown value $[1].state", "used default $[1].author.name", "used default $[1].pages"]
        )
    }

    @Test("selection sets: the same, through the computed properties")
    func selections() async throws {
        let client = LibraryServer.client(reporter: reporter)
        #expect(try await client.fetch(.selectionShelf) == LibraryServer.books)
        #expect(
            texts(reporter.issues).sorted() == [
                "unknown value $.data.books[1].state", "used default $.data.books[1].author.name",
                "used default $.data.books[1].pages",
            ]
        )
    }

    @Test("schemas of OpenAPI: the same, through the payload enums")
    func schemas() async throws {
        let client = LibraryServer.client(reporter: reporter)
        #expect(try await client.fetch(.openAPIShelf) == LibraryServer.books)
        #expect(reporter.issues.allSatisfy { $0.kind == .usedDefault } && reporter.issues.count == 2)
    }

    @Test(
        "a required field that is missing is an error with its path",
        arguments: [
            (Route<[Book]>.plainShelf, "$[0].isbn"), (.selectionShelf, "$.data.books[0].isbn"),
            (.openAPIShelf, "$[0].isbn"),
        ]
    )
    func required(route: Route<[Book]>, path: String) async throws {
        let books = #"[{"title":"Emma","state":"LENT"}]"#
        let client = LibraryServer.client(plain: books, graph: #"{"data":{"books":\#(books)}}"#, api: books)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        let issue = try #require((error?.underlyingError as? MappingError)?.issues.first)
        #expect(issue.kind == .missing && issue.path.description == path)
    }

    @Test("a field of another type is an error before a property of the generator can trap")
    func wrongType() async throws {
        let books = #"{"data":{"books":[{"isbn":"1","title":7,"state":"LENT"}]}}"#
        let error = await #expect(throws: CallError.self) {
            try await LibraryServer.client(graph: books).fetch(.selectionShelf)
        }
        let issue = try #require((error?.underlyingError as? MappingError)?.issues.first)
        #expect(issue.kind == .wrongType && issue.path.description == "$.data.books[0].title")
    }

    @Test(
        "behind a route, the screen is the same for every generator",
        arguments: [Route<[Book]>.plainShelf, .selectionShelf, .openAPIShelf]
    )
    func screen(books: Route<[Book]>) async throws {
        let screen = ShelfScreen(client: LibraryServer.client(), books: books)
        #expect(
            try await screen.lines() == ["Emma, Jane Austen, 474 p., AVAILABLE", "Faust, unknown, 0 p., LENT"]
        )
    }
}
