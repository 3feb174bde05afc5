import Bilayer
import Testing

private struct ShelfEntry: Codable, RawMappable {
    struct Book: Codable, RawMappable { let title: String? }
    struct Room: Codable, RawMappable { let books: [Book] }
    let books: [Book]
    let best: Book?
    let room: Room
    let byName: [String: Book]
}

private struct Volume: DTODecodable, Equatable {
    let title: String
    static func from(dto: ShelfEntry.Book) throws -> Volume { Volume(title: try dto.title.require("title")) }
}

private struct Shelf: DTODecodable {
    let books: [Volume]
    let best: Volume?
    let inRoom: [Volume]
    let byName: [String: Volume]

    static func from(dto: ShelfEntry) throws -> Shelf {
        try Shelf(
            books: .from(\.books, of: dto),
            best: .from(\.best, of: dto, key: "top"),
            inRoom: .from(\.room.books, of: dto),
            byName: .from(\.byName, of: dto)
        )
    }
}

private let goodShelf: Json = [
    "books": [["title": "a"]], "best": nil, "room": ["books": [["title": "b"]]], "byName": ["x": ["title": "c"]],
]

@Suite("A field of a DTO by its key path")
struct FieldOfDTOTests {
    @Test("models, lists, optionals and dictionaries are made of fields")
    func values() throws {
        let shelf = try Shelf.from(dto: .from(raw: goodShelf))
        #expect(shelf.books == [Volume(title: "a")])
        #expect(shelf.best == nil)
        #expect(shelf.inRoom == [Volume(title: "b")])
        #expect(shelf.byName == ["x": Volume(title: "c")])
    }

    @Test(
        "an error starts with the field's path, or with the key that replaces it",
        arguments: [
            ("books", #"[{"title":"a"},{}]"#, "$.books[1].title"), ("best", "{}", "$.top.title"),
            ("room", #"{"books":[{}]}"#, "$.room.books[0].title"),
            ("byName", #"{"a b":{}}"#, "$.byName.*.title"),
        ]
    )
    func errors(key: String, value: String, path: String) throws {
        var raw = goodShelf
        raw[key] = try Json(parsing: value)
        let mapped = mapping { try Shelf.from(dto: .from(raw: raw)) }
        #expect(mapped.issues.map(\.path.description) == [path])
    }

    @Test("what is left out is reported there, too")
    func salvages() throws {
        var raw = goodShelf
        raw["room"] = ["books": [[:], ["title": "b"]]]
        let mapped = mapping(.salvaging) { try Shelf.from(dto: .from(raw: raw)) }
        #expect(mapped.value?.inRoom == [Volume(title: "b")])
        #expect(mapped.lines == ["warning dropped $.room.books[0]"])
    }
}
