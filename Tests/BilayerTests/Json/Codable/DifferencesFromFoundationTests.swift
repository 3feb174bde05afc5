import Foundation
import Testing

@testable import Bilayer

/// One test for each row of the tables in DifferencesFromFoundation.md, under the name of the row and in the order of the rows: what
/// Foundation does, where it lives to tell, and what we do.
@Suite struct DifferencesFromFoundationTests {
    @Test("each row of the tables has its test, and each test its row")
    func rows() throws {
        let folders = sequence(first: URL(filePath: #filePath)) { $0.deletingLastPathComponent() }
        let page = try #require(
            folders.lazy.map { $0.appending(path: "Sources/Bilayer/Bilayer.docc/DifferencesFromFoundation.md") }
                .first { FileManager.default.fileExists(atPath: $0.path) }
        )
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| What |") }
            .map { $0.dropFirst(2).components(separatedBy: " |")[0] }
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let tests = source.split(separator: "\n").filter { $0.hasPrefix("    @Test(\"") }
            .map { String($0.dropFirst(11).dropLast(2)) }
        #expect(rows.count > 20)
        #expect(Array(tests.dropFirst()) == rows)
    }

    @Test("A comma before a closing bracket, `[1,]`")
    func trailingCommasAreRefused() throws {
        #expect(try foundation([Int].self, "[1,]") == [1])
        #expect(throws: DecodingError.self) { try bilayer([Int].self, "[1,]") }
        #expect(throws: DecodingError.self) { try bilayer([String: Int].self, #"{"a":1,}"#) }
    }

    @Test("Zero with an exponent over zero, `[0e1]` or `[0.00E5]`, as `Double` or `Float`")
    func zeroWithAnExponent() throws {
        for text in ["[0e1]", "[0.00E5]"] {
            #expect(throws: DecodingError.self) { try foundation([Double].self, text) }
            #expect(throws: DecodingError.self) { try foundation([Float].self, text) }
            #expect(try bilayer([Double].self, text) == [0])
            #expect(try bilayer([Float].self, text) == [0])
            #expect(try bilayer([Int].self, text) == foundation([Int].self, text))
            #expect(try bilayer([Decimal].self, text) == foundation([Decimal].self, text))
        }
    }

    @Test("A number nearer to zero than any but zero, `[1e-400]` as `Double`, `[1e-50]` as `Float`")
    func vanishingNumbers() throws {
        #expect(throws: DecodingError.self) { try foundation([Double].self, "[1e-400]") }
        #expect(try bilayer([Double].self, "[1e-400]") == [0])
        #expect(try bilayer([Double].self, "[-1e-400]").first?.sign == .minus)
        #expect(throws: DecodingError.self) { try foundation([Float].self, "[1e-50]") }
        #expect(try bilayer([Float].self, "[1e-50]") == [0])
    }

    @Test("The same as an integer, `[1e-400]` as `Int`")
    func vanishingIntegers() throws {
        #expect(try foundation([Int].self, "[1e-400]") == [0])
        #expect(throws: DecodingError.self) { try bilayer([Int].self, "[1e-400]") }
        #expect(throws: DecodingError.self) { try bilayer([Int].self, "[1e-50]") }
    }

    @Test("A number with a fraction or an exponent and more than 15 digits, as an integer")
    func integersFromLongNumbers() throws {
        #expect(try foundation(Int64.self, "4503599627370497.5") == 4_503_599_627_370_498)
        #expect(throws: DecodingError.self) { try bilayer(Int64.self, "4503599627370497.5") }
        #expect(try foundation(Int.self, "0.99999999999999999999") == 1)
        #expect(throws: DecodingError.self) { try bilayer(Int.self, "0.99999999999999999999") }
        #expect(throws: DecodingError.self) { try foundation(Int64.self, "9223372036854775807.0") }
        #expect(try bilayer(Int64.self, "9223372036854775807.0") == .max)
        #expect(throws: DecodingError.self) { try foundation(UInt64.self, "18446744073709551615e0") }
        #expect(try bilayer(UInt64.self, "18446744073709551615e0") == .max)
        #expect(throws: DecodingError.self) { try bilayer(Int64.self, "9223372036854775808.0") }
    }

    @Test("A number with more digits than 128 bits hold, 38 or 39, as `Decimal`")
    func decimalsBeyondTheirDigits() throws {
        let long = "1.2345678901234567890123456789012345678901234567890"
        #expect(try foundation(Decimal.self, long) == Decimal(string: "1.23456789012345678901234567890123456789"))
        #expect(throws: DecodingError.self) { try bilayer(Decimal.self, long) }
        let longest = "-12345678901234567890.123456789012345678"
        #expect(try bilayer(Decimal.self, longest) == foundation(Decimal.self, longest))
    }

    @Test("A number with an exponent over 127 whose digits have room for it, `58e128`, as `Decimal`")
    func decimalsWithLargeExponents() throws {
        #expect(throws: DecodingError.self) { try foundation(Decimal.self, "58e128") }
        #expect(try bilayer(Decimal.self, "58e128") == foundation(Decimal.self, "580e127"))
        #expect(try bilayer(Decimal.self, "580e127") == foundation(Decimal.self, "580e127"))
        let longest = "12345678901234567890123456789012345678e127"
        #expect(try bilayer(Decimal.self, longest) == foundation(Decimal.self, longest))
        let padded = "-1" + String(repeating: "0", count: 37) + "e127"
        #expect(try bilayer(Decimal.self, "-1e164") == foundation(Decimal.self, padded))
        let widest = "1" + String(repeating: "0", count: 165)
        #expect(try bilayer(Decimal.self, "1e165").description == widest)
        for text in ["1e166", "4e165", "1e999999999999999999999"] {
            #expect(throws: DecodingError.self) { try bilayer(Decimal.self, text) }
        }
    }

    @Test("Keys of several scalars that look the same")
    func keysAreComparedByTheirBytes() throws {
        struct Accented: Decodable {
            var value: Int?
            enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
        }
        let decomposed = "{\"e\u{301}\":1}"
        #expect(try foundation(Accented.self, decomposed).value == 1)
        #expect(try bilayer(Accented.self, decomposed).value == nil)
        #expect(try bilayer(Accented.self, "{\"\u{E9}\":1}").value == 1)
        let json = try bilayer(Json.self, "{\"e\u{301}\":1,\"\u{E9}\":2}")
        #expect(json.count == 2)
        #expect(try bilayer([String: Int].self, "{\"e\u{301}\":1,\"\u{E9}\":2}") == ["\u{E9}": 1])
    }

    @Test("Two members with the same key")
    func duplicateKeysCanCountInAnotherWay() throws {
        let text = #"{"k":1,"k":2}"#
        #expect(try foundation([String: Int].self, text) == ["k": 1])
        #expect(try bilayer([String: Int].self, text) == ["k": 1])
        var decoder = JsonDecoder()
        decoder.parsing.duplicateKeys = .lastWins
        #expect(try decoder.decode([String: Int].self, from: Data(text.utf8)) == ["k": 2])
        struct One: Decodable { var k: Int }
        #expect(try decoder.decode(One.self, from: Data(text.utf8)).k == 2)
        decoder.parsing.duplicateKeys = .reject
        #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: Data(text.utf8)) }
    }

    @Test("UTF-16 and UTF-32")
    func onlyUTF8IsRead() throws {
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian] {
            let text = try #require("[1]".data(using: encoding))
            #expect(try JSONDecoder().decode([Int].self, from: text) == [1])
            #expect(throws: DecodingError.self) { try JsonDecoder().decode([Int].self, from: text) }
        }
    }

    @Test("A text that is not JSON")
    func syntaxErrorsKnowTheirPlace() throws {
        let error = #expect(throws: DecodingError.self) { try bilayer([Int].self, "[1,\n 2 3]") }
        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        let syntax = try #require(context.underlyingError as? JsonSyntaxError)
        #expect((syntax.byteOffset, syntax.line, syntax.column) == (7, 2, 4))
    }

    @Test("A fault in a member that nobody reads: a lone surrogate escape, an unknown escape, `01`")
    func unreadMembersAreChecked() throws {
        struct One: Decodable { var id: Int }
        for unread in [#""\uD800""#, #""\uDC00\uD800""#, #""\x""#, "01", "-", "1.", #"{"a":"\u12"}"#, "[1e]"] {
            let text = #"{"unread":\#(unread),"id":1}"#
            #expect(throws: DecodingError.self) { try bilayer(One.self, text) }
            #expect(throws: JsonSyntaxError.self) { try Json(parsing: text) }
        }
        for unread in [#""\uD800""#, #""\x""#, "01"] {
            #expect(try foundation(One.self, #"{"unread":\#(unread),"id":1}"#).id == 1)
        }
    }

    @Test("A number that does not fit its type")
    func numbersThatDoNotFitHaveAPath() throws {
        func path(_ decode: ([String: [UInt8]].Type, String) throws -> [String: [UInt8]]) throws -> [String] {
            let error = #expect(throws: DecodingError.self) { try decode([String: [UInt8]].self, #"{"a":[1,256]}"#) }
            guard case .dataCorrupted(let context) = error else { throw try #require(error) }
            return context.codingPath.map(\.stringValue)
        }
        #expect(try path(foundation).isEmpty)
        #expect(try path(bilayer) == ["a", "Index 1"])
    }

    @Test("Nesting of a text")
    func nestedTexts() throws {
        struct Anything: Decodable { init(from decoder: any Decoder) {} }
        func text(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try foundation(Anything.self, text(512))
        #expect(throws: DecodingError.self) { try foundation(Anything.self, text(513)) }
        _ = try bilayer(Anything.self, text(512))
        #expect(throws: DecodingError.self) { try bilayer(Anything.self, text(513)) }
        var decoder = JsonDecoder()
        decoder.parsing.maximumDepth = 513
        _ = try decoder.decode(Anything.self, from: Data(text(513).utf8))
    }

    @Test("A type that decodes itself from its own value without end")
    func endlessCodingIsAnError() throws {
        struct Endless: Codable {
            init() {}
            init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Endless.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Endless())
            }
        }
        #expect(throws: DecodingError.self) { try bilayer(Endless.self, "1") }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Endless()) }
    }

    @Test("Dates as texts with a small `t`, 18 digits of a second, or an offset of 23:59")
    func datesOfTheStandard() throws {
        let dates = [
            ("2026-11-21T03:30:00Z", 1_795_231_800), ("2026-11-21t03:30:00z", 1_795_231_800),
            ("2026-11-21T03:30:00.250000000000000000Z", 1_795_231_800.25),
            ("2026-11-21T03:30:00+23:59", 1_795_145_460),
        ]
        for (position, (date, seconds)) in dates.enumerated() {
            let expected = Date(timeIntervalSince1970: seconds)
            #expect(try self.date(by: dateDecoders.bilayer.decode, date) == expected, "\(date)")
            let found = try? self.date(by: dateDecoders.foundation.decode, date)
            #expect(found == (position == 0 ? expected : nil), "\(date)")
        }
    }

    @Test("Dates as texts that RFC 3339 has not: `2026-02-30T00:00:00Z`, `2026-11-21T03:30:00+0100`")
    func datesOfNoStandard() throws {
        let dates = [
            "2026-02-30T00:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T03:60:00Z", "2026-11-21T03:30:61Z",
            "2026-11-21T03:30:00+0100", "2026-11-21T03:30:00+01", "2026-1-1T03:30:00Z", "2026-11-21T03:30:00Zx",
        ]
        for date in dates {
            _ = try self.date(by: dateDecoders.foundation.decode, date)
            #expect(throws: DecodingError.self, "\(date)") { try self.date(by: dateDecoders.bilayer.decode, date) }
        }
    }

    @Test("Such dates before October 1582")
    func earlyDates() throws {
        let (foundation, bilayer) = dateDecoders
        let text = Data(#"["1582-10-04T00:00:00Z","1582-10-15T00:00:00Z"]"#.utf8)
        let julian = try foundation.decode([Date].self, from: text)
        let gregorian = try bilayer.decode([Date].self, from: text)
        #expect(julian[1].timeIntervalSince(julian[0]) == 86_400)
        #expect(gregorian[1].timeIntervalSince(gregorian[0]) == 11 * 86_400)
        #expect(julian[1] == gregorian[1])
    }

    @Test("Order of members")
    func membersKeepTheirOrder() throws {
        // Foundation's order is not defined, so there is nothing of it to expect.
        let value = Plain.Child(name: "n", tags: ["t"])
        for _ in 0..<20 { #expect(try JsonEncoder().encode(value) == Data(#"{"name":"n","tags":["t"]}"#.utf8)) }
    }

    @Test("Slashes")
    func slashesKeepTheirLooks() throws {
        #expect(try JsonEncoder().encode("a/b") == Data(#""a/b""#.utf8))
        #expect(try JSONEncoder().encode("a/b") == Data(#""a\/b""#.utf8))
    }

    @Test("Nesting of a value")
    func nestingHasALimit() throws {
        var tree = Tree.leaf(0)
        for _ in 0..<1000 { tree = .node(left: tree, right: .leaf(1)) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(tree) }
        var encoder = JsonEncoder()
        encoder.maximumDepth = 4000
        let text = try encoder.encode(tree)
        #expect(throws: DecodingError.self) { try JsonDecoder().decode(Tree.self, from: text) }
        var decoder = JsonDecoder()
        decoder.parsing.maximumDepth = 4000
        #expect(try encoder.encode(decoder.decode(Tree.self, from: text)) == text)
    }

    @Test("A second value at one place, or two containers of different form")
    func aSecondValueAtOnePlaceIsAnError() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(1, forKey: PathKey("a"))
                var list = encoder.unkeyedContainer()
                try? list.encode(2)
            }
        }
        struct Again: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Twice()]) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Again()]) }
    }

    @Test("A value that has written a part when it fails, and whose error is caught")
    func valuesThatFailLeaveNothing() throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(1, forKey: PathKey("a"))
                throw CancellationError()
            }
        }
        struct Member: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(2, forKey: PathKey("b"))
            }
        }
        struct Catching: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try? container.encode(Failing(), forKey: PathKey("failing"))
                try container.encode(Member(), forKey: PathKey("member"))
            }
        }
        let text = try JSONEncoder().encode(Catching())
        #expect(try Json(parsing: text) == ["member": ["a": 1, "b": 2]])
        #expect(try JsonEncoder().encode(Catching()) == Data(#"{"member":{"b":2}}"#.utf8))
    }

    @Test("A nested container for a key that has a value")
    func nestedContainersForValues() throws {
        struct Nesting: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(["a": 1], forKey: PathKey("k"))
                var nested = container.nestedContainer(keyedBy: PathKey.self, forKey: PathKey("k"))
                try nested.encode(2, forKey: PathKey("b"))
            }
        }
        #expect(try Json(parsing: JSONEncoder().encode(Nesting())) == ["k": ["a": 1, "b": 2]])
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Nesting()) }
    }

    @Test("Encoders of `superEncoder()` in one array that are in use at once")
    func superEncodersAtOnce() throws {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                var encoders = [container.superEncoder(), container.superEncoder()]
                for number in 1...2 { try number.encode(to: encoders.removeFirst()) }
            }
        }
        #expect(try JSONEncoder().encode(Both()) == Data("[2,1]".utf8))
        #expect(try JsonEncoder().encode(Both()) == Data("[1,2]".utf8))
    }

    @Test("A `superEncoder(forKey:)` and a value of one key")
    func superEncoderAndValue() throws {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                var encoders = [container.superEncoder(forKey: PathKey("k"))]
                try container.encode("value", forKey: PathKey("k"))
                try "super".encode(to: encoders.removeFirst())
            }
        }
        #expect(try JSONEncoder().encode(Both()) == Data(#"{"k":"super"}"#.utf8))
        #expect(try JsonEncoder().encode(Both()) == Data(#"{"k":"value"}"#.utf8))
    }

    @Test("A container after a single value that is one")
    func containerAfterASingleValue() throws {
        struct Adding: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(["a": 1])
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(2, forKey: PathKey("b"))
            }
        }
        #expect(try Json(parsing: JSONEncoder().encode([Adding()])) == [["a": 1, "b": 2]])
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Adding()]) }
    }

    @Test("A container kept by user code, written to after its value is done but before the call ends")
    func keptContainersCount() throws {
        struct Late: Encodable {
            func encode(to encoder: any Encoder) throws {
                let shelf = Shelf()
                var list = encoder.unkeyedContainer()
                try list.encode(Shelved(shelf: shelf))
                try shelf.container?.encode(2, forKey: PathKey("b"))
            }
        }
        #expect(try JSONEncoder().encode(Late()) == Data(#"[{"a":1}]"#.utf8))
        #expect(try JsonEncoder().encode(Late()) == Data(#"[{"a":1,"b":2}]"#.utf8))
    }

    @Test("Writing to what is left of a call that has ended")
    func keptContainersThrowAfterTheCall() throws {
        let shelf = Shelf()
        #expect(try JSONEncoder().encode([Shelved(shelf: shelf)]) == Data(#"[{"a":1}]"#.utf8))
        try shelf.container?.encode(2, forKey: PathKey("b"))
        #expect(try JsonEncoder().encode([Shelved(shelf: shelf)]) == Data(#"[{"a":1}]"#.utf8))
        #expect(throws: EncodingError.self) { try shelf.container?.encode(2, forKey: PathKey("b")) }
    }

    @Test("Coding keys of one byte whose `stringValue` changes while the process runs")
    func keysThatChange() throws {
        struct Asked: Codable, Equatable {
            var id = 1
            enum CodingKeys: CodingKey {
                case id
                var stringValue: String { KeyVersion.current == 1 ? "id" : "uid" }
                var intValue: Int? { nil }
                init?(stringValue: String) { nil }
                init?(intValue: Int) { nil }
            }
        }
        struct Kept: Encodable {
            var id = 1
            enum CodingKeys: CodingKey {
                case id
                var stringValue: String { KeyVersion.current == 1 ? "id" : "uid" }
                var intValue: Int? { nil }
                init?(stringValue: String) { self = .id }
                init?(intValue: Int) { nil }
            }
        }
        for (version, text) in [(1, #"{"id":1}"#), (2, #"{"uid":1}"#), (1, #"{"id":1}"#)] {
            try KeyVersion.$current.withValue(version) {
                #expect(try JsonEncoder().encode(Asked()) == Data(text.utf8))
                #expect(try bilayer(Asked.self, text) == Asked())
                #expect(try JSONEncoder().encode(Kept()) == Data(text.utf8))
                // Which of the two it is depends on the sessions that have met the type.
                let found = try Json(parsing: JsonEncoder().encode(Kept()))
                #expect(found == ["id": 1] || found == ["uid": 1])
            }
        }
    }
}

// MARK: - What the tests share

extension DifferencesFromFoundationTests {
    private func foundation<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private func bilayer<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JsonDecoder().decode(type, from: Data(text.utf8))
    }

    private var dateDecoders: (foundation: JSONDecoder, bilayer: JsonDecoder) {
        let foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .iso8601
        var bilayer = JsonDecoder()
        bilayer.dates = .rfc3339
        return (foundation, bilayer)
    }

    private func date(by decode: ([Date].Type, Data) throws -> [Date], _ text: String) throws -> Date? {
        try decode([Date].self, Data("[\"\(text)\"]".utf8)).first
    }

    private final class Shelf { var container: KeyedEncodingContainer<PathKey>? }

    private struct Shelved: Encodable {
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathKey.self)
            try container.encode(1, forKey: PathKey("a"))
            shelf.container = container
        }
    }
}

/// What the names of some keys depend on.
private enum KeyVersion {
    @TaskLocal static var current = 1
}
