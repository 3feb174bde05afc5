import Foundation
import Testing

@testable import Bilayer

/// The strategies that Foundation has, too, compared with Foundation's.
@Suite(.smallStack) struct CodingStrategyTests {
    private struct Dated: Codable, Equatable {
        var date: Date
        var dates: [Date]
        var byName: [String: Date]
    }

    private static let moments: [Double] = [0, 1, -1, 0.25, 1e9, -5e9, 12_345_678.5]

    private var dated: Dated {
        Dated(
            date: Date(timeIntervalSince1970: 1_700_000_000),
            dates: Self.moments.map(Date.init(timeIntervalSince1970:)),
            byName: ["x": Date(timeIntervalSince1970: 5)]
        )
    }

    private func expectSameDates(
        _ value: Dated,
        _ ours: JsonEncoder.DateStrategy,
        _ theirs: JSONEncoder.DateEncodingStrategy,
        _ back: JsonDecoder.DateStrategy,
        _ theirBack: JSONDecoder.DateDecodingStrategy
    ) throws {
        var encoder = JsonEncoder()
        encoder.dates = ours
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = theirs
        expectSameEncoding(value, foundation: foundation, bilayer: encoder)
        var decoder = JsonDecoder()
        decoder.dates = back
        let foundationDecoder = JSONDecoder()
        foundationDecoder.dateDecodingStrategy = theirBack
        let text = String(decoding: try foundation.encode(value), as: UTF8.self)
        expectSameDecoding(Dated.self, text, foundation: foundationDecoder, bilayer: decoder)
        for broken in [
            #"{"date":"x","dates":[],"byName":{}}"#, #"{"date":[],"dates":[],"byName":{}}"#, #"{"date":null}"#,
        ] {
            expectSameDecoding(Dated.self, broken, foundation: foundationDecoder, bilayer: decoder)
        }
    }

    @Test func dates() throws {
        try expectSameDates(dated, .deferredToDate, .deferredToDate, .deferredToDate, .deferredToDate)
        try expectSameDates(dated, .secondsSince1970, .secondsSince1970, .secondsSince1970, .secondsSince1970)
        try expectSameDates(
            dated,
            .millisecondsSince1970,
            .millisecondsSince1970,
            .millisecondsSince1970,
            .millisecondsSince1970
        )
        var whole = dated
        whole.dates = whole.dates.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
        try expectSameDates(whole, .iso8601, .iso8601, .iso8601, .iso8601)
        try expectSameDates(whole, .iso8601, .iso8601, .rfc3339, .iso8601)

        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd HH:mm:ss"
        try expectSameDates(
            whole,
            .formatted(formatter),
            .formatted(formatter),
            .formatted(formatter),
            .formatted(formatter)
        )

        let write: @Sendable (Date, any Encoder) throws -> Void = { date, encoder in
            if date.timeIntervalSince1970 < 0 { return }
            var container = encoder.unkeyedContainer()
            try container.encode(Int(date.timeIntervalSince1970))
        }
        let read: @Sendable (any Decoder) throws -> Date = { decoder in
            var container = try decoder.unkeyedContainer()
            return Date(timeIntervalSince1970: Double(try container.decode(Int.self)))
        }
        try expectSameDates(whole, .custom(write), .custom(write), .custom(read), .custom(read))
    }

    @Test func data() throws {
        let value = ["a": Data([0, 255, 7]), "b": Data()]
        expectSameEncoding(value)
        for text in [#"{"a":"AP8H","b":""}"#, #"{"a":"*"}"#, #"{"a":1}"#, #"{"a":null}"#] {
            expectSameDecoding([String: Data].self, text)
        }
        var encoder = JsonEncoder()
        encoder.data = .deferredToData
        let foundation = JSONEncoder()
        foundation.dataEncodingStrategy = .deferredToData
        expectSameEncoding(value, foundation: foundation, bilayer: encoder)
        var decoder = JsonDecoder()
        decoder.data = .deferredToData
        let foundationDecoder = JSONDecoder()
        foundationDecoder.dataDecodingStrategy = .deferredToData
        for text in [#"{"a":[0,255]}"#, #"{"a":[256]}"#, #"{"a":"AP8H"}"#] {
            expectSameDecoding([String: Data].self, text, foundation: foundationDecoder, bilayer: decoder)
        }
    }

    private struct Snake: Codable, Equatable {
        var firstName: String?
        var myURLProperty: Int?
        var _private: Int?
        var trailing: Int?
        var alreadySnake: Int?
        var byName: [String: Int]?
        var inner: [Snake]?

        private enum CodingKeys: String, CodingKey {
            case firstName, myURLProperty, _private
            case trailing = "trailing_"
            case alreadySnake = "already_snake"
            case byName, inner
        }
    }

    @Test func snakeCase() throws {
        let value = Snake(
            firstName: "n",
            myURLProperty: 1,
            _private: 2,
            trailing: 3,
            alreadySnake: 4,
            byName: ["keepMe": 1, "keep_me": 2],
            inner: [Snake(firstName: "m")]
        )
        var encoder = JsonEncoder()
        encoder.keys = .convertToSnakeCase
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        expectSameEncoding(value, foundation: foundation, bilayer: encoder)

        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        let foundationDecoder = JSONDecoder()
        foundationDecoder.keyDecodingStrategy = .convertFromSnakeCase
        for text in [
            #"{"first_name":"n","my_url_property":1,"_private":2,"trailing_":3,"by_name":{"keep_me":1,"keepMe":2}}"#,
            #"{"firstName":"n","inner":[{"first_name":"m","inner":[{"first_name":1}]}]}"#,
            #"{"first_name":"a","firstName":"b"}"#, #"{"FIRST_NAME":"a","first__name":"b","__":1,"":2}"#,
        ] {
            expectSameDecoding(Snake.self, text, foundation: foundationDecoder, bilayer: decoder)
            expectSameDecoding(
                [String: Snake].self,
                #"{"a_b":\#(text)}"#,
                foundation: foundationDecoder,
                bilayer: decoder
            )
        }
    }

    @Test(arguments: [
        "", "_", "__", "a", "A", "oneTwo", "OneTwo", "one_two", "_oneTwo_", "myURL", "URLMy", "HTTPServer2Go", "a1B2",
        "éÀb", "aB_cD",
        "ABC", "one__two", "iOSApp", "__Az__",
    ])
    func snakeCaseNames(_ name: String) throws {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct One: Encodable {
            let name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key(stringValue: name))
            }
        }
        struct All: Decodable, Equatable {
            let names: [String]
            init(from decoder: any Decoder) throws {
                names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
            }
        }
        var encoder = JsonEncoder()
        encoder.keys = .convertToSnakeCase
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        expectSameEncoding(One(name: name), foundation: foundation, bilayer: encoder)
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        let foundationDecoder = JSONDecoder()
        foundationDecoder.keyDecodingStrategy = .convertFromSnakeCase
        expectSameDecoding(All.self, #"{"\#(name)":1}"#, foundation: foundationDecoder, bilayer: decoder)
    }

    @Test func customKeys() throws {
        let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
            PathKey("\(path.count)\(path.last?.stringValue ?? "")")
        }
        var encoder = JsonEncoder()
        encoder.keys = .custom(convert)
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .custom(convert)
        expectSameEncoding(
            [Snake(firstName: "n", inner: [Snake(firstName: "m")])],
            foundation: foundation,
            bilayer: encoder
        )
        expectSameEncoding(Dog(legs: 4, name: "Rex"), foundation: foundation, bilayer: encoder)

        let strip: @Sendable ([any CodingKey]) -> any CodingKey = { path in
            PathKey(String(path.last?.stringValue.drop(while: \.isNumber) ?? ""))
        }
        var decoder = JsonDecoder()
        decoder.keys = .custom(strip)
        let foundationDecoder = JSONDecoder()
        foundationDecoder.keyDecodingStrategy = .custom(strip)
        expectSameDecoding(
            [Snake].self,
            #"[{"1firstName":"n","2inner":[{"4firstName":"m"}]},{"firstName":1}]"#,
            foundation: foundationDecoder,
            bilayer: decoder
        )
    }

    @Test func nonConformingFloats() throws {
        var encoder = JsonEncoder()
        encoder.nonConformingFloats = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "nan")
        let foundation = JSONEncoder()
        foundation.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+",
            negativeInfinity: "-",
            nan: "nan"
        )
        expectSameEncoding([1, .infinity, -.infinity, .nan] as [Double], foundation: foundation, bilayer: encoder)
        expectSameEncoding(["x": -Float.infinity], foundation: foundation, bilayer: encoder)
        var decoder = JsonDecoder()
        decoder.nonConformingFloats = .convertFromString(positiveInfinity: "+", negativeInfinity: "-", nan: "nan")
        let foundationDecoder = JSONDecoder()
        foundationDecoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+",
            negativeInfinity: "-",
            nan: "nan"
        )
        for text in [#"["+","-",1]"#, #"["x"]"#, "[true]", "[1e999]"] {
            expectSameDecoding([Double].self, text, foundation: foundationDecoder, bilayer: decoder)
            expectSameDecoding([Float].self, text, foundation: foundationDecoder, bilayer: decoder)
        }
        #expect(try decoder.decode([Double].self, from: Data(#"["nan"]"#.utf8))[0].isNaN)
    }

    @Test func layout() throws {
        var encoder = JsonEncoder()
        encoder.format = [.pretty, .sortedKeys]
        let text = String(decoding: try encoder.encode(["b": [1], "a": []]), as: UTF8.self)
        #expect(text == "{\n  \"a\": [],\n  \"b\": [\n    1\n  ]\n}")
    }

    @Test func userInfo() throws {
        struct Told: Codable, Equatable {
            var word = ""
            init() {}
            init(from decoder: any Decoder) throws { word = decoder.userInfo[.kept] as? String ?? "-" }
            func encode(to encoder: any Encoder) throws {
                try (encoder.userInfo[.kept] as? String ?? "-").encode(to: encoder)
            }
        }
        var decoder = JsonDecoder()
        decoder.userInfo[.kept] = "told"
        #expect(try decoder.decode([Told].self, from: Data("[{},1]".utf8)).map(\.word) == ["told", "told"])
        #expect(try JsonDecoder().decode(Told.self, from: Data("1".utf8)).word == "-")
        var encoder = JsonEncoder()
        encoder.userInfo[.kept] = "told"
        #expect(try encoder.encode([Told()]) == Data(#"["told"]"#.utf8))
    }
}
