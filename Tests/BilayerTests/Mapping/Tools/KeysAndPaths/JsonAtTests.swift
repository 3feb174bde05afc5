import Bilayer
import Testing

private struct ArticleEntry: RawDecodable {
    let id: String
    let title: String
    let first: Int?

    static func from(raw: Json) throws -> ArticleEntry {
        let id: String = try raw.decode("id")
        let first: Int? = try raw.at(path: "meta.pages") { try $0.decode(at: 0) }
        return try raw.at("attributes") { try ArticleEntry(id: id, title: $0.decode("title"), first: first) }
    }
}

@Suite("Reading at a place by hand")
struct JsonAtTests {
    @Test func readsTheNestedValue() throws {
        let json = try Json.of(#"{"id":"1","attributes":{"title":"a"},"meta":{"pages":[7]}}"#)
        let article = try ArticleEntry.from(raw: json)
        #expect(article.title == "a" && article.first == 7)
    }

    @Test(
        "errors have whole paths",
        arguments: [
            (
                #"{"id":"1","meta":{"pages":[7]}}"#,
                "$[0].attributes: missing: expected an object, required by ArticleEntry"
            ),
            (
                #"{"id":"1","attributes":7,"meta":{"pages":[7]}}"#,
                "$[0].attributes: wrong type: expected an object, found number in ArticleEntry"
            ),
            (
                #"{"id":"1","attributes":{},"meta":{"pages":[7]}}"#,
                "$[0].attributes.title: missing: expected String, required by ArticleEntry"
            ),
            (
                #"{"id":"1","attributes":{},"meta":{"pages":["x"]}}"#,
                "$[0].meta.pages[0]: wrong type: expected Int, found string (1 character) in ArticleEntry"
            ),
        ]
    )
    func errors(text: String, expected: String) throws {
        let json = try Json.of("[\(text)]")
        let error = #expect(throws: MappingError.self) { try [ArticleEntry].from(raw: json) }
        #expect(error?.description == expected)
    }

    @Test func whatIsReportedHasTheWholePath() throws {
        let json = try Json.of(#"{"a":{"list":[1,"x"]}}"#)
        let mapped = mapping { try json.at("a") { try $0.decodeLossy("list") as [Int] } }
        #expect(mapped.value == [1] && mapped.lines == ["warning dropped $.a.list[1]"])
    }
}
