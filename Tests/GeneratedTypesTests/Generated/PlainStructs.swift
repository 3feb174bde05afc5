// Types in the form of a generator of plain structs: fields are optional, and structs are nested as the document is.

struct BookFragment: Codable, Hashable, Sendable {
    struct Author: Codable, Hashable, Sendable {
        var name: String?

        init(name: String? = nil) { self.name = name }
    }

    var isbn: String?
    var title: String?
    var pages: Int?
    var state: String?
    var author: Author?

    init(
        isbn: String? = nil,
        title: String? = nil,
        pages: Int? = nil,
        state: String? = nil,
        author: Author? = nil
    ) {
        self.isbn = isbn
        self.title = title
        self.pages = pages
        self.state = state
        self.author = author
    }
}
