import Foundation
import Testing

@testable import Bilayer

/// One test for each row of the tables in DifferencesFromFoundation.md, with the row's name and in the order of the
/// rows. It shows what Bilayer does, and mostly what Foundation does, if that is defined and does not end the process.
@Suite(.smallStack) struct DifferencesFromFoundationTests {
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
        let reading = URL(filePath: #filePath)
        let writing = reading.deletingLastPathComponent()
            .appending(path: "DifferencesFromFoundationTests+Writing.swift")
        let source = try [reading, writing].map { try String(contentsOf: $0, encoding: .utf8) }.joined()
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

    @Test("Such a number as an integer, `[1e-400]` as `Int`")
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

    @Test("A number with an exponent under -128 that zeros make up for, `100e-129`, as `Decimal`")
    func decimalsWithZeros() throws {
        for (text, plain) in [("100e-129", "1e-127"), ("1" + String(repeating: "0", count: 200) + "e-200", "1")] {
            #expect(throws: DecodingError.self) { try foundation(Decimal.self, text) }
            #expect(try bilayer(Decimal.self, text) == bilayer(Decimal.self, plain))
            #expect(try bilayer(Decimal.self, plain) == foundation(Decimal.self, plain))
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
        // In a dictionary and with a strategy that converts keys, Foundation also reads the value that does not count.
        let unusedIsWrong = #"{"k":1,"k":"x"}"#
        let converting = JSONDecoder()
        converting.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) {
            try converting.decode([String: Int].self, from: Data(unusedIsWrong.utf8))
        }
        #expect(try foundation([String: Int].self, unusedIsWrong) == ["k": 1])
        var snakeCase = JsonDecoder()
        snakeCase.keys = .convertFromSnakeCase
        #expect(try snakeCase.decode([String: Int].self, from: Data(unusedIsWrong.utf8)) == ["k": 1])
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

    @Test("A fault in a member that is not read: a lone surrogate escape, an unknown escape, `01`")
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

    @Test("`null` where a `Bool` is expected")
    func nullAsBool() throws {
        struct Flag: Decodable {
            let isOn: Bool
            enum CodingKeys: CodingKey { case isOn }
            init(from decoder: any Decoder) throws {
                if let container = try? decoder.container(keyedBy: CodingKeys.self) {
                    isOn = try container.decode(Bool.self, forKey: .isOn)
                } else if var container = try? decoder.unkeyedContainer() {
                    isOn = try container.decode(Bool.self)
                } else {
                    isOn = try decoder.singleValueContainer().decode(Bool.self)
                }
            }
        }
        func expect<Value: Decodable>(_ type: Value.Type, _ text: String, at path: [String]) throws {
            let foundation = #expect(throws: DecodingError.self) { try self.foundation(type, text) }
            guard case .typeMismatch(_, let theirs) = foundation else { throw try #require(foundation) }
            let bilayer = #expect(throws: DecodingError.self) { try self.bilayer(type, text) }
            guard case .valueNotFound(let found, let ours) = bilayer else { throw try #require(bilayer) }
            #expect(found is Bool.Type)
            #expect(ours.codingPath.map(\.stringValue) == path)
            #expect(theirs.codingPath.map(\.stringValue) == path)
        }
        try expect(Flag.self, #"{"isOn":null}"#, at: ["isOn"])
        try expect(Flag.self, "[null]", at: ["Index 0"])
        try expect(Flag.self, "null", at: [])
        try expect(Bool.self, "null", at: [])
        try expect([Bool].self, "[true,null]", at: ["Index 1"])
        try expect([String: Bool].self, #"{"isOn":null}"#, at: ["isOn"])
        #expect(try bilayer([Bool?].self, "[null]") == foundation([Bool?].self, "[null]"))
    }

    @Test("The type in an error about an array or an object")
    func containersInErrors() throws {
        struct Item: Decodable { var id: Int }
        func expect<Value: Decodable>(_ type: Value.Type, _ text: String, _ theirs: Any.Type, _ ours: Any.Type) throws {
            #expect(try self.type(inErrorOf: foundation, type, text) == theirs)
            #expect(try self.type(inErrorOf: bilayer, type, text) == ours)
        }
        try expect([Int].self, "{}", [Any].self, [Int].self)
        try expect([[Int]].self, "[null]", [Any].self, [Int].self)
        try expect([String: Int].self, "[]", [String: Any].self, [String: Int].self)
        try expect([[String: Int]].self, "[null]", [String: Any].self, [String: Int].self)
        let found = try self.type(inErrorOf: bilayer, Item.self, "[]")
        #expect(try self.type(inErrorOf: foundation, Item.self, "[]") == [String: Any].self)
        #expect("\(found)".hasPrefix("KeyedDecodingContainer<"))
        try expect(Int.self, "[]", Int.self, Int.self)
    }

    @Test("The type in an error about `null` where a `Date`, `Data` or `URL` is expected in an array")
    func nullsInErrors() throws {
        #expect(try type(inErrorOf: foundation, [Date].self, "[null]") == Date.self)
        #expect(try type(inErrorOf: bilayer, [Date].self, "[null]") == Double.self)
        #expect(try type(inErrorOf: foundation, [Data].self, "[null]") == Data.self)
        #expect(try type(inErrorOf: bilayer, [Data].self, "[null]") == String.self)
        #expect(try type(inErrorOf: foundation, [URL].self, "[null]") == URL.self)
        #expect(try type(inErrorOf: bilayer, [URL].self, "[null]") == String.self)
    }

    @Test("The words of an error, its `debugDescription`")
    func wordsOfErrors() throws {
        let theirs = #expect(throws: DecodingError.self) { try foundation(Int.self, "[]") }
        let ours = #expect(throws: DecodingError.self) { try bilayer(Int.self, "[]") }
        guard case .typeMismatch(_, let context) = theirs else { throw try #require(theirs) }
        guard case .typeMismatch(_, let ourContext) = ours else { throw try #require(ours) }
        #expect(ourContext.debugDescription == "Expected Int, found an array.")
        #expect(context.debugDescription != ourContext.debugDescription)
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

    @Test("JSON5, `allowsJSON5`")
    func json5() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let text = "{id: 0x10, /* comment */ }"
        #expect(try decoder.decode([String: Int].self, from: Data(text.utf8)) == ["id": 16])
        #expect(throws: DecodingError.self) { try bilayer([String: Int].self, text) }
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: text) }
    }

    @Test("Members without braces, `assumesTopLevelDictionary`")
    func membersWithoutBraces() throws {
        let decoder = JSONDecoder()
        decoder.assumesTopLevelDictionary = true
        let text = #""id": 1"#
        #expect(try decoder.decode([String: Int].self, from: Data(text.utf8)) == ["id": 1])
        #expect(throws: DecodingError.self) { try bilayer([String: Int].self, text) }
        #expect(throws: JsonSyntaxError.self) { try Json(parsing: text) }
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
        let error: String? = try onStack(ofBytes: 512 << 20) {
            do {
                _ = try JsonEncoder().encode(Endless())
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(error?.contains("at most 4096 values inside each other") == true, "\(error ?? "no error")")
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

    @Test("Dates as texts with a space for the `T`, `2020-01-01 00:00:00Z`")
    func datesWithASpace() throws {
        let text = "2020-01-01 00:00:00Z"
        #expect(throws: DecodingError.self) { try date(by: dateDecoders.foundation.decode, text) }
        #expect(try date(by: dateDecoders.bilayer.decode, text) == Date(timeIntervalSince1970: 1_577_836_800))
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

    @Test("Such dates after the year 9999, `10000-01-01T00:00:00Z`")
    func lateDates() throws {
        let text = "10000-01-01T00:00:00Z"
        let expected = Date(timeIntervalSince1970: 253_402_300_800)
        #expect(try date(by: dateDecoders.foundation.decode, text) == expected)
        #expect(throws: DecodingError.self) { try date(by: dateDecoders.bilayer.decode, text) }
        for early in ["-0001-01-01T00:00:00Z", "-2020-01-01T00:00:00Z"] {
            #expect(throws: DecodingError.self) { try date(by: dateDecoders.foundation.decode, early) }
            #expect(throws: DecodingError.self) { try date(by: dateDecoders.bilayer.decode, early) }
        }
    }

    @Test("`decodeIfPresent` at the end of an array")
    func optionalsAtTheEndOfAnArray() throws {
        struct End: Decodable {
            let index: Int
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decodeIfPresent(Int.self)
                index = container.currentIndex
            }
        }
        #expect(try foundation(End.self, "[]").index == 1)
        #expect(try bilayer(End.self, "[]").index == 0)
    }

    @Test("The path of the error for a member whose date is invalid")
    func pathsOfDates() throws {
        struct Dated: Decodable { let at: Date }
        let text = Data(#"{"at":"soon"}"#.utf8)
        let (foundation, bilayer) = dateDecoders
        func length(_ decode: (Dated.Type, Data) throws -> Dated) throws -> Int {
            let error = #expect(throws: DecodingError.self) { try decode(Dated.self, text) }
            guard case .dataCorrupted(let context) = error else { throw try #require(error) }
            return context.codingPath.count
        }
        #expect(try length(foundation.decode) == 0)
        #expect(try length(bilayer.decode) == 1)
    }
}
