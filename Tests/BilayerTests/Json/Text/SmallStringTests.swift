import Testing

@testable import Bilayer

@Suite("SmallString")
struct SmallStringTests {
    /// Texts of every length around the limit, ASCII and not, a zero byte among them.
    static let texts: [String] =
        (0...17).map { String("abc\u{0}efghijklmnopq".prefix($0)) }
        + (0...16).map { String(repeating: "x", count: $0) + "\u{E9}" } + [
            "\u{1F600}", "профиль", "e\u{301}", "\u{7F}", "\"",
        ]

    private static func first(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test("the layout is as expected where we build")
    func layout() {
        #if BILAYER_PLAIN_STRINGS
        #expect(!SmallString.isUsable)
        #else
        #expect(SmallString.isUsable == (MemoryLayout<Int>.size == 8))
        #endif
    }

    @Test("short ASCII texts, and no others, lend their bytes", arguments: texts)
    func reading(text: String) {
        let bytes = Array(text.utf8)
        // A string that is made from bytes may be stored in another way than a literal.
        for text in [text, String(decoding: bytes, as: UTF8.self), text + text.prefix(0)] {
            let small = SmallString(ascii: text)
            guard SmallString.isUsable, bytes.count <= 15, bytes.allSatisfy({ $0 < 0x80 }) else {
                #expect(small == nil)
                continue
            }
            #expect(small?.count == bytes.count)
            #expect(small?.first == Self.first(bytes.prefix(8)))
            #expect(small?.rest == Self.first(bytes.dropFirst(8)))
        }
    }

    @Test(
        "what is made is a string like any other",
        .enabled(if: SmallString.isUsable),
        arguments: texts.filter { $0.utf8.count <= 15 }
    )
    func making(text: String) {
        let bytes = Array(text.utf8)
        let made = SmallString.make(
            first: Self.first(bytes.prefix(8)),
            rest: Self.first(bytes.dropFirst(8)),
            count: bytes.count,
            isASCII: bytes.allSatisfy { $0 < 0x80 }
        )
        #expect(made == text)
        #expect(made.hashValue == text.hashValue)
        #expect(Array(made.utf8) == bytes)
        #expect(made.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(made.count == text.count)
        #expect(made + "and a longer end" == text + "and a longer end")
        #expect([made: 1][text] == 1)
    }

    @Test("strings of every length at every distance from the end of a text are read whole", arguments: texts)
    func inTexts(text: String) throws {
        for blanks in 0...20 {
            let json = try Json(parsing: Json(text).serialized() + Array(repeating: 0x20, count: blanks))
            #expect(json.string.map { Array($0.utf8) } == Array(text.utf8))
            #expect(json.string == text)
        }
    }
}
