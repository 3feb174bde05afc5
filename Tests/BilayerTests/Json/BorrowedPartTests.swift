import Testing

@testable import Bilayer

/// An entry that keeps the value it is read from.
private struct KeepingEntry: RawDecodable {
    let raw: Json
    let id: Int

    static func from(raw: Json) throws -> KeepingEntry { KeepingEntry(raw: raw, id: try raw.decode("id")) }
}

/// An entry that takes over the value that it is given.
private struct TakingEntry: RawDecodable {
    var raw: Json

    static func from(raw: consuming Json) throws -> TakingEntry {
        raw["seen"] = true
        return TakingEntry(raw: raw)
    }
}

/// An entry whose reading fails, with an error that keeps the value it was read from.
private struct RefusedEntry: RawDecodable, Error {
    let raw: Json

    static func from(raw: Json) throws -> RefusedEntry { throw RefusedEntry(raw: raw) }
}

private struct BorrowedParts<Content: RawDecodable>: RawDecodable where Content.Raw == Json {
    let one: Content
    let perhaps: Content?
    let many: [Content]
    let named: [String: Content]

    static func from(raw: Json) throws -> BorrowedParts {
        try BorrowedParts(
            one: raw.decode("one"),
            perhaps: raw.decodeIfPresent("perhaps"),
            many: raw.decode("many"),
            named: raw.decode("named")
        )
    }
}

@Suite("Json: borrowed parts")
struct BorrowedPartTests {
    private static let text = #"""
        {"one": {"id": 1, "filler": "a string that is not short"}, "perhaps": {"id": 2}, "many": [{"id": 3}, {"id": 4}],
         "named": {"five": {"id": 5}}, "null": null}
        """#

    @Test("the layout is as expected where we build")
    func layout() {
        #if BILAYER_COUNTED_REFERENCES
        #expect(!Json.canBorrowParts)
        #else
        #expect(Json.canBorrowParts == (MemoryLayout<Int>.size == 8))
        #endif
    }

    @Test("a part is the value at its position")
    func parts() throws {
        let json = try Json(parsing: Self.text)
        let document = json.indexed.document
        for position in 0..<document.nodes.words.count where document.nodes.tag(at: position).isContainer {
            #expect(try json.withBorrowedPart(at: position) { $0 } == json.part(at: position))
            #expect(try json.withBorrowedPart(at: position) { $0.count } == json.part(at: position).count)
        }
    }

    @Test("what an entry keeps outlives the value it came from")
    func kept() throws {
        for _ in 0..<100 {
            let box = try BorrowedParts<KeepingEntry>.from(raw: Json(parsing: Self.text))
            let keepers = [box.one, box.perhaps].compactMap(\.self) + box.many + box.named.values
            #expect(keepers.map(\.id) == [1, 2, 3, 4, 5])
            #expect(keepers.map { $0.raw["id"]?.int } == [1, 2, 3, 4, 5])
            #expect(box.one.raw["filler"]?.string == "a string that is not short")
        }
    }

    @Test("what an entry changes is its own")
    func taken() throws {
        let json = try Json(parsing: Self.text)
        let box = try BorrowedParts<TakingEntry>.from(raw: json)
        #expect(box.many.map { $0.raw.description } == [#"{"id":3,"seen":true}"#, #"{"id":4,"seen":true}"#])
        #expect(box.one.raw["seen"] == true && json["one"]?["seen"] == nil)
    }

    @Test("what an error keeps outlives the value it came from")
    func refused() throws {
        let error = #expect(throws: MappingError.self) { try [RefusedEntry].from(raw: Json(parsing: "[\(Self.text)]")) }
        let refused = try #require(error?.issues.first?.underlyingError as? RefusedEntry)
        #expect(refused.raw["one"]?["id"]?.int == 1)
    }

    /// The owner that an entry may release while it is read.
    @TaskLocal fileprivate static var owner: Owner?

    @Test("an entry may let go of the last owner of the text that it is read from")
    func dropped() throws {
        for _ in 0..<200 {
            let owner = Owner(try Json(parsing: Self.text))
            let one: DroppingEntry = try Self.$owner.withValue(owner) { try owner.root.decode("one") }
            #expect(one.id == 1 && one.raw["filler"]?.string == "a string that is not short")
            #expect(owner.root.isNull)
            owner.root = try Json(parsing: "[\(Self.text)]")[0]?["many"] ?? .null
            let many = try Self.$owner.withValue(owner) { try [DroppingEntry].from(raw: owner.root) }
            #expect(many.map(\.id) == [3, 4] && many.map { $0.raw["id"] } == [3, 4])
        }
    }
}

/// An entry that replaces the last owner of the text that it is read from, before it reads.
private struct DroppingEntry: RawDecodable {
    let id: Int
    let raw: Json

    static func from(raw: Json) throws -> DroppingEntry {
        BorrowedPartTests.owner?.root = try Json(parsing: "[\"\(String(repeating: "z", count: 400))\"]")
        BorrowedPartTests.owner?.root = .null
        return try DroppingEntry(id: raw.decode("id"), raw: raw)
    }
}

// Sendable: one test uses it, on one task.
private final class Owner: @unchecked Sendable {
    var root: Json

    init(_ root: Json) { self.root = root }
}
