/// An entry read by hand, with keys of every length that look-up treats differently.
struct HandReadEntry: RawDecodable, Equatable {
    var a: String?
    var id: Int
    var value: Double?
    var isNamed: Bool?
    var numbers: [Double]?
    var lists: [[Double]]?
    var items: [HandReadEntry]?
    var inner: Inner?

    static func from(raw: Json) throws -> HandReadEntry {
        try HandReadEntry(
            a: raw.decodeIfPresent("a"),
            id: raw.decode("id"),
            value: raw.decodeIfPresent("value"),
            isNamed: raw.decodeIfPresent("key_of_seventeen_"),
            numbers: raw.decodeIfPresent("key of several words"),
            lists: raw.decodeIfPresent("x"),
            items: raw.decodeIfPresent("items"),
            inner: raw.decodeIfPresent("a key of more than twenty-four bytes")
        )
    }

    /// Reads the entry by a walk over all members of the object for each field.
    init(walking json: Json) throws {
        a = try Self.member("a", of: json) { $0.string }
        guard let id = try Self.member("id", of: json, { $0.int }) else { throw Unreadable() }
        self.id = id
        value = try Self.member("value", of: json) { $0.double }
        isNamed = try Self.member("key_of_seventeen_", of: json) { $0.bool }
        numbers = try Self.member("key of several words", of: json) { try Self.elements(of: $0) { $0.double } }
        lists = try Self.member("x", of: json) { try Self.elements(of: $0) { try Self.elements(of: $0) { $0.double } } }
        items = try Self.member("items", of: json) { try Self.elements(of: $0) { try HandReadEntry(walking: $0) } }
        inner = try Self.member("a key of more than twenty-four bytes", of: json) { try Inner(walking: $0) }
    }

    private init(
        a: String?,
        id: Int,
        value: Double?,
        isNamed: Bool?,
        numbers: [Double]?,
        lists: [[Double]]?,
        items: [HandReadEntry]?,
        inner: Inner?
    ) {
        (self.a, self.id, self.value, self.isNamed) = (a, id, value, isNamed)
        (self.numbers, self.lists, self.items, self.inner) = (numbers, lists, items, inner)
    }

    /// A member that is an object.
    struct Inner: RawDecodable, Equatable {
        var id: Int
        var value: Double?

        static func from(raw: Json) throws -> Inner {
            try Inner(id: raw.decode("id"), value: raw.decodeIfPresent("value"))
        }

        init(walking json: Json) throws {
            guard let id = try HandReadEntry.member("id", of: json, { $0.int }) else { throw Unreadable() }
            self.id = id
            value = try HandReadEntry.member("value", of: json) { $0.double }
        }

        private init(id: Int, value: Double?) { (self.id, self.value) = (id, value) }
    }

    private struct Unreadable: Error {}

    private static func member<Value>(_ key: String, of json: Json, _ read: (Json) throws -> Value?) throws -> Value? {
        guard json.kind == .object else { throw Unreadable() }
        let found = json.members.first { $0.key.utf8.elementsEqual(key.utf8) }
        guard let value = found?.value, !value.isNull else { return nil }
        guard let result = try read(value) else { throw Unreadable() }
        return result
    }

    private static func elements<Value>(of json: Json, _ read: (Json) throws -> Value?) throws -> [Value] {
        guard json.kind == .array else { throw Unreadable() }
        return try json.elements.map { element in
            guard let value = try read(element) else { throw Unreadable() }
            return value
        }
    }
}

extension HandReadEntry {
    /// Reads the elements of an array, or a single value, in both ways.
    static func compare(_ text: [UInt8]) {
        guard let json = try? Json(parsing: text) else { return }
        if json.kind == .array {
            let byHand = try? [HandReadEntry].from(raw: json)
            let walked = try? json.elements.map { try HandReadEntry(walking: $0) }
            check(byHand == walked, "read by hand \(String(describing: byHand)), walked \(String(describing: walked))")
        }
        let byHand = try? HandReadEntry.from(raw: json)
        let walked = try? HandReadEntry(walking: json)
        check(byHand == walked, "read by hand \(String(describing: byHand)), walked \(String(describing: walked))")
    }
}
