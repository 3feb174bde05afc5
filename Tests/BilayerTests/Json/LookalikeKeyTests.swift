import Foundation
import Testing

@testable import Bilayer

/// A key that is compared by its bytes, as the server compares it.
private struct ByteKey: Hashable, CodingKeyRepresentable {
    let bytes: [UInt8]

    var codingKey: any CodingKey { PathKey(String(decoding: bytes, as: UTF8.self)) }

    init?(codingKey: some CodingKey) { bytes = Array(codingKey.stringValue.utf8) }
}

@Suite("Keys that look alike, in an object with a repeated key")
struct LookalikeKeyTests {
    /// é as one scalar, and as two.
    private static let text = "{\"a\":1,\"a\":2,\"\u{E9}\":3,\"e\u{301}\":4}"

    private func json(_ duplicateKeys: Json.ParsingOptions.DuplicateKeys = .firstWins) throws -> Json {
        var options = Json.ParsingOptions()
        options.duplicateKeys = duplicateKeys
        return try Json(parsing: Self.text, options: options)
    }

    @Test("each of them counts")
    func each() throws {
        #expect(try json().effectiveMembers.map(\.value) == [1, 3, 4])
        #expect(try json(.lastWins).effectiveMembers.map(\.value) == [2, 3, 4])
        #expect(try [ByteKey: Int].from(raw: json()).values.sorted() == [1, 3, 4])
    }

    @Test("patches and forms write each of them")
    func bodies() throws {
        let expected = "{\"a\":1,\"\u{E9}\":3,\"e\u{301}\":4}"
        let patch = try MergePatch.change(from: [:], to: json())
        #expect(Array(patch.serialized()) == Array(expected.utf8))
        #expect(try MergePatch.change(from: json(), to: [:]).count == 3)
        #expect(try QueryItems.encoding(json()).items.map(\.value) == ["1", "3", "4"])
    }

    @Test("a tag replaces no key that only looks like it")
    func tags() throws {
        let tagged = try json().tagged("\u{E9}", "x")
        #expect(tagged.members.map(\.value) == ["x", 1, 4])
    }

    @Test("a key that only looks like an expected one is unknown")
    func unknown() throws {
        let json = try Json(parsing: "{\"\u{E9}\":3,\"e\u{301}\":4}")
        #expect(throws: MappingError.self) { try json.expectOnly("\u{E9}", unknownKeys: .fail) }
        try json.expectOnly("\u{E9}", "e\u{301}", unknownKeys: .fail)
    }
}
