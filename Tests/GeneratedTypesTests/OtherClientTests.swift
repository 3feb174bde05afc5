import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The part that this app needs of the client of a generator of selection sets: it reads its cache and its server.
private protocol SelectionClient: Sendable {
    /// The cached books, if any, then those of the server.
    func watchBooks() -> AsyncThrowingStream<[BookSelection], any Error>
}

/// A double of that client.
private struct CachingSelectionClient: SelectionClient {
    let results: [[BookSelection]]

    func watchBooks() -> AsyncThrowingStream<[BookSelection], any Error> {
        AsyncThrowingStream { continuation in
            for result in results { continuation.yield(result) }
            continuation.finish()
        }
    }
}

extension SelectionClient {
    /// Makes models of the results of that client, in one place.
    fileprivate func books(reporter: any MappingReporter) -> AsyncThrowingStream<[Book], any Error> {
        let selections = watchBooks()
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await books in selections {
                        continuation.yield(
                            try reporter.mapping("WatchBooks") {
                                try [Book].lossy(from: books, at: "books") { try Book($0) }
                            }
                        )
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

private struct UnexpectedStatus: Error, Equatable {
    let status: Int
}

private struct StubLibrary: LibraryAPI {
    let output: Operations.ListBooks.Output

    func listBooks() async throws -> Operations.ListBooks.Output { output }
}

extension LibraryAPI {
    fileprivate func books(reporter: any MappingReporter) async throws -> [Book] {
        switch try await listBooks() {
        case .ok(let ok):
            switch ok.body {
            case .json(let books): return try reporter.mapping("listBooks") { books.map { Book($0) } }
            }
        case .undocumented(let status): throw UnexpectedStatus(status: status)
        }
    }
}

@Suite("Generated types: fed by another client", .timeLimit(.minutes(5)))
struct OtherClientTests {
    private let reporter = CollectingReporter()

    @Test("plain structs become models by one call, with a report that names the screen")
    func plain() throws {
        let fragments = [
            BookFragment(isbn: "1", title: "Emma", pages: 474, state: "AVAILABLE", author: .init(name: "Jane Austen")),
            BookFragment(isbn: "2", title: "Faust", state: "RESTORED"),
        ]
        #expect(try [Book].from(dto: fragments, reporter: reporter, subject: "Shelf") == LibraryServer.books)
        #expect(reporter.reports.map(\.subject) == ["Shelf"])
        #expect(reporter.issues.map(\.path.description).sorted() == ["$[1].author.name", "$[1].pages", "$[1].state"])
    }

    @Test("a failed conversion is thrown and reported; a policy may leave out what fails")
    func failed() throws {
        let fragments = [BookFragment(isbn: "1", title: "Emma", pages: 1, state: "LENT"), BookFragment(title: "Faust")]
        let error = #expect(throws: MappingError.self) { try [Book].from(dto: fragments, reporter: reporter) }
        #expect(error?.issues.first?.path.description == "$[1].isbn")
        #expect(reporter.reports.count == 1 && reporter.issues.contains { $0.severity == .error })
        let kept = try [Book].from(dto: fragments, reporter: reporter, policy: .salvaging)
        #expect(kept.map(\.title) == ["Emma"])
        #expect(reporter.reports.count == 2)
    }

    @Test("results of another client's cache and server: each becomes models, and one with defaults has a report")
    func watched() async throws {
        let cached = BookSelection(isbn: "1", title: "Emma", state: "LENT")
        let fetched = BookSelection(isbn: "1", title: "Emma", pages: 474, state: "LENT", author: .init(name: "Austen"))
        let client = CachingSelectionClient(results: [[cached], [fetched]])
        var pages: [Int] = []
        for try await books in client.books(reporter: reporter) { pages += books.map(\.pages) }
        #expect(pages == [0, 474])
        #expect(reporter.reports.map(\.subject) == ["WatchBooks"])
        #expect(reporter.issues.map(\.path.description) == ["$.books[0].pages", "$.books[0].author.name"])
    }

    @Test("selections that are not Sendable are converted where they are, and the models leave")
    func firstVersion() async throws {
        let models = try reporter.mapping("Shelf") {
            let selection = FirstBookSelection(stored: ["isbn": "1", "title": "Emma", "pages": 474, "state": "LENT"])
            return [try Book(selection)]
        }
        let titles = await Task.detached { models.map(\.title) }.value
        #expect(titles == ["Emma"])
        #expect(reporter.issues.map(\.path.description) == ["$.author.name"])
    }

    @Test("an operation's outcome: its payload becomes models, another status an error")
    func outcome() async throws {
        let books = [
            Components.Schemas.Book(
                isbn: "1",
                title: "Emma",
                state: .available,
                author: .init(name: "Jane Austen"),
                format: .paper(.init(pages: 474))
            ),
            Components.Schemas.Book(isbn: "2", title: "Faust", format: .audio(.init(minutes: 90))),
        ]
        let library = StubLibrary(output: .ok(.init(body: .json(books))))
        #expect(try await library.books(reporter: reporter) == LibraryServer.books)
        #expect(reporter.reports.map(\.subject) == ["listBooks"])
        let refusing = StubLibrary(output: .undocumented(statusCode: 503))
        await #expect(throws: UnexpectedStatus(status: 503)) { try await refusing.books(reporter: reporter) }
    }
}
