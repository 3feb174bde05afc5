// Types in the form of a generator of selection sets: each stores a dictionary, and has computed properties.

struct BookSelection: StoredSelection {
    struct Author: StoredSelection {
        let stored: StoredFields
        static var selections: [StoredField] { [StoredField("name", .text)] }

        init(stored: StoredFields) { self.stored = stored }
        init(name: String) { self.init(stored: StoredFields(["name": name])) }

        var name: String { stored.value("name") }
    }

    let stored: StoredFields
    static var selections: [StoredField] {
        [
            StoredField("isbn", .text), StoredField("title", .text), StoredField("pages", .optional(.whole)),
            StoredField("state", .text), StoredField("author", .optional(.object(Author.self))),
        ]
    }

    init(stored: StoredFields) { self.stored = stored }
    init(isbn: String, title: String, pages: Int? = nil, state: String, author: Author? = nil) {
        self.init(
            stored: StoredFields([
                "isbn": isbn, "title": title, "pages": pages, "state": state, "author": author?.stored,
            ])
        )
    }

    var isbn: String { stored.value("isbn") }
    var title: String { stored.value("title") }
    var pages: Int? { stored.valueIfPresent("pages") }
    var state: String { stored.value("state") }
    var author: Author? { stored.valueIfPresent("author").map(Author.init(stored:)) }
}

// MARK: - What the generator's own library brings

/// The fields of a selection set. Values are text, whole numbers, or fields again.
struct StoredFields: Sendable {
    private var values: [String: any Sendable]

    init(_ values: [String: (any Sendable)?]) { self.values = values.compactMapValues(\.self) }

    func valueIfPresent<Value>(_ name: String, as type: Value.Type = Value.self) -> Value? { values[name] as? Value }

    /// Traps if there is no such value, as such libraries do. The code that fills the dictionary must check the values.
    func value<Value>(_ name: String, as type: Value.Type = Value.self) -> Value {
        guard let value = values[name] as? Value else { fatalError("no \(Value.self) in \(name)") }
        return value
    }
}

protocol StoredSelection: Sendable {
    var stored: StoredFields { get }
    static var selections: [StoredField] { get }
    init(stored: StoredFields)
}

struct StoredField: Sendable {
    let name: String
    let kind: Kind

    indirect enum Kind: Sendable {
        case text
        case whole
        case object(any StoredSelection.Type)
        case optional(Kind)
    }

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// The first version of such a library: the dictionary holds `Any`, so its selections cannot leave their isolation.
struct FirstBookSelection {
    let stored: [String: Any]

    init(stored: [String: Any]) { self.stored = stored }

    var isbn: String? { stored["isbn"] as? String }
    var title: String? { stored["title"] as? String }
    var pages: Int? { stored["pages"] as? Int }
    var state: String? { stored["state"] as? String }
    var authorName: String? { (stored["author"] as? [String: Any])?["name"] as? String }
}
