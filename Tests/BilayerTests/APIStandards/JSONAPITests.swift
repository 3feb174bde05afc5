import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct APIPerson: DTODecodable, Sendable, Equatable {
    let firstName: String
    static func from(dto: JSONAPIResource) throws -> APIPerson {
        try APIPerson(firstName: dto.attribute("firstName"))
    }
}

private struct APIComment: DTODecodable, Sendable, Equatable {
    let body: String
    let author: String?
    static func from(dto: JSONAPIResource) throws -> APIComment {
        struct Entry: Codable, RawMappable { let body: String }
        return try APIComment(
            body: dto.attributes(as: Entry.self).body,
            author: dto.linkage("author", of: "people")?.id
        )
    }
}

private struct APIArticle: DTODecodable, Sendable, Equatable {
    let title: String
    let author: APIPerson?
    let comments: [APIComment]
    static func from(dto: JSONAPIResource) throws -> APIArticle {
        try APIArticle(
            title: dto.attribute("title"),
            author: dto.one("author", of: "people"),
            comments: dto.many("comments", of: "comments")
        )
    }
}

/// A model that follows relationships for ever.
private indirect enum APINode: DTODecodable, Sendable {
    case node(APINode?)
    static func from(dto: JSONAPIResource) throws -> APINode { .node(try dto.one("next", of: "nodes")) }
}

/// The document of https://jsonapi.org, shortened, and with `null` as the author of the second comment.
private let compound = """
    {"links": {"self": "http://example.com/articles", "next": "http://example.com/articles?page[offset]=2"},
     "data": [{"type": "articles", "id": "1", "attributes": {"title": "JSON:API paints my bikeshed!"},
       "relationships": {
         "author": {"links": {"self": "http://example.com/articles/1/relationships/author"},
                    "data": {"type": "people", "id": "9"}},
         "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "12"}]}}}],
     "included": [
       {"type": "people", "id": "9", "attributes": {"firstName": "Dan", "lastName": "Gebhardt"}},
       {"type": "comments", "id": "5", "attributes": {"body": "First!"},
        "relationships": {"author": {"data": {"type": "people", "id": "2"}}}},
       {"type": "comments", "id": "12", "attributes": {"body": "I like XML better"},
        "relationships": {"author": {"data": null}}}]}
    """

@Suite("JSON:API documents")
struct JSONAPITests {
    private let stub = StubTransport()
    private var client: Client { Client(baseURL: URL("https://example.com"), transport: stub) }

    private func articles(_ text: String) async throws -> [APIArticle] {
        stub.on(.get, "/articles", .json(text))
        let route = Route<JSONAPIDocument>.get("articles").converting { try $0.many(APIArticle.self, of: "articles") }
        return try await client.fetch(route)
    }

    @Test func includedResourcesAreResolved() async throws {
        #expect(
            try await articles(compound) == [
                APIArticle(
                    title: "JSON:API paints my bikeshed!",
                    author: APIPerson(firstName: "Dan"),
                    comments: [
                        APIComment(body: "First!", author: "2"), APIComment(body: "I like XML better", author: nil),
                    ]
                )
            ]
        )
    }

    @Test(
        "what is missing, or of another form, has its path",
        arguments: [
            (#""firstName": "Dan", "#, "", "$.included[0].attributes.firstName"),
            (#""body": "First!""#, #""body": 1"#, "$.included[1].attributes.body"),
            (#""title": "JSON:API paints my bikeshed!""#, "", "$.data[0].attributes.title"),
            (
                #""type": "people", "id": "9"}}"#, #""type": "people", "id": "8"}}"#,
                "$.data[0].relationships.author.data"
            ),
            (
                #""type": "people", "id": "9"}}"#, #""type": "pets", "id": "9"}}"#,
                "$.data[0].relationships.author.data.type"
            ),
            (
                #"{"type": "comments", "id": "12"}]"#, #"{"type": "comments"}]"#,
                "$.data[0].relationships.comments.data[1].id"
            ),
            (
                #"{"type": "comments", "id": "12"}]"#, #"{"type": "comments", "id": "13"}]"#,
                "$.data[0].relationships.comments.data[1]"
            ),
            (#"{"type": "articles", "id": "1""#, #"{"type": "people", "id": "1""#, "$.data[0].type"),
            (#"{"type": "comments", "id": "12", "attr"#, #"{"type": "comments", "id": "5", "attr"#, "$.included[2]"),
            (#""included": ["#, #""included": [7, "#, "$.included[0]"),
            (#""data": [{"type": "articles""#, #""dataa": [{"type": "articles""#, "$.data"),
        ]
    )
    func errors(old: String, new: String, path: String) async throws {
        #expect(compound.contains(old))
        let text = compound.replacingOccurrences(of: old, with: new)
        let error = await #expect(throws: CallError.self) { try await articles(text) }
        #expect(error?.issues.map(\.path.description) == [path])
    }

    private struct Note: DTODecodable, Sendable {
        let text: String
        static func from(dto: JSONAPIResource) throws -> Note {
            struct Entry: Codable, RawMappable { let text: String? }
            let entry = try dto.attributes(as: Entry.self)
            return Note(text: entry.text.default("none", "text"))
        }
    }

    private static let notes = """
        {"data": [{"type": "notes", "id": "1", "attributes": {"text": "a"}},
                  {"type": "notes", "id": "2", "attributes": {"text": 2}},
                  {"type": "notes", "id": "3"},
                  {"type": "people", "id": "4", "attributes": {"text": "d"}}]}
        """

    @Test("a policy tolerates and collects resources one by one, with their paths")
    func policies() async throws {
        stub.on(.get, "/notes", .json(Self.notes))
        let route = Route<JSONAPIDocument>.get("notes").converting { try $0.many(Note.self, of: "notes") }
        let reporter = CollectingReporter()
        let found = try await client.fetch(route, reporter: reporter, mapping: .salvaging)
        #expect(found.map(\.text) == ["a", "none", "none"])
        let issues = reporter.reports.flatMap(\.issues).map { "\($0.path) \($0.kind)" }
        #expect(
            issues == [
                "$.data[1].attributes.text dropped", "$.data[3] dropped", "$.data[1].text used default",
                "$.data[2].text used default",
            ]
        )
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(route, mapping: .collectingAll())
        }
        #expect(error?.issues.map(\.path.description) == ["$.data[1].attributes.text", "$.data[3].type"])
    }

    @Test("a circle of relationships is an error with its path, not an endless loop")
    func circles() async throws {
        stub.on(
            .get,
            "/node",
            .json(
                """
                {"data": {"type": "nodes", "id": "a", "relationships": {"next": {"data": {"type": "nodes", "id": "b"}}}},
                 "included": [
                   {"type": "nodes", "id": "b", "relationships": {"next": {"data": {"type": "nodes", "id": "a"}}}}]}
                """
            )
        )
        let route = Route<JSONAPIDocument>.get("node").converting { try $0.one(APINode.self, of: "nodes") }
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.path.description) == ["$.included[0].relationships.next.data"])
    }

    @Test("one resource, none, and a list where one is expected")
    func one() throws {
        let none = try JSONAPIDocument.from(raw: ["data": nil])
        #expect(try none.one(APIPerson.self, of: "people") == nil)
        let one = try JSONAPIDocument.from(
            raw: ["data": ["type": "people", "id": "1", "attributes": ["firstName": "Ada"]], "meta": ["count": 1]]
        )
        #expect(try one.one(APIPerson.self, of: "people") == APIPerson(firstName: "Ada"))
        #expect(one.meta?["count"]?.int == 1)
        let list = try JSONAPIDocument.from(raw: ["data": []])
        #expect(throws: MappingError.self) { try list.one(APIPerson.self, of: "people") }
    }

    @Test("errors of a document")
    func failures() async throws {
        stub.on(
            .get,
            "/articles",
            .json(
                """
                {"errors": [{"status": "422", "source": {"pointer": "/data/attributes/firstName"},
                 "title": "Invalid Attribute", "detail": "First name must contain at least two characters."}]}
                """,
                status: 422
            )
        )
        let route = Route<JSONAPIDocument>.get("articles").failing(with: JSONAPIErrors.self)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        let failure = error?.failure(as: JSONAPIErrors.self)?.errors.first
        #expect(failure?.pointer == "/data/attributes/firstName")
        #expect(failure?.title == "Invalid Attribute")
        #expect(failure?.status == "422")
    }
}
