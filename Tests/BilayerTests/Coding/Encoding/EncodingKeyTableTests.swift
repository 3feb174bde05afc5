import Foundation
import Testing

@testable import Bilayer

/// The encoder keeps converted keys, so that it need not convert them again. This saves time and must not change a
/// result.
@Suite(.smallStack) struct EncodingKeyTableTests {
    /// A key type of one byte, with many values. Some of them have equal names.
    private struct Numbered: CodingKey, Equatable {
        let number: UInt8

        init(_ number: UInt8) { self.number = number }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }

        var intValue: Int? { nil }
        var stringValue: String {
            switch number % 8 {
            case 0: "userURL\(number / 16)"
            case 1: "userUrl\(number / 16)"
            case 2: "user_url\(number / 16)"
            case 3, 4: "twin\(number / 16)"
            default: "aKeyOf\(number)"
            }
        }
    }

    /// Writes keys in a random order, some of them several times.
    private struct Writing: Encodable {
        let seed: UInt64
        let keys: Int
        let depth: Int

        func encode(to encoder: any Encoder) throws {
            var random = SplitMix64(seed: seed)
            var container = encoder.container(keyedBy: Numbered.self)
            for index in 0..<Int.random(in: 0..<9, using: &random) {
                let key = Numbered(UInt8(Int.random(in: 0..<keys, using: &random)))
                switch Int.random(in: 0..<6, using: &random) {
                case 0 where depth > 0:
                    try container.encode(Writing(seed: random.next(), keys: keys, depth: depth - 1), forKey: key)
                case 1:
                    var single = container.superEncoder(forKey: key).singleValueContainer()
                    try single.encode(index)
                case 2:
                    var again = encoder.container(keyedBy: Numbered.self)
                    try again.encode(index, forKey: key)
                case 3:
                    var other = encoder.container(keyedBy: Other.self)
                    try other.encode(index, forKey: .userUrl)
                default: try container.encode(index, forKey: key)
                }
            }
        }

        enum Other: String, CodingKey { case userUrl, aKeyOf3 }
    }

    private static let strategies: [JsonEncoder.KeyStrategy] = [
        .convertToSnakeCase, .naming(.snakeCase), .naming(.kebabCase), .useDefaultKeys,
        .naming(KeyNaming { "the_\($0.lowercased())" }),
    ]

    @Test("the same text as with keys that are written by name", arguments: 0..<200 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let keys = [4, 20, 100, 256].randomElement(using: &random) ?? 4
        for _ in 0..<4 {
            let value = (0..<3).map { _ in Writing(seed: random.next(), keys: keys, depth: 2) }
            var encoder = JsonEncoder()
            encoder.keys = try #require(Self.strategies.randomElement(using: &random))
            encoder.optimizations = .all.subtracting(.keyTables)
            let expected = try encoder.encode(value)
            for optimizations in trickSets {
                encoder.optimizations = optimizations
                let text = try encoder.encode(value)
                #expect(text == expected, "seed \(seed), optimizations \(optimizations.rawValue)")
            }
        }
    }

    private enum Twin: String, CodingKey {
        case first, second, third, other

        var stringValue: String { self == .other ? "other" : "same" }
    }

    private struct Twins: Encodable {
        let order: [Twin]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Twin.self)
            for (index, key) in order.enumerated() { try container.encode(index, forKey: key) }
        }
    }

    @Test("of two keys of a type with one name the last one that is written counts, as with Foundation")
    func twins() throws {
        let orders: [[Twin]] = [
            [.first, .second], [.second, .first, .other], [.other, .third, .first, .second], [.first],
            [.first, .other], [.third, .third],
        ]
        // The table is filled in the order of the first object that a session sees.
        for first in orders {
            for order in orders {
                let value = [Twins(order: first), Twins(order: order), Twins(order: first)]
                let foundation = try JSONDecoder().decode([[String: Int]].self, from: JSONEncoder().encode(value))
                let text = try JsonEncoder().encode(value)
                #expect(try JSONDecoder().decode([[String: Int]].self, from: text) == foundation)
                #expect(try Json(parsing: text, options: .init(duplicateKeys: .reject)).count == 3)
            }
        }
    }

    private struct Clashing: Encodable {
        var userURL = 1
        var userUrl = 2
        var userName = 3
    }

    @Test("of two properties that are written the same the last one counts, in every object")
    func clashes() throws {
        var encoder = JsonEncoder()
        encoder.keys = .convertToSnakeCase
        for _ in 0..<3 {
            let text = try encoder.encode([Clashing(), Clashing()])
            #expect(
                String(decoding: text, as: UTF8.self)
                    == ##"[{"user_url":2,"user_name":3},{"user_url":2,"user_name":3}]"##
            )
        }
    }

    private struct Person: Encodable {
        var firstName = "a"
    }

    @Test("one naming leaves nothing to another")
    func namings() throws {
        func text(_ keys: JsonEncoder.KeyStrategy) throws -> String {
            var encoder = JsonEncoder()
            encoder.keys = keys
            return String(decoding: try encoder.encode(Person()), as: UTF8.self)
        }
        for round in 0..<20 {
            #expect(try text(.convertToSnakeCase) == #"{"first_name":"a"}"#)
            #expect(try text(.naming(.kebabCase)) == #"{"first-name":"a"}"#)
            // This naming is freed, and the next one may get its memory address.
            #expect(try text(.naming(KeyNaming { "\($0)\(round)" })) == #"{"firstName\#(round)":"a"}"#)
            #expect(try text(.useDefaultKeys) == #"{"firstName":"a"}"#)
            #expect(try text(.custom { _ in PathKey("own\(round)") }) == #"{"own\#(round)":"a"}"#)
        }
    }
}
