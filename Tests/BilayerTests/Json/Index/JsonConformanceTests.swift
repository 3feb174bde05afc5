import Foundation
import Testing

@testable import Bilayer

/// Texts for every production of RFC 8259, and texts that break them.
@Suite("JSON texts by RFC 8259")
struct JsonConformanceTests {
    /// Texts that are JSON, each with its compact form where that differs.
    static let accepted: [(text: String, compact: String?)] = [
        // §2, §3: any value is a text; blanks around the six structural characters.
        ("null", nil), ("true", nil), ("false", nil), ("0", nil), (#""""#, nil), ("[]", nil), ("{}", nil),
        (" \t\r\n null \t\r\n ", "null"), ("\n[\t1\r,\n2 ]\t", "[1,2]"),
        ("\t{\r\"a\"\n:\t1 ,\r\"b\" : [ ] }\n", #"{"a":1,"b":[]}"#),
        ("[ ]", "[]"), ("{ }", "{}"), ("        [        ]        ", "[]"), (" 1 ", "1"), ("\u{FEFF}[1]", "[1]"),
        // §4: objects. Keys may be empty and may repeat.
        (#"{"":0}"#, nil), (#"{"a":{"b":{"c":{}}}}"#, nil), (#"{"a":1,"a":2}"#, nil), (#"{"\u0061":1}"#, nil),
        (#"{"a b":[{},{}]}"#, nil),
        // §5: arrays.
        ("[1]", nil), ("[[],[[]],{}]", nil), ("[null,true,false,0,\"\",[],{}]", nil),
        // §6: numbers.
        ("-0", nil), ("-1", nil), ("10", nil), ("1234567890", nil), ("12345678", nil), ("123456789", nil), ("0.0", nil),
        ("-0.0", nil),
        ("1.5", nil), ("0.10", nil), ("1e0", nil), ("1E0", nil), ("1e+00", nil), ("1e-01", nil), ("0e1", nil),
        ("0e+1", nil), ("0E-1", nil),
        ("1.5e10", nil), ("-12.75E-003", nil), ("123456789012345678901234567890", nil),
        ("1e999999999999999999999", nil),
        ("[1,-1,0,1.5,1e5]", nil), ("0.000000000000000000000000000000000001", nil), ("12345678.12345678e12345678", nil),
        // §7: strings.
        (#""a""#, nil), (#""\"\\\/\b\f\n\r\t""#, nil), (#""\u0000\u001F\u007f\uABCD\uabcd""#, nil),
        (#""\uD834\uDD1E""#, nil),
        (#""\ud834\udd1e""#, nil), ("\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"", nil),
        ("\"'/{}[]:,\"", nil),
        (#""1234567""#, nil), (#""12345678""#, nil), (#""123456789""#, nil), (#""1234567\"""#, nil),
        (#""12345678\\""#, nil),
        ("\"1234567é\"", nil), ("\"日本語日本語日本語\"", nil), (#""\\u0041""#, nil),
    ]

    @Test("is read, and written back token by token", arguments: accepted)
    func accepts(text: String, compact: String?) throws {
        for json in [try Json(parsing: text), try Json(parsing: Data(text.utf8)), try Json(parsing: Array(text.utf8))] {
            #expect(json.description == compact ?? text)
        }
    }

    /// Texts that are not JSON, each with the offset of its error. In most cases, this is the first byte that is not
    /// allowed. For a misspelt literal, a leading zero or half a surrogate pair, it is where that begins.
    static let refused: [(text: String, offset: Int)] = [
        // §2: a text is exactly one value.
        ("", 0), (" ", 1), ("\u{FEFF}", 3), ("1 2", 2), ("[] []", 3), ("{}1", 2), ("null,", 4), ("\"a\"\"b\"", 3),
        (",", 0), (":", 0), ("[]]", 2),
        ("{}}", 2), ("]", 0), ("}", 0), ("#", 0), ("/**/1", 0), ("1//", 1), ("[1/*c*/]", 2), ("\u{0B}1", 0),
        ("\u{0C}1", 0), ("\u{A0}1", 0),
        ("[1\u{2028}]", 2), ("\0", 0), ("1\0", 1), ("[]\0", 2), ("\u{FEFF}\u{FEFF}1", 3), ("1\u{FEFF}", 1),
        // §3: literals, in lower case only.
        ("n", 1), ("nul", 3), ("nulll", 4), ("Null", 0), ("NULL", 0), ("nuLl", 0), ("t", 1), ("tru", 3), ("True", 0),
        ("truee", 4), ("f", 1),
        ("fals", 4), ("False", 0), ("falsy", 0), ("undefined", 0), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1),
        ("[nul]", 1), ("[tru,1]", 1),
        ("{\"a\":fal}", 5), ("nan", 0), ("yes", 0),
        // §4: objects.
        ("{", 1), ("{\"", 2), ("{\"a", 3), ("{\"a\"", 4), ("{\"a\":", 5), ("{\"a\":1", 6), ("{\"a\":1,", 7),
        ("{\"a\":1,}", 7), ("{,}", 1), ("{,\"a\":1}", 1),
        ("{\"a\" 1}", 5), ("{\"a\",1}", 4), ("{\"a\"::1}", 5), ("{\"a\":1 \"b\":2}", 7), ("{\"a\":1,,\"b\":2}", 7),
        ("{a:1}", 1), ("{'a':1}", 1), ("{1:1}", 1),
        ("{null:1}", 1), ("{\"a\":}", 5), ("{\"a\"}", 4), ("{\"a\":1]", 6), ("{[]:1}", 1), ("{\"a\":1;}", 6),
        ("{:1}", 1), ("{\"a\"=1}", 4), ("{\"a\":1 1}", 7),
        // §5: arrays.
        ("[", 1), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1,,2]", 3), ("[,]", 1), ("[1 2]", 3), ("[1}", 2),
        ("[1:2]", 2), ("[\"a\":1]", 4), ("[[]", 3),
        ("[1;2]", 2), ("[(1)]", 1), ("[\"a\" \"b\"]", 5), ("[1,\n2,\n]", 7), ("[{]", 2), ("[[1]", 4), ("[-]", 2),
        // §6: numbers.
        ("-", 1), ("+1", 0), ("--1", 1), ("-+1", 1), ("01", 0), ("-01", 1), ("00", 0), ("-00", 1), ("1.", 2), (".1", 0),
        ("-.1", 1), ("1.e1", 2), ("1e", 2), ("1e+", 3),
        ("1e-", 3), ("1ee1", 2), ("1e1.5", 3), ("1.5.5", 3), ("1e1e1", 3), ("0x10", 1), ("1a", 1), ("1_000", 1),
        ("1,000", 1), ("[1.]", 3), ("[1e]", 3), ("[01]", 1),
        ("1 000", 2), ("-a", 1), ("- 1", 1), ("1e 1", 2), ("1. 5", 2), ("0b1", 1), ("1f", 1), ("１", 0), ("1e٣", 2),
        ("012345678", 0), ("[0123456789]", 1),
        // §7: strings.
        ("\"", 1), ("\"a", 2), ("\"a\\", 3), ("\"\\", 2), ("\"\\\"", 3), ("'a'", 0), ("\"\\x41\"", 2), ("\"\\'\"", 2),
        ("\"\\a\"", 2), ("\"\\U0041\"", 2), ("\"\\u\"", 3),
        ("\"\\u004\"", 6), ("\"\\u00G0\"", 5), ("\"\\u+041\"", 3), ("\"\\u 041\"", 3), ("\"\t\"", 1), ("\"\n\"", 1),
        ("\"\0\"", 1), ("\"a\u{1F}b\"", 2), ("\"\\\n\"", 2),
        ("\"\\uD800\"", 1), ("\"\\uDBFFx\"", 1), ("\"\\uDC00\"", 1), ("\"\\uDFFF\"", 1), ("\"\\uD800\\uD800\"", 1),
        ("\"\\uD800\\n\"", 1), ("\"\\uD800\\u0041\"", 1),
        ("\"\\uD834\\uDD1\"", 12), ("\"\\uD834\\", 8), ("\"\\uD834\\u", 9), ("\"1234567\u{0001}\"", 8),
        ("\"12345678\u{0001}\"", 9), ("\"\\u12", 5), ("\"\\u{41}\"", 3),
    ]

    @Test("is refused at the byte that cannot stand there", arguments: refused)
    func refuses(text: String, offset: Int) throws {
        let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: text) }
        #expect(error.byteOffset == offset, "\(error)")
        // Far from the end of the bytes other paths of the scanner run.
        let padded = text + String(repeating: " ", count: 80)
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: Data(padded.utf8)) }
    }

    @Test("Foundation agrees, but for what is listed")
    func foundationAgrees() {
        let differ: Set<String> = ["1e999999999999999999999", "12345678.12345678e12345678"]
        for (text, _) in Self.accepted where !differ.contains(text) && !text.hasPrefix("\u{FEFF}") {
            let object = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(object != nil, "\(text)")
        }
        // Foundation's parser takes a comma before a closing bracket and a misplaced byte order mark, and stops reading
        // at a zero byte.
        let lenient = Self.refused.filter { text, _ in
            (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
        }
        #expect(
            lenient.map(\.text)
                .allSatisfy {
                    $0.contains(",]") || $0.contains(",}") || $0.contains(",\n]") || $0.contains("\u{FEFF}")
                        || $0.hasSuffix("\0")
                },
            "\(lenient)"
        )
    }

    @Test(
        "each line and column is that of the byte",
        arguments: [
            ("{\n  \"a\": 1,\n  \"b\": x\n}", 3, 8), ("x", 1, 1), ("\n\n\nx", 4, 1), ("\"é\" x", 1, 6),
            ("[1,\r\n2,\r\nx]", 3, 1),
        ]
    )
    func lines(text: String, line: Int, column: Int) throws {
        let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: text) }
        #expect(error.line == line)
        #expect(error.column == column)
    }

    @Test(
        "an error says what was expected and found, never what the text holds",
        arguments: [
            (#"{"a": secret}"#, "line 1, column 7 (byte 6): expected a value, found a letter"),
            ("[1", "line 1, column 3 (byte 2): expected \",\" or \"]\", found the end of the text"),
            ("{1", "line 1, column 2 (byte 1): expected a key in quotes, found a digit"),
            (
                "[\"\\uD800\"]",
                "line 1, column 3 (byte 2): expected a high surrogate followed by a low one, found half a pair"
            ),
            (
                "007",
                "line 1, column 1 (byte 0): expected a number without leading zeros, found a zero before another digit"
            ),
            ("\"\u{1}\"", "line 1, column 2 (byte 1): expected control characters as escapes, found the byte 0x01"),
            ("{\"a\" 1}", "line 1, column 6 (byte 5): expected \":\" after the key, found a digit"),
            ("1 1", "line 1, column 3 (byte 2): expected the end of the text, found a digit"),
        ]
    )
    func messages(text: String, message: String) throws {
        let error = try #require(throws: JsonSyntaxError.self) { try Json(parsing: text) }
        #expect(error.description == message)
    }
}
