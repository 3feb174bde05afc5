import Bilayer
import Foundation

// This file connects the generated types with the app: a conversion for each type, and a route for each server.

extension BookFragment: RawMappable {}

extension Book: DTODecodable {
    static func from(dto: BookFragment) throws -> Book {
        try Book(
            id: ID(dto.isbn.require("isbn")),
            title: dto.title.require("title"),
            pages: dto.pages.default(0, "pages"),
            state: .from(dto: dto.state.require("state"), at: "state"),
            author: (dto.author?.name).default("unknown", "author.name")
        )
    }
}

extension BookSelection: RawDecodable {}

extension Book {
    init(_ selection: BookSelection) throws {
        self.init(
            id: ID(selection.isbn),
            title: selection.title,
            pages: selection.pages.default(0, "pages"),
            state: try .from(dto: selection.state, at: "state"),
            author: (selection.author?.name).default("unknown", "author.name")
        )
    }

    init(_ selection: FirstBookSelection) throws {
        self.init(
            id: ID(try selection.isbn.require("isbn")),
            title: try selection.title.require("title"),
            pages: selection.pages.default(0, "pages"),
            state: try .from(dto: selection.state.require("state"), at: "state"),
            author: selection.authorName.default("unknown", "author.name")
        )
    }
}

extension Components.Schemas.Book: RawMappable {}

extension Book {
    init(_ schema: Components.Schemas.Book) {
        var pages: Int?
        if case .paper(let paper)? = schema.format { pages = paper.pages }
        self.init(
            id: ID(schema.isbn),
            title: schema.title,
            pages: pages.default(0, "format.pages"),
            state: schema.state == .available ? .available : .lent,
            author: (schema.author?.name).default("unknown", "author.name")
        )
    }
}

extension Route where Response == [Book] {
    static var plainShelf: Route { .get("plain/books") }

    static var selectionShelf: Route {
        Route<[BookSelection]>.get("graph/books").at("data.books").converting { try .lossy(from: $0) { try Book($0) } }
    }

    static var openAPIShelf: Route {
        Route<[Components.Schemas.Book]>.get("api/books").converting { $0.map { Book($0) } }
    }
}

// MARK: - Reading selection sets

/// All selection sets of the generator become entries by this one extension. Their fields are checked here, because the
/// generated properties trap.
extension RawDecodable where Self: StoredSelection {
    static func from(raw: Json) throws -> Self { Self(stored: try StoredFields(raw, selections)) }
}

extension StoredFields {
    fileprivate init(_ json: Json, _ selections: [StoredField]) throws {
        var values: [String: any Sendable] = [:]
        for selection in selections { values[selection.name] = try selection.kind.read(selection.name, of: json) }
        self.init(values)
    }
}

extension StoredField.Kind {
    fileprivate func read(_ name: String, of json: Json) throws -> (any Sendable)? {
        switch self {
        case .text: return try json.decode(name) as String
        case .whole: return try json.decode(name) as Int
        case .object(let type): return try stored(type, name, of: json)
        case .optional(let kind): return json[name].map(\.isNull) ?? true ? nil : try kind.read(name, of: json)
        }
    }

    private func stored<Selection: StoredSelection>(
        _ type: Selection.Type,
        _ name: String,
        of json: Json
    ) throws -> StoredFields {
        let selected: Selected<Selection> = try json.decode(name)
        return selected.stored
    }
}

/// The fields of a selection set that is a member of another one.
private struct Selected<Selection: StoredSelection>: RawDecodable {
    let stored: StoredFields

    static func from(raw: Json) throws -> Selected { Selected(stored: try StoredFields(raw, Selection.selections)) }
}
