import Foundation
import Testing

@testable import Bilayer

/// The decoder keeps the converted keys of the JSON, and finds a repeated key by its bytes. This saves time and must
/// not change a result.
@Suite(.smallStack) struct SnakeCaseKeysTests {
    /// Reads keys in a random order, some of them several times.
    private struct Asking: Decodable, Equatable {
        enum Keys: String, CodingKey, CaseIterable {
            case a, firstName, createdAt, aB, übergrößeNow, muchLongerThanSixteenBytes
            case unreachable = "user_name"
        }

        static let seed = CodingUserInfoKey(rawValue: "seed")

        var answers: [String] = []

        init(from decoder: any Decoder) throws {
            var random = SplitMix64(seed: try #require(Self.seed.flatMap { decoder.userInfo[$0] as? UInt64 }))
            let container = try decoder.container(keyedBy: Keys.self)
            for _ in 0..<16 {
                let key = try #require(Keys.allCases.randomElement(using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0: answers.append("\(container.contains(key))")
                case 1: answers.append("\(String(describing: try? container.decodeNil(forKey: key)))")
                case 2: answers.append("\(String(describing: try? container.decode(Int.self, forKey: key)))")
                case 3: answers.append("\(try container.superDecoder(forKey: key).codingPath.map(\.stringValue))")
                case 4: answers.append("\(container.allKeys.map(\.stringValue).sorted())")
                default:
                    answers.append("\(String(describing: try? container.decodeIfPresent([Int].self, forKey: key)))")
                }
            }
        }
    }

    @Test(
        "letters without another case, or of both cases to Swift, are converted as Foundation converts them",
        arguments: ["aℂ", "a𝐀b", "xℂℂy", "éǅb", "aⅠb", "ªB", "ℂ", "aB\u{301}c", "ßA", "İi", "aℂ𝐀ℍb", "ǅǅa"]
    )
    func lettersOfBothCases(name: String) throws {
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        var bilayer = JsonEncoder()
        bilayer.keys = .convertToSnakeCase
        struct One: Encodable {
            let name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(1, forKey: PathKey(name))
            }
        }
        #expect(try bilayer.encode(One(name: name)) == foundation.encode(One(name: name)))
    }

    private static let spellings = [
        "a", "A", "first_name", "firstName", "FIRST_NAME", "first__name", "_first_name", "created_at",
        "created\\u005fat",
        "createdAt", "Created_At", "a_b", "a_B", "aB", "übergröße_now", "much_longer_than_sixteen_bytes",
        "much_longer_than_sixteen_byte_s", "user_name", "userName", "_", "", "other",
    ]

    private func body(_ random: inout SplitMix64) -> String {
        let objects = (0..<4)
            .map { _ in
                let members = (0..<Int.random(in: 0..<9, using: &random))
                    .map { index in
                        let value = ["\(index)", "null", "[\(index)]", "{}"].randomElement(using: &random) ?? ""
                        return "\"\(Self.spellings.randomElement(using: &random) ?? "")\":\(value)"
                    }
                return "{\(members.joined(separator: ","))}"
            }
        return "[\(objects.joined(separator: ","))]"
    }

    private func answers(_ text: String, _ seed: UInt64, _ optimizations: CoderOptimizations) throws -> [Asking] {
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        decoder.optimizations = optimizations
        decoder.userInfo[try #require(Asking.seed)] = seed
        return try decoder.decode([Asking].self, from: Data(text.utf8))
    }

    @Test("the same answers as from names that are looked up in a dictionary", arguments: 0..<400 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = body(&random)
        let expected = try answers(text, seed, .all.subtracting(.keyTables))
        for optimizations in trickSets {
            #expect(try answers(text, seed, optimizations) == expected, "seed \(seed), \(text)")
        }
    }

    private struct Named: Codable, Equatable {
        let firstName: String
        let inner: [Named]?
    }

    /// A key type of one byte, with many values.
    private struct Numbered: CodingKey {
        let number: UInt8

        init(_ number: UInt8) { self.number = number }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }

        var intValue: Int? { nil }
        var stringValue: String { "fieldName\(number)" }
    }

    /// Reads all such keys, more than a table has room for.
    private struct Many: Decodable {
        let values: [UInt8: Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Numbered.self)
            var values: [UInt8: Int] = [:]
            for number in (0...UInt8.max).reversed() {
                values[number] = try container.decodeIfPresent(Int.self, forKey: Numbered(number))
            }
            self.values = values
        }
    }

    @Test("a type may have more keys than a table has room for, or a word has bits", arguments: 0..<40 as Range<UInt64>)
    func manyKeys(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        let objects = (0..<3)
            .map { _ in
                (0...UInt8.max).shuffled(using: &random).prefix([10, 40, 120, 256].randomElement(using: &random) ?? 0)
            }
        let texts = objects.map { keys in
            "{" + keys.map { "\"field_name\($0)\":\(Int($0) + 1)" }.joined(separator: ",") + "}"
        }
        let decoded = try decoder.decode([Many].self, from: Data("[\(texts.joined(separator: ","))]".utf8))
        for (keys, many) in zip(objects, decoded) {
            #expect(many.values == [UInt8: Int](uniqueKeysWithValues: keys.map { ($0, Int($0) + 1) }), "seed \(seed)")
        }
    }

    @Test("the first of two keys that mean the same name counts, in every order of what was read before")
    func twoSpellings() throws {
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        let texts = [
            #"{"first_name":"a","firstName":"b"}"#, #"{"firstName":"b","first_name":"a"}"#,
            #"{"FIRST_NAME":"c","inner":[{"firstName":"b"},{"first_name":"a"}],"first_name":"a"}"#,
            #"{"inner":[],"first\u005fname":"d","first_name":"a"}"#,
        ]
        for text in texts + texts.reversed() + texts {
            let expected = text.hasPrefix(#"{"first_name"#) ? "a" : text.hasPrefix(#"{"firstName"#) ? "b" : nil
            let name = try decoder.decode(Named.self, from: Data(text.utf8)).firstName
            #expect(name == expected ?? (text.hasPrefix("{\"F") ? "c" : "d"))
        }
    }

    @Test("the last of two keys that mean the same name counts, where the settings say so")
    func lastSpelling() throws {
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        let text = Data(#"{"first_name":"a","firstName":"b"}"#.utf8)
        for duplicateKeys in [Json.ParsingOptions.DuplicateKeys.firstWins, .lastWins, .firstWins, .lastWins] {
            decoder.parsing.duplicateKeys = duplicateKeys
            #expect(try decoder.decode(Named.self, from: text).firstName == (duplicateKeys == .lastWins ? "b" : "a"))
        }
    }

    @Test("a decoder that converts leaves nothing to one that does not")
    func otherStrategies() throws {
        var converting = JsonDecoder()
        converting.keys = .convertFromSnakeCase
        let text = Data(#"{"first_name":"a"}"#.utf8)
        for _ in 0..<3 {
            #expect(try converting.decode(Named.self, from: text).firstName == "a")
            #expect(throws: DecodingError.self) { try JsonDecoder().decode(Named.self, from: text) }
            #expect(try JsonDecoder().decode(Named.self, from: Data(#"{"firstName":"b"}"#.utf8)).firstName == "b")
        }
    }

    @Test("keys that are data fill no memory, and the others are still found")
    func manyKeys() throws {
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        for round in 0..<3 {
            let members = (0..<1500).map { "\"key_\(round)_\($0)\":\($0)" }.joined(separator: ",")
            let text =
                "[{\(members),\"first_name\":\"a\"},{\"first_name\":\"b\",\(members)},{\"FirstName\":\"c\"},{\"first_name\":\"d\"}]"
            let names = try decoder.decode([FirstName?].self, from: Data(text.utf8)).map { $0?.firstName }
            #expect(names == ["a", "b", nil, "d"])
        }
    }

    @Test(
        "keys with escapes and long ones, which are not kept, leave no names behind",
        arguments: [#"first\u005fname"#, "first_name" + String(repeating: "_x", count: 200)]
    )
    func unkeptKeys(key: String) throws {
        var spellings = KeyConversionCache(SnakeCase.toCamelCase)
        defer { spellings.deallocate() }
        let document = try JsonDocument.parse(Data(#"{"\#(key)":1,"other_key":2}"#.utf8), options: .init())
        let name = document.withNodes { SnakeCase.toCamelCase($0.string(at: $0.firstChild(of: 0))) }
        #expect(document.withNodes { spellings.number(of: $0, at: $0.firstChild(of: 0)) } == -1)
        #expect(spellings.number(of: name) == 0)
        #expect(document.withNodes { spellings.number(of: $0, at: $0.firstChild(of: 0)) } == 0)
    }

    private struct FirstName: Decodable { let firstName: String? }

    @Test("what a type keeps goes on converting")
    func keptContainers() throws {
        let kept = KeptNames()
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        decoder.userInfo[.keptNames] = kept
        let text = Data(#"[{"first_name":"a","other":1},{"first_name":"b"}]"#.utf8)
        _ = try decoder.decode([Keeping].self, from: text)
        for _ in 0..<20 { _ = try decoder.decode([FirstName].self, from: Data(#"[{"first_name":"x"}]"#.utf8)) }
        let names = try kept.containers.map { try $0.decode(String.self, forKey: .firstName) }
        #expect(names == ["a", "b"])
        #expect(kept.containers.map { $0.contains(.other) } == [true, false])
    }

    @Test("tasks at once")
    func tasks() async throws {
        let text = Data(#"[{"first_name":"a","inner":[{"first_name":"b"}]},{"firstName":"c"}]"#.utf8)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<200 {
                group.addTask {
                    var decoder = JsonDecoder()
                    decoder.keys = .convertFromSnakeCase
                    return try decoder.decode([Named].self, from: text).map(\.firstName)
                }
            }
            for try await names in group { #expect(names == ["a", "c"]) }
        }
    }
}

private enum KeptKey: String, CodingKey { case firstName, other }

// Sendable: a test uses an object of this class from one task.
private final class KeptNames: @unchecked Sendable {
    var containers: [KeyedDecodingContainer<KeptKey>] = []
}

extension CodingUserInfoKey {
    fileprivate static var keptNames: CodingUserInfoKey {
        CodingUserInfoKey(rawValue: "keptNames") ?? { preconditionFailure() }()
    }
}

private struct Keeping: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: KeptKey.self)
        (decoder.userInfo[.keptNames] as? KeptNames)?.containers.append(container)
        _ = try container.decode(String.self, forKey: .firstName)
    }
}
