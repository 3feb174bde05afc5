import Testing

@testable import Bilayer

@Suite("A key that is read by hand")
struct FieldKeyTests {
    /// Keys of 0 to 17 bytes. Those of 1 to 15 bytes are short.
    static let keys = (0...17).map { String("abcdefghijklmnopq".prefix($0)) }

    /// Keys that have the bytes of a key except for one, or one byte more or less.
    private static func neighbours(of key: String) -> Set<String> {
        var neighbours: Set<String> = [key + "z", "z" + key, String(key.dropLast()), String(key.dropFirst())]
        for index in key.indices { neighbours.insert(key.replacingCharacters(at: index, with: "z")) }
        neighbours.remove(key)
        return neighbours
    }

    @Test("is found at every distance from the end of the text", arguments: keys, 0...20)
    func nearTheEnd(key: String, blanks: Int) throws {
        let end = String(repeating: " ", count: blanks)
        #expect(try Json(parsing: "{\"\(key)\":7}\(end)").decode(key) == 7)
        #expect(try Json(parsing: "{\"\(key)\":\"x\"\(end)}").decode(key) == "x")
        #expect(try Json(parsing: "{\"\(key)\":[1]\(end)}").decode(key) == [1])
        #expect(try Json(parsing: "{\"\(key)\":7}\(end)").decodeIfPresent(key) == 7)
    }

    @Test("is compared where it is expected, if it is short and 16 bytes begin there", arguments: keys, 0...20)
    func expected(key: String, blanks: Int) throws {
        let text = Array("{\"\(key)\":7}".utf8) + Array(repeating: Ascii.space, count: blanks)
        let isComparable = SmallString.isUsable && (1...15).contains(key.utf8.count) && text.count >= 2 + 16
        for rule in [IndexOptions.RepeatedKeys.firstWins, .lastWins] {
            let document = try JsonDocument.parse(copying: text, options: IndexOptions(repeatedKeys: rule))
            let value = document.nextMemberPosition(FieldKey(key), in: 0, size: { _, _ in 1 })
            #expect(value == (isComparable && rule == .firstWins ? 4 : nil))
            #expect(document.nextMemberPosition(FieldKey(key), in: 0, size: { _, _ in nil }) == nil)
        }
    }

    @Test("is not found where another key has nearly its bytes", arguments: keys, [0, 20])
    func neighbours(key: String, blanks: Int) throws {
        for other in Self.neighbours(of: key) {
            let json = try Json(parsing: "{\"\(other)\":7}" + String(repeating: " ", count: blanks))
            #expect(try json.decodeIfPresent(key) as Int? == nil, "\(other)")
            #expect(throws: MappingError.self) { try json.decode(key) as Int }
            let both = try Json(parsing: "{\"\(other)\":7,\"\(key)\":8}" + String(repeating: " ", count: blanks))
            #expect(try both.decode(key) == 8 && both.decode(other) == 7, "\(other)")
        }
    }

    @Test(
        "counts where the rule for equal keys says so",
        arguments: keys,
        [Json.ParsingOptions.DuplicateKeys.firstWins, .lastWins]
    )
    func repeatedKeys(key: String, rule: Json.ParsingOptions.DuplicateKeys) throws {
        let json = try Json(
            parsing: "{\"\(key)\":1,\"zz\":0,\"\(key)\":2}              ",
            options: .init(duplicateKeys: rule)
        )
        let expected = rule == .firstWins ? 1 : 2
        #expect(try json.decode(key) == expected)
        #expect(try json.decode("zz") == 0)
        #expect(try json.decode(key) == expected)
    }

    @Test("is found after a value of another type was refused", arguments: keys)
    func afterAnError(key: String) throws {
        let json = try Json(parsing: "{\"\(key)\":[7],\"next\":1}              ")
        #expect(throws: MappingError.self) { try json.decode(key) as String }
        #expect(throws: MappingError.self) { try json.decode(key) as Bool }
        #expect(throws: MappingError.self) { try json.decodeIfPresent(key) as Double? }
        #expect(try json.decode("next") == 1)
        #expect(try json.decode(key) == [7])
    }

    @Test("has the shape of its word in the index", arguments: keys)
    func shape(key: String) {
        let isShort = SmallString.isUsable && (1...SmallString.greatestCount).contains(key.utf8.count)
        let field = FieldKey(key)
        #expect(field.hasShape(of: IndexWord(.asciiString, offset: 1 << 31, length: key.utf8.count)) == isShort)
        for tag in [IndexWord.Tag.unicodeString, .escapedString, .null, .object] {
            #expect(!field.hasShape(of: IndexWord(tag, offset: 0, length: key.utf8.count)) || !isShort && tag == .null)
        }
    }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with character: Character) -> String {
        self[..<index] + String(character) + self[self.index(after: index)...]
    }
}
