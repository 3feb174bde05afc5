import Foundation
import Testing

@testable import Bilayer

@Suite("JSON strings")
struct JsonStringTests {
    /// Every 97th scalar, or each with `BILAYER_ALL_SCALARS`, and the ends of the UTF-8 lengths and of the surrogates.
    static let scalars: [Unicode.Scalar] = {
        let step = ProcessInfo.processInfo.environment["BILAYER_ALL_SCALARS"] == nil ? 97 : 1
        let sample = stride(from: UInt32(0), through: 0x10FFFF, by: step)
        let ends: [UInt32] = [
            0, 0x1F, 0x20, 0x22, 0x2F, 0x5C, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000,
            0x10FFFF,
        ]
        return (Array(sample) + ends).compactMap(Unicode.Scalar.init)
    }()

    @Test("every scalar is read as it stands and as an escape, and written so that it is read again")
    func everyScalar() throws {
        // One long text keeps the test fast; the position in the word changes from scalar to scalar.
        let text = Self.scalars.map { String($0) + "x" }.joined()
        let escaped = Self.scalars.flatMap { String($0).utf16.map { "\\u" + String(format: "%04X", $0) } + ["x"] }
            .joined()
        let fromEscapes = try Json(parsing: "\"\(escaped)\"")
        #expect(fromEscapes.string?.hasSameBytes(as: text) == true)
        let written = Json(text).serialized()
        #expect(try Json(parsing: written).string?.hasSameBytes(as: text) == true)
        #expect(try JSONSerialization.jsonObject(with: written, options: .fragmentsAllowed) as? String == text)
        #expect(Json(text) == fromEscapes)
        #expect(Json(text).hashValue == fromEscapes.hashValue)
    }

    @Test("only what must be escaped is escaped")
    func escapes() {
        let text = "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é\u{2028}"
        #expect(Json(text).description == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}é\u{2028}\"")
    }

    @Test("each escape stands for its character, at every distance from a word's start", arguments: 0..<9)
    func escapePositions(distance: Int) throws {
        let before = String(repeating: "a", count: distance)
        let pairs = [
            ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("\\b", "\u{8}"), ("\\f", "\u{C}"), ("\\n", "\n"),
            ("\\r", "\r"), ("\\t", "\t"),
            ("\\u0041", "A"), ("\\u00e9", "é"), ("\\u20ac", "€"), ("\\uD83D\\uDE00", "😀"),
        ]
        for (escape, meaning) in pairs {
            for after in ["", "b", "bbbbbbbbbbbbbbbb"] {
                let json = try Json(parsing: "{\"\(before)\(escape)\(after)\":\"\(before)\(escape)\(after)\"}")
                let text = before + meaning + after
                #expect(json[text]?.string?.hasSameBytes(as: text) == true)
                #expect(json[text + "x"] == nil)
            }
        }
    }

    /// Sequences that are not UTF-8, by what is wrong with them.
    static let malformed: [(String, [UInt8])] = [
        ("a continuation byte alone", [0x80]), ("the last continuation byte alone", [0xBF]),
        ("two continuation bytes", [0x80, 0xBF]),
        ("a two-byte lead alone", [0xC3]), ("a two-byte lead before ASCII", [0xC3, 0x41]),
        ("a two-byte lead twice", [0xC3, 0xC3]),
        ("NUL in two bytes", [0xC0, 0x80]), ("DEL in two bytes", [0xC1, 0xBF]), ("a three-byte lead alone", [0xE2]),
        ("two of three bytes", [0xE2, 0x82]), ("two of three bytes before ASCII", [0xE2, 0x82, 0x41]),
        ("a slash in three bytes", [0xE0, 0x80, 0xAF]),
        ("U+07FF in three bytes", [0xE0, 0x9F, 0xBF]), ("the first surrogate", [0xED, 0xA0, 0x80]),
        ("the last surrogate", [0xED, 0xBF, 0xBF]),
        ("a surrogate pair", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]), ("a four-byte lead alone", [0xF0]),
        ("two of four bytes", [0xF0, 0x9F]),
        ("three of four bytes", [0xF0, 0x9F, 0x98]), ("three of four bytes before ASCII", [0xF0, 0x9F, 0x98, 0x41]),
        ("U+FFFF in four bytes", [0xF0, 0x8F, 0xBF, 0xBF]), ("U+110000", [0xF4, 0x90, 0x80, 0x80]),
        ("a lead of F5", [0xF5, 0x80, 0x80, 0x80]),
        ("a lead of F7", [0xF7, 0xBF, 0xBF, 0xBF]), ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
        ("six bytes", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]),
        ("FE", [0xFE]), ("FF", [0xFF]), ("a third byte that is none", [0xE2, 0x82, 0xC3]),
        ("a second byte that is none", [0xE2, 0x28, 0xA1]),
        ("a fourth byte that is none", [0xF0, 0x9F, 0x98, 0xC3]), ("a scalar, then half of one", [0xC3, 0xA9, 0xC3]),
    ]

    @Test("what is no UTF-8 is refused, in values and keys, near the end and far from it", arguments: malformed)
    func malformedUTF8(what: String, bytes: [UInt8]) throws {
        let long = Array(repeating: UInt8(ascii: "a"), count: 40)
        for (before, after) in [
            ([], []), (long, []), ([], long), (long, long), (Array(long.prefix(3)), Array(long.prefix(2))),
        ] {
            let string = Array("\"".utf8) + before + bytes + after + Array("\"".utf8)
            for text in [
                string, Array("[".utf8) + string + Array("]".utf8), Array("{".utf8) + string + Array(":1}".utf8),
            ] {
                let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: text) }
                #expect(error.expected == "well-formed UTF-8", "\(error)")
            }
        }
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: bytes) }
    }

    /// Unicode §3.9, table 3-7: which second bytes may follow which lead bytes, without the sequences of two bytes.
    static let secondBytes: [(leads: ClosedRange<UInt8>, seconds: ClosedRange<UInt8>)] = [
        (0xE0...0xE0, 0xA0...0xBF), (0xE1...0xEC, 0x80...0xBF), (0xED...0xED, 0x80...0x9F), (0xEE...0xEF, 0x80...0xBF),
        (0xF0...0xF0, 0x90...0xBF), (0xF1...0xF3, 0x80...0xBF), (0xF4...0xF4, 0x80...0x8F),
    ]

    private func expectFault(_ bytes: [UInt8], isUnfinished: Bool) throws {
        for before in [[], Array(repeating: UInt8(ascii: "a"), count: 40)] {
            let text = Array("\"".utf8) + before + bytes
            let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: text) }
            #expect(error.expected == "well-formed UTF-8")
            #expect(error.byteOffset == (isUnfinished ? text.count : 1 + before.count), "\(bytes): \(error)")
        }
    }

    @Test("a sequence at the end of the text is unfinished if more bytes could make it well-formed")
    func sequencesAtTheEnd() throws {
        for lead in UInt8(0x80)...0xFF { try expectFault([lead], isUnfinished: (0xC2...0xF4).contains(lead)) }
        for lead in UInt8(0xE0)...0xFF {
            for second in UInt8.min...UInt8.max {
                let isAllowed = Self.secondBytes.contains { $0.leads.contains(lead) && $0.seconds.contains(second) }
                try expectFault([lead, second], isUnfinished: isAllowed)
                if lead < 0xF0 { continue }
                for third in [UInt8(0x41), 0x7F, 0x80, 0xBF, 0xC0] {
                    let isContinued = (0x80...0xBF).contains(third)
                    try expectFault([lead, second, third], isUnfinished: isAllowed && isContinued)
                }
            }
        }
        let others: [[UInt8]] = [
            [0xC0, 0x80], [0xC1, 0x80], [0xC3, 0x41], [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x98, 0x41],
        ]
        for bytes in others { try expectFault(bytes, isUnfinished: false) }
    }

    /// Pieces, some of which are no UTF-8: the ends of each row of three-byte characters, and bytes just outside of
    /// them.
    static let pieces: [[UInt8]] = [
        [0xE3, 0x81, 0x82], [0xE1, 0x80, 0x80], [0xEC, 0xBF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF],
        [0xEF, 0xBC, 0x81],
        [0xE5, 0xAD, 0x97], [0xE3, 0x81, 0x82], [0xE6, 0xBC, 0xA2], [0xC3, 0xA9], [0xF0, 0x9F, 0x98, 0x80], [0x61],
        [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE3, 0x81], [0xE3, 0xC1, 0x82], [0xE3, 0x81, 0xC2], [0x82],
    ]

    @Test(
        "of characters of three bytes in a row Foundation refuses the same ones",
        arguments: 0..<400 as Range<UInt64>
    )
    func charactersInARow(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // The last six pieces are wrong: take one of them now and then.
        let count = seed.isMultiple(of: 2) ? Self.pieces.count : Self.pieces.count - 6
        let bytes = (0..<Int.random(in: 1...9, using: &random))
            .flatMap { _ in
                Self.pieces[Int.random(in: 0..<count, using: &random)]
            }
        let json = try? Json(parsing: Array("\"".utf8) + bytes + Array("\"".utf8))
        #expect(json?.string == String(bytes: bytes, encoding: .utf8), "seed \(seed): \(bytes)")
    }

    @Test("keys of every length up to 40 are told apart at each byte")
    func keyLengths() throws {
        for length in 1...40 {
            let key = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
            var others: [String] = []
            for position in key.indices {
                others.append(key.replacingCharacters(in: position...position, with: "_"))
            }
            let text = "{" + others.map { "\"\($0)\":0," }.joined() + "\"\(key)\":1}"
            #expect(try Json(parsing: text)[key]?.int == 1)
            #expect(try Json(parsing: text).decode(key) == 1)
            let due = try Json(parsing: "{\"\(others[length / 2])\":0,\"\(key)\":1}")
            #expect(try due.decodeIfPresent(key) == 1 && due.decode(others[length / 2]) == 0)
            #expect(try Json(parsing: "{\(others.map { "\"\($0)\":0" }.joined(separator: ","))}")[key] == nil)
        }
    }
}
