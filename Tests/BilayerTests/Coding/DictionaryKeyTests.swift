import Bilayer
import Foundation
import Testing

private struct Owner: Codable, Hashable, Identified {
    let id: ID
}

private enum Size: String, Codable, CodingKeyRepresentable, CaseIterable {
    case m
    case xl = "extra_large"
}

private enum Fit: String, OpenEnum { case slim = "slim_fit" }

/// A key of the app's own.
private struct Label: Codable, Hashable, CodingKeyRepresentable {
    let text: String

    var codingKey: any CodingKey { AnyName(text) }

    init?<Key: CodingKey>(codingKey: Key) { text = codingKey.stringValue }
    init(_ text: String) { self.text = text }
}

private struct AnyName: CodingKey, Hashable {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct Inner: Codable, Equatable { var maxAge: Int }

private struct Stock: Codable, RawMappable, Equatable {
    var byName: [String: Int]
    var byOwner: [Owner.ID: Int]
    var bySize: [Size: Int]
    var byLabel: [Label: Inner]
    var byNumber: [Int: Int]

    static let text = """
        {"by_name":{"a_b":1,"userA":2},"by_owner":{"user_42":1,"a_b":2,"userA":3,"A__B":4},"by_size":{"extra_large":1},\
        "by_label":{"the_label":{"max_age":1},"Content-Type":{"max_age":2}},"by_number":{"7":1}}
        """
    static let value = Stock(
        byName: ["a_b": 1, "userA": 2],
        byOwner: [.init("user_42"): 1, .init("a_b"): 2, .init("userA"): 3, .init("A__B"): 4],
        bySize: [.xl: 1],
        byLabel: [Label("the_label"): Inner(maxAge: 1), Label("Content-Type"): Inner(maxAge: 2)],
        byNumber: [7: 1]
    )
}

/// The keys of a dictionary are values, whatever their type in the code: no strategy converts them in either direction.
@Suite("Keys of dictionaries", .smallStack)
struct DictionaryKeyTests {
    static let decoding: [JsonDecoder.KeyStrategy] = [
        .naming(.snakeCase), .convertFromSnakeCase, .naming(KeyNaming { KeyNaming.snakeCase.key(for: $0) }),
        .custom { path in path.last.map { AnyName(camel($0.stringValue)) } ?? AnyName("") },
    ]
    static let encoding: [JsonEncoder.KeyStrategy] = [
        .naming(.snakeCase), .convertToSnakeCase,
        .custom { path in path.last.map { AnyName(KeyNaming.snakeCase.key(for: $0.stringValue)) } ?? AnyName("") },
    ]

    private static func camel(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }

    @Test(arguments: decoding.indices)
    func areReadAsTheyAre(strategy: Int) throws {
        var decoder = JsonDecoder()
        decoder.keys = Self.decoding[strategy]
        #expect(try decoder.decode(Stock.self, from: Data(Stock.text.utf8)) == Stock.value)
    }

    @Test(arguments: encoding.indices)
    func areWrittenAsTheyAre(strategy: Int) throws {
        var encoder = JsonEncoder()
        encoder.keys = Self.encoding[strategy]
        #expect(try Json(parsing: encoder.encode(Stock.value)) == Json(parsing: Stock.text))
    }

    @Test(arguments: [MappingPolicy.standard, .strict, .salvaging, .collectingAll()])
    func areValuesUnderEachPolicy(policy: MappingPolicy) throws {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let raw = try Json(parsing: Stock.text)
        let reporter = CollectingReporter()
        let read = try reporter.mapping(policy: policy, conventions: conventions) { try Stock.from(raw: raw) }
        #expect(read == Stock.value)
        #expect(try reporter.mapping(policy: policy, conventions: conventions) { try read.toRaw() } == raw)
        #expect(reporter.reports.flatMap(\.issues).isEmpty)
    }

    @Test("an unknown case of an open key is the server's own text")
    func openKeys() throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        let fits = try decoder.decode([Open<Fit>: Int].self, from: Data(#"{"slim_fit":1,"very_wide":2}"#.utf8))
        #expect(fits == [.known(.slim): 1, .unknown("very_wide"): 2])
    }
}

/// A type that reads all members of an object, of any names.
private struct Bag: Codable, Equatable {
    var members: [String: Int]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyName.self)
        members = [:]
        for key in container.allKeys { members[key.stringValue] = try container.decode(Int.self, forKey: key) }
    }
}

/// An enum whose case is a key.
private enum DrawnShape: Codable, Equatable {
    case boundingBox(maxWidth: Int)
    case line2D(sha256: String)
}

@Suite("Keys that a type lists, under a naming", .smallStack)
struct ListedKeyTests {
    private func decoder() -> JsonDecoder {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        return decoder
    }

    @Test(
        "each listed key is found, and named as Foundation names it",
        arguments: [
            #"{"user_42":1}"#, #"{"a_b":1}"#, #"{"sha_256":1,"utm_1":2}"#, #"{"A_B":1}"#, #"{"Content-Type":1}"#,
            #"{"a__b":1}"#, #"{"ID":1}"#, #"{"_a_b_":1,"__":2}"#, #"{"":1}"#, #"{"user_name":1,"zip":2,"URL":3}"#,
        ]
    )
    func all(text: String) throws {
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let expected = try foundation.decode(Bag.self, from: Data(text.utf8))
        #expect(try decoder().decode(Bag.self, from: Data(text.utf8)) == expected)
    }

    @Test("of two keys that are listed under one name the first one counts, as for one key that occurs twice")
    func clashes() throws {
        #expect(try decoder().decode(Bag.self, from: Data(#"{"a_b":1,"a__b":2}"#.utf8)).members == ["aB": 1])
    }

    @Test("the case of an enum is found by its key, and by another spelling of it")
    func cases() throws {
        for text in [#"{"bounding_box":{"max_width":3}}"#, #"{"boundingBox":{"maxWidth":3}}"#] {
            #expect(try decoder().decode(DrawnShape.self, from: Data(text.utf8)) == .boundingBox(maxWidth: 3))
        }
        for text in [#"{"line2_d":{"sha256":"x"}}"#, #"{"line_2_d":{"sha_256":"x"}}"#] {
            #expect(try decoder().decode(DrawnShape.self, from: Data(text.utf8)) == .line2D(sha256: "x"))
        }
    }
}

private struct Numbered: Codable, RawMappable, Equatable {
    var addressLine1: String
    var line2Text: String?
    var sha256: String?
    var urlV2: String?
    var isO3166: Int?
}

@Suite("Numbers in keys, under a naming", .smallStack)
struct NumberedKeyTests {
    fileprivate static let value = Numbered(addressLine1: "a", line2Text: "b", sha256: "c", urlV2: "d", isO3166: 1)

    @Test(
        "a separator before a number may be there or not",
        arguments: [
            #"{"address_line1":"a","line2_text":"b","sha256":"c","url_v2":"d","is_o3166":1}"#,
            #"{"address_line_1":"a","line_2_text":"b","sha_256":"c","url_v_2":"d","is_o_3166":1}"#,
            #"{"sha_256":"c","is_o3166":1,"line2_text":"b","address_line_1":"a","urlV2":"d"}"#,
        ]
    )
    func separators(text: String) throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        // The second object of a type is read with what the decoder has learned from the first one.
        let twice = Data("[\(text),\(text)]".utf8)
        let (values, issues) = try reported { try decoder.decode([Numbered].self, from: twice) }
        #expect(values == [Self.value, Self.value])
        #expect(issues.isEmpty)
        decoder.keys = .naming(.kebabCase)
        let kebab = text.replacing("_", with: "-")
        #expect(try decoder.decode(Numbered.self, from: Data(kebab.utf8)) == Self.value)
    }

    @Test("no such key is unknown", arguments: [MappingPolicy.strict, .salvaging, .collectingAll()])
    func areKnown(policy: MappingPolicy) throws {
        var policy = policy
        policy.unknownKeys = .fail
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let text = #"{"address_line_1":"a","line_2_text":"b","sha_256":"c","url_v2":"d","is_o3166":1}"#
        let raw = try Json(parsing: text)
        let context = CallContext(mapping: policy, conventions: conventions)
        #expect(try context.mapping { try Numbered.from(raw: raw) } == Self.value)
    }

    @Test("the key itself comes before its other spelling")
    func order() throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        let text = #"{"address_line_1":"other","address_line1":"own"}"#
        #expect(try decoder.decode(Numbered.self, from: Data(text.utf8)).addressLine1 == "own")
    }

    private static let snakeCase: CodingConventions = {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        return conventions
    }()

    @Test(
        "an error has the key of the JSON and what was found there",
        arguments: [MappingPolicy.standard, .collectingAll()]
    )
    func errors(policy: MappingPolicy) throws {
        struct Street: Codable, RawMappable { let addressLine1: Int }
        struct Town: Codable, RawMappable { let line2Streets: [Street] }
        let json = try Json.of(#"{"line_2_streets":[{"address_line_1":"x"}]}"#)
        let issues = mapping(policy, Self.snakeCase) { try Town.from(raw: json) }.issues
        #expect(issues.map(\.path.exactDescription) == ["$.line_2_streets[0].address_line_1"])
        #expect(issues.map(\.found?.type) == ["string"])
        #expect(issues.map(\.propertyName) == ["addressLine1"])
        // The conversion to models names properties, too, and its issues have the keys of the JSON.
        struct Place: DTODecodable {
            static func from(dto: Town) throws -> Place {
                _ = try dto.line2Streets.first.require("line2Streets")
                return Place()
            }
        }
        let empty = try Json.of(#"{"line_2_streets":[]}"#)
        let upper = mapping(policy, Self.snakeCase) { try Place.from(dto: Town.from(raw: empty)) }
        #expect(upper.issues.map(\.path.exactDescription) == ["$.line_2_streets"])
    }

    @Test("an unknown key beside it has its path")
    func unknown() throws {
        struct Street: Codable, RawMappable { let addressLine1: Int }
        struct Town: Codable, RawMappable { let line2Street: Street }
        var policy = MappingPolicy()
        policy.unknownKeys = .report
        let json = try Json.of(#"{"line_2_street":{"address_line_1":1,"odd":2}}"#)
        let mapped = mapping(policy, Self.snakeCase) { try Town.from(raw: json) }
        #expect(mapped.lines == ["warning unknown key $.line_2_street.odd"])
    }

    @Test(
        "two spellings of one key clash",
        arguments: [
            (#"{"sha256":1,"sha_256":2}"#, "$.sha256"), (#"{"sha_256":2,"sha256":1}"#, "$.sha256"),
        ]
    )
    func spellings(text: String, path: String) throws {
        struct Digest: Codable, RawMappable { let sha256: Int }
        let json = try Json.of(text)
        let mapped = mapping(.standard, Self.snakeCase) { try Digest.from(raw: json) }
        #expect(mapped.value?.sha256 == 1)
        #expect(mapped.lines == ["warning key clash \(path)"])
        #expect(mapping(.strict, Self.snakeCase) { try Digest.from(raw: json) }.lines == ["error key clash \(path)"])
    }

    @Test("two properties that read one key clash, but not two with keys of their own")
    func properties() throws {
        struct Digests: Codable, RawMappable {
            let sha256: Int?
            // The name of a server's key.
            // swift-format-ignore: AlwaysUseLowerCamelCase
            let sha_256: Int?
        }
        let one = try Json.of(#"{"sha_256":2}"#)
        let both = try Json.of(#"{"sha256":1,"sha_256":2}"#)
        let mapped = mapping(.standard, Self.snakeCase) { try Digests.from(raw: one) }
        #expect(mapped.value?.sha256 == 2 && mapped.value?.sha_256 == 2)
        #expect(mapped.lines == ["warning key clash $.sha_256"])
        for _ in 0..<2 {
            let mapped = mapping(.strict, Self.snakeCase) { try Digests.from(raw: both) }
            #expect(mapped.value?.sha256 == 1 && mapped.value?.sha_256 == 2 && mapped.issues.isEmpty)
        }
    }

    @Test("a naming of one's own decides alone")
    func custom() {
        var decoder = JsonDecoder()
        decoder.keys = .naming(KeyNaming { $0.lowercased() })
        #expect(throws: DecodingError.self) {
            try decoder.decode(Numbered.self, from: Data(#"{"addressline_1":"a"}"#.utf8))
        }
    }
}
